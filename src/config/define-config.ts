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
export type QuireConfig = { readonly [Name in SettingName]?: string | number }

type SettingName =
  | keyof typeof plainSettings
  | keyof typeof combinedSettings
  | keyof typeof identitySettings
  | 'deadlineMs' | 'mostOperations' | 'mostSubscriptions' | 'chargePerMinute' | 'proxies'
  | 'cosmosEndpoint' | 'cosmosDatabase' | 'cosmosCreate'
