// Settings, and the one-line message for each mistake in them.

import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError } from '../../src/errors.ts'
import { readConfig } from '../../src/config/config.ts'
import { settings } from '../../src/config/settings.ts'
import { configFileName, settledEnvironment } from '../../src/config/config-file.ts'
import { defineConfig, type QuireConfig } from '../../src/config/define-config.ts'

test('nothing has to be set', () => {
  expect(readConfig({})).toEqual({
    port: 4000,
    host: '127.0.0.1',
    workers: 1,
    development: true,
    store: { kind: 'sqlite', file: '.quire/library.db' },
    schemaFolder: resolve('schema/library'),
    strategy: 'batched',
    effects: 'together',
    log: 'warn',
    load: { deadlineMs: 30_000, operations: 250, subscriptions: 1000, subscriptionsPerCaller: 100, proxies: 0 },
    drainMs: 0,
  })
})

test('everything can be set', () => {
  const env = { PORT: '0', HOST: '::1', QUIRE_WORKERS: '4', NODE_ENV: 'production', QUIRE_STORE: 'memory', QUIRE_SCHEMA: 'elsewhere', QUIRE_STRATEGY: 'naive', QUIRE_EFFECTS: 'feed', QUIRE_TENANTS: 'https://example.com/tenant', QUIRE_PAGES: 'open', QUIRE_METRICS: 'closed', QUIRE_LOG: 'error', QUIRE_RECORD: 'workload.json',
    QUIRE_ORIGINS: 'https://shop.example, http://localhost:5173', QUIRE_LIMITS: 'depth=12, tokens=900', QUIRE_BUDGET_CHARGE: 'none', QUIRE_BUDGET_ROUND_TRIPS: '40', QUIRE_TRUSTED_DOCUMENTS: 'persisted-documents.json',
    QUIRE_DEADLINE_MS: '5000', QUIRE_MOST_OPERATIONS: '10', QUIRE_MOST_SUBSCRIPTIONS: '0', QUIRE_CHARGE_PER_MINUTE: '2.5', QUIRE_PROXIES: '2', QUIRE_DRAIN_MS: '3000' }
  expect(readConfig(env)).toEqual({
    port: 0, host: '::1', workers: 4, development: false, store: { kind: 'memory' }, schemaFolder: resolve('elsewhere'), strategy: 'naive', effects: 'feed', tenants: 'https://example.com/tenant', pages: true,
    metrics: false, log: 'error', record: 'workload.json', origins: ['https://shop.example', 'http://localhost:5173'], limits: { depth: 12, tokens: 900 },
    budget: { requestCharge: Infinity, roundTrips: 40 }, trustedDocuments: 'persisted-documents.json', load: { deadlineMs: 5000, operations: 10, subscriptions: 0, subscriptionsPerCaller: 100, chargePerMinute: 2.5, proxies: 2 }, drainMs: 3000,
  })
})

test('tokens identify viewers, by the default claims unless the settings name others', () => {
  const env = { QUIRE_JWKS: 'https://login.example/keys', QUIRE_ISSUER: 'https://login.example', QUIRE_AUDIENCE: 'library' }
  expect(readConfig(env).identity).toEqual({ jwks: env.QUIRE_JWKS, issuer: env.QUIRE_ISSUER, audience: 'library', claims: { id: 'sub', roles: 'roles', tenant: undefined } })
  expect(readConfig({ ...env, QUIRE_JWKS: 'keys.json', QUIRE_ID_CLAIM: 'oid', QUIRE_ROLES_CLAIM: 'groups', QUIRE_TENANTS: 'tid' }).identity)
    .toMatchObject({ jwks: resolve('keys.json'), claims: { id: 'oid', roles: 'groups', tenant: 'tid' } })
  expect(readConfig({ ...env, QUIRE_JWKS: 'http://127.0.0.1:8080/keys' }).identity?.jwks).toBe('http://127.0.0.1:8080/keys')
})

test('auto is a worker for each core', () => {
  expect(readConfig({ QUIRE_WORKERS: 'auto' }).workers).toBe(availableParallelism())
})

test('in production every request is logged', () => {
  expect(readConfig({ NODE_ENV: 'production' }).log).toBe('info')
})

test('the caches can be sized, also to 0', () => {
  expect(readConfig({ QUIRE_CACHE_MB: '16' }).store).toEqual({ kind: 'sqlite', file: '.quire/library.db', cacheBytes: 16_777_216 })
  expect(readConfig({ QUIRE_QUERY_THREADS: '3' }).store).toEqual({ kind: 'sqlite', file: '.quire/library.db', queryThreads: 3 })
  expect(readConfig({ QUIRE_CACHE_MB: '0' }).store).toEqual({ kind: 'sqlite', file: '.quire/library.db', cacheBytes: 0 })
})

test('the default schema is the sample library', () => {
  expect(readConfig({}).schemaFolder).toBe(resolve('schema/library'))
})

test.each<[NodeJS.ProcessEnv, RegExp]>([
  [{ PORT: 'http' }, /^PORT is "http".*0 to 65535/],
  [{ PORT: '65536' }, /^PORT is "65536".*0 to 65535/],
  [{ PORT: '' }, /^PORT is "".*0 to 65535/],
  [{ QUIRE_WORKERS: '0' }, /^QUIRE_WORKERS is "0".*1 to 256.*auto/],
  [{ QUIRE_WORKERS: '2.5' }, /^QUIRE_WORKERS is "2.5".*1 to 256.*auto/],
  [{ QUIRE_WORKERS: 'many' }, /^QUIRE_WORKERS is "many".*1 to 256.*auto/],
  [{ QUIRE_STORE: 'sqlite' }, /^QUIRE_STORE is "sqlite".*memory, sqlite:PATH, .* or .*/],
  [{ QUIRE_STORE: 'sqlite:' }, /^QUIRE_STORE is "sqlite:".*memory, sqlite:PATH, .* or .*/],
  [{ QUIRE_CACHE_MB: 'much' }, /^QUIRE_CACHE_MB is "much".*megabytes/],
  [{ QUIRE_CACHE_MB: '-1' }, /^QUIRE_CACHE_MB is "-1".*megabytes/],
  [{ QUIRE_CACHE_MB: '0x10' }, /^QUIRE_CACHE_MB is "0x10".*megabytes/],
  [{ QUIRE_BUDGET_CHARGE: 'Infinity' }, /^QUIRE_BUDGET_CHARGE is "Infinity".*none/],
  [{ QUIRE_CACHE_MB: '-1', QUIRE_STORE: 'memory' }, /^QUIRE_CACHE_MB is "-1".*megabytes/],
  [{ QUIRE_CACHE_MB: '-1', QUIRE_STORE: 'cosmos' }, /^QUIRE_CACHE_MB is "-1".*megabytes/],
  [{ QUIRE_EFFECTS: 'later' }, /^QUIRE_EFFECTS is "later".*together or feed/],
  [{ QUIRE_TENANTS: 'acme and others' }, /^QUIRE_TENANTS is "acme and others".*claim/],
  [{ QUIRE_PAGES: 'some' }, /^QUIRE_PAGES is "some".*open or closed/],
  [{ QUIRE_METRICS: 'yes' }, /^QUIRE_METRICS is "yes".*open or closed/],
  [{ QUIRE_LOG: 'loud' }, /^QUIRE_LOG is "loud".*debug, info, warn, error or silent/],
  [{ QUIRE_ORIGINS: 'shop.example' }, /^QUIRE_ORIGINS: "shop\.example".*https:\/\/shop\.example/],
  [{ QUIRE_ORIGINS: 'https://a.example,https://b.example/' }, /^QUIRE_ORIGINS: "https:\/\/b\.example\/"/],
  [{ QUIRE_ORIGINS: '*' }, /^QUIRE_ORIGINS: "\*"/],
  [{ QUIRE_ORIGINS: 'null' }, /^QUIRE_ORIGINS: "null"/],
  [{ QUIRE_LIMITS: 'depth=deep' }, /^QUIRE_LIMITS: "depth=deep".*tokens=5000, depth=30/],
  [{ QUIRE_LIMITS: 'height=3' }, /^QUIRE_LIMITS: "height=3".*tokens=5000, depth=30/],
  [{ QUIRE_BUDGET_CHARGE: 'much' }, /^QUIRE_BUDGET_CHARGE is "much".*number, or none/],
  [{ QUIRE_BUDGET_ROUND_TRIPS: '-1' }, /^QUIRE_BUDGET_ROUND_TRIPS is "-1".*number, or none/],
  [{ QUIRE_JWKS: 'http://keys.example/jwks', QUIRE_ISSUER: 'i', QUIRE_AUDIENCE: 'a' }, /^QUIRE_JWKS is "http:\/\/keys\.example\/jwks".*https/],
  [{ QUIRE_JWKS: 'ftp://keys.example/jwks', QUIRE_ISSUER: 'i', QUIRE_AUDIENCE: 'a' }, /^QUIRE_JWKS is "ftp:\/\/keys\.example\/jwks".*https/],
  [{ QUIRE_JWKS: 'https://', QUIRE_ISSUER: 'i', QUIRE_AUDIENCE: 'a' }, /^QUIRE_JWKS is "https:\/\/"/],
  [{ QUIRE_JWKS: 'keys.json', QUIRE_AUDIENCE: 'a' }, /QUIRE_ISSUER is not.*iss/],
  [{ QUIRE_JWKS: 'keys.json', QUIRE_ISSUER: 'i' }, /QUIRE_AUDIENCE is not.*aud/],
  [{ QUIRE_AUDIENCE: 'a' }, /^QUIRE_AUDIENCE is set and QUIRE_JWKS is not/],
  [{ QUIRE_ROLES_CLAIM: 'groups' }, /^QUIRE_ROLES_CLAIM is set and QUIRE_JWKS is not/],
  [{ QUIRE_DEADLINE_MS: '0' }, /^QUIRE_DEADLINE_MS is "0".*milliseconds from 1 to/],
  [{ QUIRE_DEADLINE_MS: '9999999999' }, /^QUIRE_DEADLINE_MS is "9999999999".* to 2147483647/],
  [{ QUIRE_MOST_OPERATIONS: '1.5' }, /^QUIRE_MOST_OPERATIONS is "1\.5".*operations from 1 to/],
  [{ QUIRE_MOST_SUBSCRIPTIONS: '-1' }, /^QUIRE_MOST_SUBSCRIPTIONS is "-1".*subscriptions from 0 to/],
  [{ QUIRE_CHARGE_PER_MINUTE: '0' }, /^QUIRE_CHARGE_PER_MINUTE is "0".*RU.*above 0/],
  [{ QUIRE_PROXIES: 'yes' }, /^QUIRE_PROXIES is "yes".*proxies from 0 to/],
  [{ QUIRE_DRAIN_MS: '10000' }, /^QUIRE_DRAIN_MS is "10000".*milliseconds from 0 to 9000/],
  [{ QUIRE_STRATEGY: 'fast' }, /^QUIRE_STRATEGY is "fast".*naive/],
])('%o is rejected, with the variable, the value and what to write', (env, message) => {
  expect(() => readConfig(env)).toThrow(expect.objectContaining({ name: 'ConfigError', message: expect.stringMatching(message) }))
})

test('an empty variable counts as not set', () => {
  const empty = Object.fromEntries(Object.values(settings).map(({ variable }) => [variable, '']).filter(([variable]) => variable !== 'PORT' && variable !== 'QUIRE_STORE'))
  expect(readConfig(empty)).toEqual(readConfig({}))
})

describe('a config file', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-config-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const write = (config: unknown, name = configFileName) => writeFileSync(join(folder, name), typeof config === 'string' ? config : JSON.stringify(config))

  test('has a name for each environment variable, and its paths are relative to its folder', async () => {
    write({
      port: 4001, host: '::1', store: 'sqlite:data/my.db', schema: './sdl', effects: 'feed', strategy: 'naive', pages: 'closed',
      cosmosEndpoint: 'https://mine.documents.azure.com', cosmosDatabase: 'other', cosmosCreate: 'no',
    })
    expect(await settledEnvironment({ PATH: '/bin' }, {}, folder)).toEqual({
      PATH: '/bin', PORT: '4001', HOST: '::1', QUIRE_STORE: `sqlite:${join(folder, 'data/my.db')}`, QUIRE_SCHEMA: join(folder, 'sdl'), QUIRE_EFFECTS: 'feed',
      QUIRE_STRATEGY: 'naive', QUIRE_PAGES: 'closed', COSMOS_ENDPOINT: 'https://mine.documents.azure.com', COSMOS_DATABASE: 'other', COSMOS_CREATE: 'no',
    })
  })

  test('is overridden by the environment, which options override', async () => {
    write({ port: 1, host: 'file', store: 'memory' })
    const env = { PORT: '2', HOST: 'environment', QUIRE_STORE: '' }
    expect(await settledEnvironment(env, { port: '3', development: true }, folder)).toEqual({ PORT: '3', HOST: 'environment', QUIRE_STORE: 'memory' })
    expect(env).toEqual({ PORT: '2', HOST: 'environment', QUIRE_STORE: '' })
  })

  test('is optional, unless --config names it', async () => {
    expect(await settledEnvironment({}, {}, folder)).toEqual({})
    write({ port: 5 }, 'other.json')
    expect(await settledEnvironment({}, { config: 'other.json' }, folder)).toEqual({ PORT: '5' })
    await expect(settledEnvironment({}, { config: 'none.json' }, folder)).rejects.toThrow(join(basename(folder), 'none.json'))
  })

  test('may be a module, which is read again when it has changed', async () => {
    write(`export default ${JSON.stringify({ port: 6, schema: 'sdl' })} satisfies object`, 'quire.config.ts')
    expect(await settledEnvironment({}, {}, folder)).toEqual({ PORT: '6', QUIRE_SCHEMA: join(folder, 'sdl') })
    write('export default { port: 7 }', 'quire.config.ts')
    utimesSync(join(folder, 'quire.config.ts'), 1, 1)
    expect(await settledEnvironment({}, {}, folder)).toEqual({ PORT: '7' })
    write('export const port = 8', 'quire.config.ts')
    await expect(settledEnvironment({}, {}, folder)).rejects.toThrow(/quire\.config\.ts has no settings.*defineConfig/)
    write({ port: 9 })
    await expect(settledEnvironment({}, {}, folder)).rejects.toThrow(/two config files, quire\.config\.json and quire\.config\.ts/)
    write('throw new Error("on purpose")', 'other.mjs')
    await expect(settledEnvironment({}, { config: 'other.mjs' }, folder)).rejects.toThrow(/other\.mjs cannot be loaded: .*on purpose/)
  })

  test.each(['cjs', 'mts', 'cts'])('is not ignored when it ends in .%s', async (ending) => {
    write('module.exports = {}', `quire.config.${ending}`)
    await expect(settledEnvironment({}, {}, folder)).rejects.toThrow(new RegExp(`quire\\.config\\.${ending} is not read.*quire\\.config\\.json, quire\\.config\\.ts, `))
  })

  test.each<[unknown, RegExp]>([
    [{ stroe: 'memory' }, /^: .*"stroe".*"store"/],
    [{ QUIRE_STORE: 'memory' }, /^: .*"QUIRE_STORE".*"store"/],
    [{ toString: 'x' }, new RegExp(`^: .*"toString".*${Object.keys(settings).join(', ')}`)],
    [{ cosmosKey: 'abc' }, /^: .*"cosmosKey".*COSMOS_KEY in the environment/],
    [{ port: 'http' }, /^: port is "http".*0 to 65535/],
    [{ port: 70_000 }, /^: port is "70000".*0 to 65535/],
    [{ port: true }, /^: port is true.*string or a number/],
    [{ host: null }, /^: host is null.*string\./],
    [{ schema: '' }, /^: schema is ""/],
    [{ store: 'mongo' }, /^: store is "mongo".*memory, sqlite:PATH, .* or .*/],
    [{ effects: 'later' }, /^: effects is "later".*together or feed/],
    [{ cosmosEndpoint: 'mine' }, /^: cosmosEndpoint is "mine".*https:\/\/NAME\.documents\.azure\.com/],
    ['[1]', /^ is not a JSON object.*"store": "sqlite:PATH"/],
    ['{\n  "port":\n}', /^ is not JSON: Unexpected token '}'/],
  ])('%j is rejected, with the file, the name and what to write', async (config, problem) => {
    write(config)
    // The path as it is printed: relative where the checkout is beside the folder, absolute elsewhere.
    const file = join(basename(folder), configFileName)
    await expect(settledEnvironment({}, {}, folder)).rejects.toThrow(expect.objectContaining({ name: 'ConfigError', message: expect.stringMatching(new RegExp(`^\\S*${RegExp.escape(file)}${problem.source.slice(1)}`)) }))
  })
})

test('defineConfig knows each setting, and no other', () => {
  const names: { [Name in keyof QuireConfig]-?: true } = {
    audience: true, budgetCharge: true, budgetRoundTrips: true, cacheMb: true, chargePerMinute: true, cosmosCreate: true, cosmosDatabase: true,
    cosmosEndpoint: true, deadlineMs: true, drainMs: true, effects: true, host: true, idClaim: true, issuer: true, jwks: true, limits: true, log: true,
    metrics: true, mostOperations: true, mostSubscriptions: true, mostSubscriptionsPerCaller: true, allowedHosts: true, origins: true, pages: true, port: true, proxies: true, queryThreads: true, record: true, rolesClaim: true,
    schema: true, store: true, strategy: true, tenants: true, trustedDocuments: true, workers: true,
  }
  expect(Object.keys(names).toSorted()).toEqual(Object.keys(settings).toSorted())
  expect(defineConfig({ port: 4001 })).toEqual({ port: 4001 })
})

test('defineConfig knows the values of each setting: what the compiler accepts, Quire reads, and what it rejects, Quire rejects', async () => {
  const accepted: QuireConfig = {
    port: 4001, workers: 'auto', host: '::1', schema: 'sdl', store: 'memory', effects: 'feed', strategy: 'naive', pages: 'open', metrics: 'closed', log: 'debug', origins: 'https://shop.example', limits: 'depth=5',
    cacheMb: 1, budgetCharge: 'none', budgetRoundTrips: 5, drainMs: 0, deadlineMs: 5000, chargePerMinute: 10, cosmosCreate: 'no', jwks: 'keys.json',
  }
  const rejected: QuireConfig[] = [
    // @ts-expect-error
    { store: 5 },
    // @ts-expect-error
    { effects: 'sometimes' },
    // @ts-expect-error
    { log: 'verbose' },
    // @ts-expect-error
    { pages: 'yes' },
    // @ts-expect-error
    { strategy: 'batched' },
    // @ts-expect-error
    { port: 'http' },
    // @ts-expect-error
    { budgetCharge: 'much' },
    // @ts-expect-error
    { deadlineMs: 'soon' },
    // @ts-expect-error
    { cosmosCreate: 'maybe' },
    // @ts-expect-error
    { stroe: 'memory' },
  ]
  const folder = mkdtempSync(join(tmpdir(), 'quire-define-'))
  const read = async (config: QuireConfig) => {
    writeFileSync(join(folder, configFileName), JSON.stringify(config))
    return settledEnvironment({}, {}, folder)
  }
  expect(Object.keys(await read(accepted))).toHaveLength(Object.keys(accepted).length)
  for (const config of rejected) await expect(read(config)).rejects.toThrow(ConfigError)
  rmSync(folder, { recursive: true })
})

test('docs/settings.md has a row for each setting, and no other', () => {
  const rows = [...readFileSync('docs/settings.md', 'utf8').matchAll(/^\| `(\w+)` \| `([A-Z_]+)` \|/gm)].map(([, name, variable]) => `${name} ${variable}`)
  expect(rows.toSorted()).toEqual(Object.entries(settings).map(([name, { variable }]) => `${name} ${variable}`).toSorted())
})
