// Settings from the environment. Everything that can be set is read here, once, and checked before
// anything is opened.

import { join, resolve } from 'node:path'
import type { Strategy } from './loaders/loader.ts'
import { logLevels, type LogLevel } from './observe/log-level.ts'
import type { CosmosSetting } from './store/cosmos/cosmos.ts'
import type { StoreSetting } from './store/open-store.ts'
import type { EffectsMode } from './writes/writer.ts'

export interface Config {
  readonly port: number
  readonly host: string
  readonly development: boolean
  readonly store: StoreSetting
  readonly schemaFolder: string
  /** Whether the schema is the shipped one, which has functions and sample data of its own. */
  readonly shipped: boolean
  readonly strategy: Strategy
  readonly effects: EffectsMode
  /** Whether everyone may see the storage map and the numbers, where it is said. */
  readonly openPages: boolean | undefined
  /** Whether everyone may see the metrics, where it is said. */
  readonly openMetrics: boolean | undefined
  readonly logLevel: LogLevel
}

/** A setting that cannot be used. The message is one line that says what to write. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const shippedSchema = join(import.meta.dirname, '../schema/library')

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const development = env['NODE_ENV'] !== 'production'
  const schemaFolder = env['QUIRE_SCHEMA'] ? resolve(env['QUIRE_SCHEMA']) : shippedSchema
  return {
    port: readPort(env['PORT']),
    host: env['HOST'] || '127.0.0.1',
    development,
    store: readStore(env),
    schemaFolder,
    shipped: schemaFolder === shippedSchema,
    strategy: readStrategy(env['QUIRE_STRATEGY']),
    effects: readEffects(env['QUIRE_EFFECTS']),
    openPages: readOpen('QUIRE_PAGES', env),
    openMetrics: readOpen('QUIRE_METRICS', env),
    logLevel: readLogLevel(env['QUIRE_LOG'], development),
  }
}

function readPort(text = '4000'): number {
  const port = Number(text)
  if (text.trim() === '' || !Number.isInteger(port) || port < 0 || port > 65535) throw new ConfigError(`PORT is "${text}". Give a number from 0 to 65535.`)
  return port
}

function readStore(env: NodeJS.ProcessEnv): StoreSetting {
  const text = env['QUIRE_STORE'] ?? 'sqlite:.quire/library.db'
  if (text === 'memory') return { kind: 'memory' }
  if (text.startsWith('sqlite:') && text.length > 'sqlite:'.length) return { kind: 'sqlite', file: text.slice('sqlite:'.length) }
  if (text === 'cosmos') return { kind: 'cosmos', ...readCosmos(env) }
  throw new ConfigError(`QUIRE_STORE is "${text}". Write memory, sqlite:PATH or cosmos.`)
}

function readCosmos(env: NodeJS.ProcessEnv): CosmosSetting {
  const { COSMOS_ENDPOINT: endpoint, COSMOS_KEY: key, COSMOS_DATABASE: database = 'quire', COSMOS_CREATE: create = 'yes' } = env
  if (!endpoint) throw new ConfigError('QUIRE_STORE is cosmos, and COSMOS_ENDPOINT is not set. Give the address of the account, such as https://NAME.documents.azure.com.')
  if (!/^https?:\/\/[^/]+\/?$/.test(endpoint)) throw new ConfigError(`COSMOS_ENDPOINT is "${endpoint}". Give an address such as https://NAME.documents.azure.com.`)
  if (!/^[^/\\?#]{1,255}$/.test(database)) throw new ConfigError(`COSMOS_DATABASE is "${database}". Use up to 255 characters, without / \\ ? #.`)
  if (create !== 'yes' && create !== 'no') throw new ConfigError(`COSMOS_CREATE is "${create}". Write yes to have missing containers and indexes made, or no.`)
  return { endpoint, database, create: create === 'yes', ...(key ? { key } : {}) }
}

function readStrategy(text: string | undefined): Strategy {
  if (text === undefined || text === '') return 'gathered'
  if (text === 'naive') return 'naive'
  throw new ConfigError(`QUIRE_STRATEGY is "${text}". Write naive, or leave it out.`)
}

function readEffects(text: string | undefined): EffectsMode {
  if (text === undefined || text === '' || text === 'together') return 'together'
  if (text === 'feed') return 'feed'
  throw new ConfigError(`QUIRE_EFFECTS is "${text}". Write together or feed, or leave it out.`)
}

function readOpen(name: 'QUIRE_PAGES' | 'QUIRE_METRICS', { [name]: text }: NodeJS.ProcessEnv): boolean | undefined {
  if (text === undefined || text === '') return undefined
  if (text === 'open' || text === 'closed') return text === 'open'
  throw new ConfigError(`${name} is "${text}". Write open or closed, or leave it out.`)
}

/** People who develop look at answers; who runs it in production wants a line for each. */
function readLogLevel(text: string | undefined, development: boolean): LogLevel {
  if (text === undefined || text === '') return development ? 'warn' : 'info'
  const level = logLevels.find((known) => known === text)
  if (!level) throw new ConfigError(`QUIRE_LOG is "${text}". Write ${logLevels.slice(0, -1).join(', ')} or ${logLevels.at(-1)}, or leave it out.`)
  return level
}
