// Every setting, as a table. To add one, add an entry here, use `config.NAME`, and add its row to docs/settings.md. Load
// limits and the settings of single stores are in the tables of their own rooms.

import { join, resolve } from 'node:path'
import type { ConfigError } from '../errors.ts'
import { loadLimitTable } from '../http/limits/load-limits.ts'
import { logLevels } from '../observe/log/log-level.ts'
import type { Strategy } from '../read/loader.ts'
import { kindNamed, storeSettings, storeSyntax } from '../store/open-store.ts'
import type { EffectsMode } from '../write/writer.ts'
import { anyText, chargePerMinute, claimName, hostList, integer, isAddress, isOpen, keySource, limitList, maxOrNone, megabytes, oneOf, originList, workerCount, type Parse } from './parsers.ts'
import { collected, throwAll } from './setting-problems.ts'

export interface Setting<T> {
  /** Its name in the environment. */
  readonly variable: string
  readonly parse: Parse<T>
  /** The value when it is not set; undefined if there is none. */
  readonly default?: NoInfer<T> | ((development: boolean) => NoInfer<T>)
  readonly description?: string
  /** The text of a config file in this folder, with its path made absolute. */
  readonly within?: (text: string, folder: string) => string
  /** An empty variable is an error, where for other settings it counts as not set. */
  readonly rejectsEmpty?: true
}

const shippedSchema = join(import.meta.dirname, '../../schema/library')
const pathWithin = (text: string, folder: string): string => resolve(folder, text)

/** Each is `config.NAME`, by its name in a config file. */
export const plainSettings = {
  port: setting({ variable: 'PORT', parse: integer({ min: 0, max: 65535 }), default: 4000, rejectsEmpty: true, description: 'the port to listen on; 0 takes any free port' }),
  host: setting({ variable: 'HOST', parse: anyText, default: '127.0.0.1', description: 'the address to listen on' }),
  workers: setting({ variable: 'QUIRE_WORKERS', parse: workerCount, default: 1, description: 'how many processes serve the port; auto is one per core' }),
  effects: setting({ variable: 'QUIRE_EFFECTS', parse: oneOf<EffectsMode>(['together', 'feed']), default: 'together', description: 'whether snapshots, lists and counts are written in the same transaction or follow through the change feed' }),
  tenants: setting({ variable: 'QUIRE_TENANTS', parse: claimName, description: 'the token claim that names the tenant, where tenants share the store' }),
  strategy: setting<Strategy>({ variable: 'QUIRE_STRATEGY', parse: oneOf(['naive']), default: 'batched', description: 'naive reads each reference by itself, without snapshots and batching' }),
  pages: setting({ variable: 'QUIRE_PAGES', parse: isOpen, description: 'whether everyone may see the storage map and the totals' }),
  metrics: setting({ variable: 'QUIRE_METRICS', parse: isOpen, description: 'whether everyone may see the metrics' }),
  // Development shows costs next to answers; production wants a line per request.
  log: setting({ variable: 'QUIRE_LOG', parse: oneOf(logLevels), default: (development) => (development ? 'warn' : 'info'), description: 'the min level of log lines' }),
  record: setting({ variable: 'QUIRE_RECORD', parse: anyText, within: pathWithin, description: 'the file that records the workload for "quire advise"' }),
  origins: setting({ variable: 'QUIRE_ORIGINS', parse: originList, description: 'the origins of other sites that may read answers' }),
  allowedHosts: setting({ variable: 'QUIRE_ALLOWED_HOSTS', parse: hostList, description: 'the names by which clients may reach the server, in the Host header' }),
  limits: setting({ variable: 'QUIRE_LIMITS', parse: limitList, description: 'how large and deep a request may be, where it differs from the defaults' }),
  trustedDocuments: setting({ variable: 'QUIRE_TRUSTED_DOCUMENTS', parse: anyText, within: pathWithin, description: 'the file with the only operations that may run' }),
  // Load balancers need a moment to notice that /ready fails; a Ctrl-C in development should not wait. All of it ends within 10 s.
  drainMs: setting({ variable: 'QUIRE_DRAIN_MS', parse: integer({ min: 0, max: 9000, unit: 'milliseconds' }), default: (development) => (development ? 0 : 1000), description: 'how long Quire accepts connections after SIGTERM, in milliseconds' }),
}

/** config.ts combines these into `store`, `schemaFolder`, and `budget`. */
export const combinedSettings = {
  schema: setting({ variable: 'QUIRE_SCHEMA', parse: (text) => resolve(text), within: pathWithin, default: shippedSchema, description: 'the schema folder' }),
  store: setting({
    variable: 'QUIRE_STORE', description: `where the documents are: ${storeSyntax}`, rejectsEmpty: true,
    parse: (text, name) => (kindNamed(text, name), text),
    within: (text, folder) => kindNamed(text, 'store').within?.(text, folder) ?? text,
  }),
  cacheMb: setting({ variable: 'QUIRE_CACHE_MB', parse: megabytes, description: 'MB of documents and query results that the SQLite store keeps in memory' }),
  queryThreads: setting({ variable: 'QUIRE_QUERY_THREADS', parse: integer({ min: 1, max: 64, unit: 'threads' }), description: 'how many threads run long queries of the SQLite store' }),
  budgetCharge: setting({ variable: 'QUIRE_BUDGET_CHARGE', parse: maxOrNone, description: 'max RU of one operation' }),
  budgetRoundTrips: setting({ variable: 'QUIRE_BUDGET_ROUND_TRIPS', parse: maxOrNone, description: 'max round trips of one operation' }),
}

/** config.ts combines these into `identity`. */
export const identitySettings = {
  jwks: setting({ variable: 'QUIRE_JWKS', parse: keySource, within: (text, folder) => (isAddress(text) ? text : resolve(folder, text)), description: 'the public keys that sign tokens: an https address or a file' }),
  issuer: setting({ variable: 'QUIRE_ISSUER', parse: anyText, description: 'the issuer of the tokens, their iss claim' }),
  audience: setting({ variable: 'QUIRE_AUDIENCE', parse: anyText, description: 'the audience of the tokens, their aud claim' }),
  idClaim: setting({ variable: 'QUIRE_ID_CLAIM', parse: anyText, description: 'the claim with the id of the viewer' }),
  rolesClaim: setting({ variable: 'QUIRE_ROLES_CLAIM', parse: anyText, description: 'the claim with the roles of the viewer' }),
}

/** All settings, by their names in a config file. */
export const settings: Readonly<Record<string, Setting<unknown>>> = {
  ...plainSettings,
  ...combinedSettings,
  ...identitySettings,
  ...Object.fromEntries(Object.values(loadLimitTable).map((limit) => [limit.setting, loadSetting(limit)])),
  ...Object.fromEntries(Object.entries(storeSettings).map(([name, { variable, check }]) => [name, { variable, parse: check }])),
}

/** The setting of a load limit. */
export function loadSetting({ variable, unit, min, default: value }: (typeof loadLimitTable)[keyof typeof loadLimitTable]): Setting<number | undefined> {
  return { variable, parse: unit === 'RU' ? chargePerMinute : integer({ min, unit }), default: value }
}

export type Values<Table> = { readonly [Name in keyof Table]: Table[Name] extends Setting<infer T> ? T : never }

export function readSettings<Table extends Readonly<Record<string, Setting<unknown>>>>(table: Table, env: NodeJS.ProcessEnv): Values<Table> {
  const problems: ConfigError[] = []
  const values = Object.entries(table).flatMap(([name, each]) => collected(problems, () => [name, readSetting(each, env)]))
  throwAll(problems)
  return Object.fromEntries(values) as Values<Table>
}

export function readSetting<T>({ variable, parse, default: value, rejectsEmpty }: Setting<T>, env: NodeJS.ProcessEnv): T {
  const text = env[variable]
  if (text !== undefined && (text !== '' || rejectsEmpty)) return parse(text, variable)
  return typeof value === 'function' ? (value as (development: boolean) => T)(isDevelopment(env)) : (value as T)
}

export function isDevelopment(env: NodeJS.ProcessEnv): boolean {
  return env['NODE_ENV'] !== 'production'
}

/** Without a default the value may be undefined. */
function setting<T>(facts: Setting<T> & { readonly default: unknown; readonly description: string }): Setting<T>
function setting<T>(facts: Setting<T> & { readonly description: string }): Setting<T | undefined>
function setting<T>(facts: Setting<T>): Setting<T> {
  return facts
}
