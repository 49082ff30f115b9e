// Settings, and the one-line message for each mistake in them.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError, readConfig, settings } from '../../src/config.ts'
import { configFileName, settledEnvironment } from '../../src/serve/config-file.ts'

test('nothing has to be set', () => {
  expect(readConfig({})).toEqual({
    port: 4000,
    host: '127.0.0.1',
    development: true,
    store: { kind: 'sqlite', file: '.quire/library.db' },
    schemaFolder: resolve('schema/library'),
    strategy: 'gathered',
    effects: 'together',
    logLevel: 'warn',
    load: { deadlineMs: 30_000, operations: 250, subscriptions: 1000, proxies: 0 },
    drainMs: 0,
  })
})

test('everything can be set', () => {
  const env = { PORT: '0', HOST: '::1', NODE_ENV: 'production', QUIRE_STORE: 'memory', QUIRE_SCHEMA: 'elsewhere', QUIRE_STRATEGY: 'naive', QUIRE_EFFECTS: 'feed', QUIRE_TENANTS: 'https://example.com/tenant', QUIRE_PAGES: 'open', QUIRE_METRICS: 'closed', QUIRE_LOG: 'error', QUIRE_RECORD: 'workload.json',
    QUIRE_ORIGINS: 'https://shop.example, http://localhost:5173', QUIRE_LIMITS: 'depth=12, tokens=900', QUIRE_BUDGET_CHARGE: 'none', QUIRE_BUDGET_ROUND_TRIPS: '40', QUIRE_TRUSTED_DOCUMENTS: 'persisted-documents.json',
    QUIRE_DEADLINE_MS: '5000', QUIRE_MOST_OPERATIONS: '10', QUIRE_MOST_SUBSCRIPTIONS: '0', QUIRE_CHARGE_PER_MINUTE: '2.5', QUIRE_PROXIES: '2', QUIRE_DRAIN_MS: '3000', QUIRE_ANSWERS_MB: '1' }
  expect(readConfig(env)).toEqual({
    port: 0, host: '::1', development: false, store: { kind: 'memory' }, schemaFolder: resolve('elsewhere'), strategy: 'naive', effects: 'feed', tenantClaim: 'https://example.com/tenant', openPages: true,
    openMetrics: false, logLevel: 'error', record: 'workload.json', origins: ['https://shop.example', 'http://localhost:5173'], limits: { depth: 12, tokens: 900 },
    budget: { requestCharge: Infinity, roundTrips: 40 }, trustedDocuments: 'persisted-documents.json', load: { deadlineMs: 5000, operations: 10, subscriptions: 0, chargePerMinute: 2.5, proxies: 2 }, drainMs: 3000, answerBytes: 1_048_576,
  })
})

test('tokens identify viewers, by the default claims unless the settings name others', () => {
  const env = { QUIRE_JWKS: 'https://login.example/keys', QUIRE_ISSUER: 'https://login.example', QUIRE_AUDIENCE: 'library' }
  expect(readConfig(env).identity).toEqual({ jwks: env.QUIRE_JWKS, issuer: env.QUIRE_ISSUER, audience: 'library', claims: { id: 'sub', roles: 'roles', tenant: undefined } })
  expect(readConfig({ ...env, QUIRE_JWKS: 'keys.json', QUIRE_ID_CLAIM: 'oid', QUIRE_ROLES_CLAIM: 'groups', QUIRE_TENANTS: 'tid' }).identity)
    .toMatchObject({ jwks: resolve('keys.json'), claims: { id: 'oid', roles: 'groups', tenant: 'tid' } })
  expect(readConfig({ ...env, QUIRE_JWKS: 'http://127.0.0.1:8080/keys' }).identity?.jwks).toBe('http://127.0.0.1:8080/keys')
})

test('in production every request is logged', () => {
  expect(readConfig({ NODE_ENV: 'production' }).logLevel).toBe('info')
})

test('the caches can be sized, also to 0', () => {
  expect(readConfig({ QUIRE_CACHE_MB: '16' }).store).toEqual({ kind: 'sqlite', file: '.quire/library.db', cacheBytes: 16_777_216 })
  expect(readConfig({ QUIRE_ANSWERS_MB: '0' }).answerBytes).toBe(0)
  expect(readConfig({ QUIRE_CACHE_MB: '0' }).store).toEqual({ kind: 'sqlite', file: '.quire/library.db', cacheBytes: 0 })
})

test('the default schema is the sample library', () => {
  expect(readConfig({}).schemaFolder).toBe(resolve('schema/library'))
})

test.each([
  [{ PORT: 'http' }, 'PORT is "http". Give a number from 0 to 65535.'],
  [{ PORT: '65536' }, 'PORT is "65536". Give a number from 0 to 65535.'],
  [{ PORT: '' }, 'PORT is "". Give a number from 0 to 65535.'],
  [{ QUIRE_STORE: 'sqlite' }, 'QUIRE_STORE is "sqlite". Write memory, sqlite:PATH or cosmos.'],
  [{ QUIRE_STORE: 'sqlite:' }, 'QUIRE_STORE is "sqlite:". Write memory, sqlite:PATH or cosmos.'],
  [{ QUIRE_CACHE_MB: 'much' }, 'QUIRE_CACHE_MB is "much". Give a number of megabytes, 0 to remember nothing.'],
  [{ QUIRE_ANSWERS_MB: 'all' }, 'QUIRE_ANSWERS_MB is "all". Give a number of megabytes, 0 to remember nothing.'],
  [{ QUIRE_CACHE_MB: '-1' }, 'QUIRE_CACHE_MB is "-1". Give a number of megabytes, 0 to remember nothing.'],
  [{ QUIRE_EFFECTS: 'later' }, 'QUIRE_EFFECTS is "later". Write together or feed, or leave it out.'],
  [{ QUIRE_TENANTS: 'acme and others' }, 'QUIRE_TENANTS is "acme and others". Name the claim of a token that says which tenant someone is of, such as tenant, or leave it out.'],
  [{ QUIRE_PAGES: 'some' }, 'QUIRE_PAGES is "some". Write open or closed, or leave it out.'],
  [{ QUIRE_METRICS: 'yes' }, 'QUIRE_METRICS is "yes". Write open or closed, or leave it out.'],
  [{ QUIRE_LOG: 'loud' }, 'QUIRE_LOG is "loud". Write debug, info, warn, error or silent, or leave it out.'],
  [{ QUIRE_ORIGINS: 'shop.example' }, 'QUIRE_ORIGINS: "shop.example" is no origin. Write them as browsers do, with commas between: https://shop.example, http://localhost:5173.'],
  [{ QUIRE_ORIGINS: 'https://a.example,https://b.example/' }, 'QUIRE_ORIGINS: "https://b.example/" is no origin. Write them as browsers do, with commas between: https://shop.example, http://localhost:5173.'],
  [{ QUIRE_ORIGINS: '*' }, 'QUIRE_ORIGINS: "*" is no origin. Write them as browsers do, with commas between: https://shop.example, http://localhost:5173.'],
  [{ QUIRE_ORIGINS: 'null' }, 'QUIRE_ORIGINS: "null" is no origin. Write them as browsers do, with commas between: https://shop.example, http://localhost:5173.'],
  [{ QUIRE_LIMITS: 'depth=deep' }, 'QUIRE_LIMITS: "depth=deep" is no limit. Write some of bodyBytes=100000, tokens=5000, depth=30, nesting=100, fields=2000, aliases=200, repeats=100, directives=100.'],
  [{ QUIRE_LIMITS: 'height=3' }, 'QUIRE_LIMITS: "height=3" is no limit. Write some of bodyBytes=100000, tokens=5000, depth=30, nesting=100, fields=2000, aliases=200, repeats=100, directives=100.'],
  [{ QUIRE_BUDGET_CHARGE: 'much' }, 'QUIRE_BUDGET_CHARGE is "much". Give a number, or none for no budget.'],
  [{ QUIRE_BUDGET_ROUND_TRIPS: '-1' }, 'QUIRE_BUDGET_ROUND_TRIPS is "-1". Give a number, or none for no budget.'],
  [{ QUIRE_JWKS: 'http://keys.example/jwks', QUIRE_ISSUER: 'i', QUIRE_AUDIENCE: 'a' }, 'QUIRE_JWKS is "http://keys.example/jwks". Give an https address, or a file; http only on this machine.'],
  [{ QUIRE_JWKS: 'ftp://keys.example/jwks', QUIRE_ISSUER: 'i', QUIRE_AUDIENCE: 'a' }, 'QUIRE_JWKS is "ftp://keys.example/jwks". Give an https address, or a file; http only on this machine.'],
  [{ QUIRE_JWKS: 'https://', QUIRE_ISSUER: 'i', QUIRE_AUDIENCE: 'a' }, 'QUIRE_JWKS is "https://". Give an https address, or a file; http only on this machine.'],
  [{ QUIRE_JWKS: 'keys.json', QUIRE_AUDIENCE: 'a' }, 'QUIRE_JWKS is set, and QUIRE_ISSUER is not. Name who issues the tokens, as their iss claim does.'],
  [{ QUIRE_JWKS: 'keys.json', QUIRE_ISSUER: 'i' }, 'QUIRE_JWKS is set, and QUIRE_AUDIENCE is not. Name whom the tokens are for, as their aud claim does.'],
  [{ QUIRE_AUDIENCE: 'a' }, 'QUIRE_AUDIENCE is set, and QUIRE_JWKS is not. Say where the keys of tokens are, or leave both out.'],
  [{ QUIRE_DEADLINE_MS: '0' }, 'QUIRE_DEADLINE_MS is "0". Give a number of milliseconds, 1 or more.'],
  [{ QUIRE_DEADLINE_MS: '9999999999' }, 'QUIRE_DEADLINE_MS is "9999999999". Give a number of milliseconds, 1 or more, and at most 2147483647.'],
  [{ QUIRE_MOST_OPERATIONS: '1.5' }, 'QUIRE_MOST_OPERATIONS is "1.5". Give a number of operations, 1 or more.'],
  [{ QUIRE_MOST_SUBSCRIPTIONS: '-1' }, 'QUIRE_MOST_SUBSCRIPTIONS is "-1". Give a number of subscriptions, 0 or more.'],
  [{ QUIRE_CHARGE_PER_MINUTE: '0' }, 'QUIRE_CHARGE_PER_MINUTE is "0". Give the request charge that a caller may cause in a minute, above 0, or leave it out.'],
  [{ QUIRE_PROXIES: 'yes' }, 'QUIRE_PROXIES is "yes". Give a number of proxies, 0 or more.'],
  [{ QUIRE_DRAIN_MS: '10000' }, 'QUIRE_DRAIN_MS is "10000". Give at most 9000 milliseconds: after 10 seconds everything has ended.'],
  [{ QUIRE_STRATEGY: 'fast' }, 'QUIRE_STRATEGY is "fast". Write naive, or leave it out.'],
])('%o is refused', (env, message) => {
  expect(() => readConfig(env)).toThrow(new ConfigError(message))
})

describe('a config file', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-config-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const write = (config: unknown, name = configFileName) => writeFileSync(join(folder, name), typeof config === 'string' ? config : JSON.stringify(config))

  test('has a name for each environment variable, and its paths are relative to its folder', () => {
    write({
      port: 4001, host: '::1', store: 'sqlite:data/my.db', schema: './sdl', effects: 'feed', strategy: 'naive', pages: 'closed',
      cosmosEndpoint: 'https://mine.documents.azure.com', cosmosDatabase: 'other', cosmosCreate: 'no',
    })
    expect(settledEnvironment({ PATH: '/bin' }, {}, folder)).toEqual({
      PATH: '/bin', PORT: '4001', HOST: '::1', QUIRE_STORE: `sqlite:${join(folder, 'data/my.db')}`, QUIRE_SCHEMA: join(folder, 'sdl'), QUIRE_EFFECTS: 'feed',
      QUIRE_STRATEGY: 'naive', QUIRE_PAGES: 'closed', COSMOS_ENDPOINT: 'https://mine.documents.azure.com', COSMOS_DATABASE: 'other', COSMOS_CREATE: 'no',
    })
  })

  test('is overridden by the environment, which options override', () => {
    write({ port: 1, host: 'file', store: 'memory' })
    const env = { PORT: '2', HOST: 'environment', QUIRE_STORE: '' }
    expect(settledEnvironment(env, { port: '3', development: true }, folder)).toEqual({ PORT: '3', HOST: 'environment', QUIRE_STORE: 'memory' })
    expect(env).toEqual({ PORT: '2', HOST: 'environment', QUIRE_STORE: '' })
  })

  test('is optional, unless --config names it', () => {
    expect(settledEnvironment({}, {}, folder)).toEqual({})
    write({ port: 5 }, 'other.json')
    expect(settledEnvironment({}, { config: 'other.json' }, folder)).toEqual({ PORT: '5' })
    expect(() => settledEnvironment({}, { config: 'none.json' }, folder)).toThrow(new ConfigError(`There is no config file ${join(folder, 'none.json')}. Check the path, or write one with "quire init".`))
  })

  test.each<[unknown, string]>([
    [{ stroe: 'memory' }, ': there is no setting "stroe". Did you mean "store"?'],
    [{ QUIRE_STORE: 'memory' }, ': there is no setting "QUIRE_STORE". Did you mean "store"?'],
    [{ toString: 'x' }, `: there is no setting "toString". The settings are ${Object.keys(settings).join(', ')}.`],
    [{ cosmosKey: 'abc' }, ': there is no setting "cosmosKey". A secret does not belong in a file: set COSMOS_KEY in the environment.'],
    [{ port: 'http' }, ': port is "http". Give a number from 0 to 65535.'],
    [{ port: 70_000 }, ': port is "70000". Give a number from 0 to 65535.'],
    [{ port: true }, ': port is true. Give a string or a number.'],
    [{ host: null }, ': host is null. Give a string.'],
    [{ schema: '' }, ': schema is "". Give a value, or leave it out.'],
    [{ store: 'mongo' }, ': store is "mongo". Write memory, sqlite:PATH or cosmos.'],
    [{ effects: 'later' }, ': effects is "later". Write together or feed, or leave it out.'],
    [{ cosmosEndpoint: 'mine' }, ': cosmosEndpoint is "mine". Give an address such as https://NAME.documents.azure.com.'],
    ['[1]', ' is not a JSON object. Write { "store": "sqlite:PATH", "schema": "FOLDER" }.'],
    ['{\n  "port":\n}', " is not JSON: Unexpected token '}', \"{ \"port\": }\" is not valid JSON."],
  ])('%j is refused', (config, problem) => {
    write(config)
    expect(() => settledEnvironment({}, {}, folder)).toThrow(new ConfigError(`${join(folder, configFileName)}${problem}`))
  })

  test('and the environment have the same settings, which docs/settings.md lists', () => {
    const page = readFileSync('docs/settings.md', 'utf8')
    for (const [key, { variable }] of Object.entries(settings)) expect(page).toMatch(new RegExp(`^\\| .*\`${key}\`.*\\| .*\`${variable}\`.*\\|`, 'm'))
  })
})
