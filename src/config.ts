// Settings from the environment. Everything that can be set is read here, once, and checked before
// anything is opened.

import { join, resolve } from 'node:path'
import type { Strategy } from './loaders/loader.ts'
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
}

/** A setting that cannot be used. The message is one line that says what to write. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const shippedSchema = join(import.meta.dirname, '../schema/library')

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const schemaFolder = env['QUIRE_SCHEMA'] ? resolve(env['QUIRE_SCHEMA']) : shippedSchema
  return {
    port: readPort(env['PORT']),
    host: env['HOST'] || '127.0.0.1',
    development: env['NODE_ENV'] !== 'production',
    store: readStore(env),
    schemaFolder,
    shipped: schemaFolder === shippedSchema,
    strategy: readStrategy(env['QUIRE_STRATEGY']),
    effects: readEffects(env['QUIRE_EFFECTS']),
    openPages: readPages(env['QUIRE_PAGES']),
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
  if (text.startsWith('sqlite:') && text.length > 'sqlite:'.length) return { kind: 'sqlite', file: text.slice('sqlite:'.length), ...readCache(env['QUIRE_CACHE_MB']) }
  if (text === 'cosmos') return { kind: 'cosmos', ...readCosmos(env) }
  throw new ConfigError(`QUIRE_STORE is "${text}". Write memory, sqlite:PATH or cosmos.`)
}

/** How much of what was read from the file may stay in memory. */
function readCache(text: string | undefined): { cacheBytes?: number } {
  if (text === undefined || text === '') return {}
  const megabytes = Number(text)
  if (text.trim() === '' || !Number.isFinite(megabytes) || megabytes < 0) throw new ConfigError(`QUIRE_CACHE_MB is "${text}". Give a number of megabytes, 0 to remember nothing.`)
  return { cacheBytes: megabytes * 1024 * 1024 }
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

function readPages(text: string | undefined): boolean | undefined {
  if (text === undefined || text === '') return undefined
  if (text === 'open' || text === 'closed') return text === 'open'
  throw new ConfigError(`QUIRE_PAGES is "${text}". Write open or closed, or leave it out.`)
}
