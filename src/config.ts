// Settings, wherever they are said: on the command line, in the environment or in a config file.
// Everything that can be set is read here, once, and checked before anything is opened.

import { basename, join, resolve } from 'node:path'
import { ConfigError } from './errors.ts'
import type { Budget } from './plan/cost/budget.ts'
import { defaultLimits, type Limits } from './http/limits/limits.ts'
import { defaultClaims } from './auth/claims.ts'
import type { JwtSetting } from './auth/jwt-identity.ts'
import { loadLimitsOf, loadLimitTable, type LoadLimits } from './http/limits/load-limits.ts'
import type { Strategy } from './read/loader.ts'
import { logLevels, type LogLevel } from './observe/log/log-level.ts'
import { kindNamed, storeSettings, type StoreSetting } from './store/open-store.ts'
import type { EffectsMode } from './write/writer.ts'

export interface Config {
  readonly port: number
  readonly host: string
  readonly development: boolean
  readonly store: StoreSetting
  readonly schemaFolder: string
  readonly strategy: Strategy
  readonly effects: EffectsMode
  /** The claim of a token that says whose a request is, where several tenants share the store. */
  readonly tenantClaim: string | undefined
  /** Whether everyone may see the storage map and the numbers, where it is said. */
  readonly openPages: boolean | undefined
  /** The file that the workload is recorded in, where one is named. */
  readonly record: string | undefined
  /** Whether everyone may see the metrics, where it is said. */
  readonly openMetrics: boolean | undefined
  readonly logLevel: LogLevel
  /** How much memory answers may take that are given again while they are true, where it is said. */
  readonly answerBytes: number | undefined
  /** The pages of other sites that may read answers, where it is said. */
  readonly origins: readonly string[] | undefined
  /** What is not as usual. */
  readonly limits: Partial<Limits> | undefined
  readonly budget: Partial<Budget> | undefined
  /** The file of the only documents that run, where one is named. */
  readonly trustedDocuments: string | undefined
  /** How it is found out who asks, where it can be. */
  readonly identity: JwtSetting | undefined
  /** How much is taken on at once, and for how long. */
  readonly load: LoadLimits
  /** For how long connections are still taken when it is told to end: until then whoever sends requests here has heard of it. */
  readonly drainMs: number
}

export { ConfigError }

/** How a setting is called in the environment, what is wrong with a text, and what it means in a folder that is not this one. */
export interface Setting {
  readonly variable: string
  /** Throws what is wrong with the text, under the name by which it was given. */
  readonly check: (text: string, name: string) => unknown
  readonly within?: (text: string, folder: string) => string
}

/** What a config file can say, by the names it has there. */
export const settings: Readonly<Record<string, Setting>> = {
  port: { variable: 'PORT', check: readPort },
  host: { variable: 'HOST', check: (text) => text },
  store: { variable: 'QUIRE_STORE', check: kindNamed, within: (text, folder) => kindNamed(text, 'store').within?.(text, folder) ?? text },
  cacheMb: { variable: 'QUIRE_CACHE_MB', check: readMegabytes },
  answersMb: { variable: 'QUIRE_ANSWERS_MB', check: readMegabytes },
  schema: { variable: 'QUIRE_SCHEMA', check: (text) => text, within: (text, folder) => resolve(folder, text) },
  effects: { variable: 'QUIRE_EFFECTS', check: readEffects },
  tenants: { variable: 'QUIRE_TENANTS', check: readTenantClaim },
  strategy: { variable: 'QUIRE_STRATEGY', check: readStrategy },
  pages: { variable: 'QUIRE_PAGES', check: readOpen },
  metrics: { variable: 'QUIRE_METRICS', check: readOpen },
  log: { variable: 'QUIRE_LOG', check: (text, name) => readLogLevel(text, name, false) },
  record: { variable: 'QUIRE_RECORD', check: (text) => text, within: (text, folder) => resolve(folder, text) },
  origins: { variable: 'QUIRE_ORIGINS', check: readOrigins },
  limits: { variable: 'QUIRE_LIMITS', check: readLimits },
  budgetCharge: { variable: 'QUIRE_BUDGET_CHARGE', check: readMost },
  budgetRoundTrips: { variable: 'QUIRE_BUDGET_ROUND_TRIPS', check: readMost },
  trustedDocuments: { variable: 'QUIRE_TRUSTED_DOCUMENTS', check: (text) => text, within: (text, folder) => resolve(folder, text) },
  jwks: { variable: 'QUIRE_JWKS', check: checkJwks, within: (text, folder) => (isAddress(text) ? text : resolve(folder, text)) },
  issuer: { variable: 'QUIRE_ISSUER', check: (text) => text },
  audience: { variable: 'QUIRE_AUDIENCE', check: (text) => text },
  idClaim: { variable: 'QUIRE_ID_CLAIM', check: (text) => text },
  rolesClaim: { variable: 'QUIRE_ROLES_CLAIM', check: (text) => text },
  ...Object.fromEntries(Object.values(loadLimitTable).map(({ setting, variable, unit, min }) => [setting, { variable, check: (text: string, name: string) => readLoadLimit(text, name, unit, min) }])),
  drainMs: { variable: 'QUIRE_DRAIN_MS', check: (text, name) => readDrain(text, name, false) },
  ...storeSettings,
}

const shippedSchema = join(import.meta.dirname, '../schema/library')

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const development = env['NODE_ENV'] !== 'production'
  const schemaFolder = env['QUIRE_SCHEMA'] ? resolve(env['QUIRE_SCHEMA']) : shippedSchema
  return {
    port: readPort(env['PORT']),
    host: env['HOST'] || '127.0.0.1',
    development,
    store: readStore(env, schemaFolder),
    schemaFolder,
    strategy: readStrategy(env['QUIRE_STRATEGY']),
    effects: readEffects(env['QUIRE_EFFECTS']),
    tenantClaim: readTenantClaim(env['QUIRE_TENANTS']),
    openPages: readOpen(env['QUIRE_PAGES'], 'QUIRE_PAGES'),
    record: env['QUIRE_RECORD'] || undefined,
    openMetrics: readOpen(env['QUIRE_METRICS'], 'QUIRE_METRICS'),
    logLevel: readLogLevel(env['QUIRE_LOG'], 'QUIRE_LOG', development),
    answerBytes: readMegabytes(env['QUIRE_ANSWERS_MB'], 'QUIRE_ANSWERS_MB'),
    origins: readOrigins(env['QUIRE_ORIGINS']),
    limits: readLimits(env['QUIRE_LIMITS']),
    budget: readBudget(env),
    trustedDocuments: env['QUIRE_TRUSTED_DOCUMENTS'] || undefined,
    identity: readIdentity(env),
    load: readLoad(env),
    drainMs: readDrain(env['QUIRE_DRAIN_MS'], 'QUIRE_DRAIN_MS', development),
  }
}

function readLoad(env: NodeJS.ProcessEnv): LoadLimits {
  return loadLimitsOf(({ variable, unit, min, default: usual }) => readLoadLimit(env[variable], variable, unit, min) ?? usual)
}

function readLoadLimit(text: string | undefined, name: string, unit: string, min: number): number | undefined {
  return unit === 'RU' ? readCharge(text, name) : readCount(text, name, unit, min)
}

/** Timers hold no more than this, and nothing else has to. */
const maxCount = 2 ** 31 - 1

function readCount(text: string | undefined, name: string, what: string, least: number): number | undefined {
  if (text === undefined || text === '') return undefined
  const count = Number(text)
  if (text.trim() === '' || !Number.isInteger(count) || count < least || count > maxCount) throw new ConfigError(`${name} is "${text}". Give a number of ${what}, ${least} or more${count > maxCount ? `, and at most ${maxCount}` : ''}.`)
  return count
}

function readCharge(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text === '') return undefined
  const charge = Number(text)
  if (text.trim() === '' || !Number.isFinite(charge) || charge <= 0) throw new ConfigError(`${name} is "${text}". Give the request charge that a caller may cause in a minute, above 0, or leave it out.`)
  return charge
}

/** Whoever presses Ctrl-C does not want to wait. */
function readDrain(text: string | undefined, name: string, development: boolean): number {
  const most = 9000
  const drainMs = readCount(text, name, 'milliseconds', 0) ?? (development ? 0 : 1000)
  if (drainMs > most) throw new ConfigError(`${name} is "${text}". Give at most ${most} milliseconds: after 10 seconds everything has ended.`)
  return drainMs
}

function readPort(text = '4000', name = 'PORT'): number {
  const port = Number(text)
  if (text.trim() === '' || !Number.isInteger(port) || port < 0 || port > 65535) throw new ConfigError(`${name} is "${text}". Give a number from 0 to 65535.`)
  return port
}

/** Every schema has a file of its own unless it is said otherwise: two of them may use the same names for different things. */
function readStore(env: NodeJS.ProcessEnv, schemaFolder: string): StoreSetting {
  const text = env['QUIRE_STORE'] ?? `sqlite:.quire/${basename(schemaFolder)}.db`
  return kindNamed(text, 'QUIRE_STORE').read(text, env, readMegabytes(env['QUIRE_CACHE_MB'], 'QUIRE_CACHE_MB'))
}

function readMegabytes(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text === '') return undefined
  const megabytes = Number(text)
  if (text.trim() === '' || !Number.isFinite(megabytes) || megabytes < 0) throw new ConfigError(`${name} is "${text}". Give a number of megabytes, 0 to remember nothing.`)
  return megabytes * 1024 * 1024
}

/** Keys without an issuer and an audience would let in whoever has a token for anything else. */
function readIdentity(env: NodeJS.ProcessEnv): JwtSetting | undefined {
  const { QUIRE_JWKS: jwks, QUIRE_ISSUER: issuer, QUIRE_AUDIENCE: audience } = env
  if (!jwks) {
    const lone = ['QUIRE_ISSUER', 'QUIRE_AUDIENCE', 'QUIRE_ID_CLAIM', 'QUIRE_ROLES_CLAIM'].find((name) => env[name])
    if (lone !== undefined) throw new ConfigError(`${lone} is set, and QUIRE_JWKS is not. Say where the keys of tokens are, or leave both out.`)
    return undefined
  }
  checkJwks(jwks, 'QUIRE_JWKS')
  if (!issuer) throw new ConfigError('QUIRE_JWKS is set, and QUIRE_ISSUER is not. Name who issues the tokens, as their iss claim does.')
  if (!audience) throw new ConfigError('QUIRE_JWKS is set, and QUIRE_AUDIENCE is not. Name whom the tokens are for, as their aud claim does.')
  return {
    jwks: isAddress(jwks) ? jwks : resolve(jwks), issuer, audience,
    claims: { id: env['QUIRE_ID_CLAIM'] || defaultClaims.id, roles: env['QUIRE_ROLES_CLAIM'] || defaultClaims.roles, tenant: readTenantClaim(env['QUIRE_TENANTS']) },
  }
}

function isAddress(text: string): boolean {
  return /^\w+:\/\//.test(text)
}

/** Keys that came over a wire that anyone can write to would prove nothing. */
function checkJwks(text: string, name: string): void {
  if (!isAddress(text)) return
  const url = URL.parse(text)
  const loopback = url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url?.protocol !== 'https:' && !loopback) throw new ConfigError(`${name} is "${text}". Give an https address, or a file; http only on this machine.`)
}

function readStrategy(text: string | undefined, name = 'QUIRE_STRATEGY'): Strategy {
  if (text === undefined || text === '') return 'gathered'
  if (text === 'naive') return 'naive'
  throw new ConfigError(`${name} is "${text}". Write naive, or leave it out.`)
}

function readEffects(text: string | undefined, name = 'QUIRE_EFFECTS'): EffectsMode {
  if (text === undefined || text === '' || text === 'together') return 'together'
  if (text === 'feed') return 'feed'
  throw new ConfigError(`${name} is "${text}". Write together or feed, or leave it out.`)
}

function readTenantClaim(text: string | undefined, name = 'QUIRE_TENANTS'): string | undefined {
  if (text === undefined || text === '') return undefined
  if (/[\s\p{Cc}]/u.test(text) || text.length > 256) throw new ConfigError(`${name} is ${JSON.stringify(text)}. Name the claim of a token that says which tenant someone is of, such as tenant, or leave it out.`)
  return text
}

function readOpen(text: string | undefined, name: string): boolean | undefined {
  if (text === undefined || text === '') return undefined
  if (text === 'open' || text === 'closed') return text === 'open'
  throw new ConfigError(`${name} is "${text}". Write open or closed, or leave it out.`)
}

/** People who develop look at answers; who runs it in production wants a line for each. */
function readLogLevel(text: string | undefined, name: string, development: boolean): LogLevel {
  if (text === undefined || text === '') return development ? 'warn' : 'info'
  const level = logLevels.find((known) => known === text)
  if (!level) throw new ConfigError(`${name} is "${text}". Write ${logLevels.slice(0, -1).join(', ')} or ${logLevels.at(-1)}, or leave it out.`)
  return level
}

/** Browsers name an origin exactly so. */
function readOrigins(text: string | undefined, name = 'QUIRE_ORIGINS'): string[] | undefined {
  if (text === undefined || text === '') return undefined
  return text.split(',').map((each) => {
    const origin = each.trim()
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) throw new ConfigError(`${name}: "${origin}" is no origin. Write them as browsers do, with commas between: https://shop.example, http://localhost:5173.`)
    return origin
  })
}

function readLimits(text: string | undefined, name = 'QUIRE_LIMITS'): Partial<Limits> | undefined {
  if (text === undefined || text === '') return undefined
  return Object.fromEntries(text.split(',').map((each) => {
    const [, limit = '', most = ''] = /^\s*(\w+)\s*=\s*(\d{1,9})\s*$/.exec(each) ?? []
    if (!Object.hasOwn(defaultLimits, limit)) throw new ConfigError(`${name}: "${each.trim()}" is no limit. Write some of ${Object.entries(defaultLimits).map(([known, usual]) => `${known}=${usual}`).join(', ')}.`)
    return [limit, Number(most)]
  }))
}

function readBudget({ QUIRE_BUDGET_CHARGE: charge, QUIRE_BUDGET_ROUND_TRIPS: roundTrips }: NodeJS.ProcessEnv): Partial<Budget> | undefined {
  const requestCharge = readMost(charge, 'QUIRE_BUDGET_CHARGE')
  const most = readMost(roundTrips, 'QUIRE_BUDGET_ROUND_TRIPS')
  if (requestCharge === undefined && most === undefined) return undefined
  return { ...(requestCharge === undefined ? {} : { requestCharge }), ...(most === undefined ? {} : { roundTrips: most }) }
}

function readMost(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text === '') return undefined
  if (text === 'none') return Infinity
  const most = Number(text)
  if (text.trim() === '' || !Number.isFinite(most) || most < 0) throw new ConfigError(`${name} is "${text}". Give a number, or none for no budget.`)
  return most
}
