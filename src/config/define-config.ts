// The settings of `quire.config.ts`, checked by the compiler. config-file.ts reads the file and checks it again.

import type { combinedSettings, identitySettings, plainSettings } from './settings.ts'

/**
 * Types the default export of `quire.config.ts`. It returns what it is given.
 *
 * @example
 * ```ts
 * // quire.config.ts
 * import { defineConfig } from 'quire-graphql'
 *
 * export default defineConfig({ schema: 'schema', store: 'sqlite:.quire/documents.db', port: 4000 })
 * ```
 */
export function defineConfig(settings: QuireConfig): QuireConfig {
  return settings
}

/**
 * Settings by their names in a config file; all are optional. Secrets, such as the key of an Azure account, belong in the
 * environment.
 *
 * @example
 * ```ts
 * const config: QuireConfig = { store: 'cosmos', cosmosEndpoint: 'https://NAME.documents.azure.com', log: 'info' }
 * ```
 */
export interface QuireConfig extends Written<Omit<Table, keyof OtherSettings>>, Partial<OtherSettings> {}

type Table = typeof plainSettings & typeof combinedSettings & typeof identitySettings

/** How each setting of the table is written. */
type Written<Settings> = { readonly [Name in keyof Settings]?: Settings[Name] extends { parse(text: string, name: string): infer Value } ? WrittenAs<Value> : never }

/** What a config file gives for a value of this type: lists are texts, and a page is open or closed. */
type WrittenAs<Value> =
  Value extends undefined ? never
    : Value extends boolean ? 'open' | 'closed'
      : Value extends number | string ? Value
        : string

/** Settings that are written in another way, and those in the tables of other rooms. */
interface OtherSettings {
  readonly strategy: 'naive'
  readonly workers: number | 'auto'
  readonly budgetCharge: number | 'none'
  readonly budgetRoundTrips: number | 'none'
  readonly deadlineMs: number
  readonly mostOperations: number
  readonly mostSubscriptions: number
  readonly mostSubscriptionsPerCaller: number
  readonly chargePerMinute: number
  readonly proxies: number
  readonly cosmosEndpoint: string
  readonly cosmosDatabase: string
  readonly cosmosCreate: 'yes' | 'no'
}
