// Settings and their mistakes: each has one line that says what to write.

import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '../src/config.ts'

test('nothing has to be set', () => {
  expect(readConfig({})).toEqual({
    port: 4000,
    host: '127.0.0.1',
    development: true,
    store: { kind: 'sqlite', file: '.quire/library.db' },
    schemaFolder: resolve('schema/library'),
    shipped: true,
    strategy: 'gathered',
    effects: 'together',
  })
})

test('everything can be set', () => {
  const env = { PORT: '0', HOST: '::1', NODE_ENV: 'production', QUIRE_STORE: 'memory', QUIRE_SCHEMA: 'elsewhere', QUIRE_STRATEGY: 'naive', QUIRE_EFFECTS: 'feed', QUIRE_PAGES: 'open' }
  expect(readConfig(env)).toEqual({
    port: 0, host: '::1', development: false, store: { kind: 'memory' }, schemaFolder: resolve('elsewhere'), shipped: false, strategy: 'naive', effects: 'feed', openPages: true,
  })
})

test('what a SQLite store remembers can be set, also to nothing', () => {
  expect(readConfig({ QUIRE_CACHE_MB: '16' }).store).toEqual({ kind: 'sqlite', file: '.quire/library.db', cacheBytes: 16_777_216 })
  expect(readConfig({ QUIRE_CACHE_MB: '0' }).store).toEqual({ kind: 'sqlite', file: '.quire/library.db', cacheBytes: 0 })
})

test('the shipped schema is known by its folder, however it is named', () => {
  expect(readConfig({ QUIRE_SCHEMA: 'schema/library' }).shipped).toBe(true)
})

test.each([
  [{ PORT: 'http' }, 'PORT is "http". Give a number from 0 to 65535.'],
  [{ PORT: '65536' }, 'PORT is "65536". Give a number from 0 to 65535.'],
  [{ PORT: '' }, 'PORT is "". Give a number from 0 to 65535.'],
  [{ QUIRE_STORE: 'sqlite' }, 'QUIRE_STORE is "sqlite". Write memory, sqlite:PATH or cosmos.'],
  [{ QUIRE_STORE: 'sqlite:' }, 'QUIRE_STORE is "sqlite:". Write memory, sqlite:PATH or cosmos.'],
  [{ QUIRE_CACHE_MB: 'much' }, 'QUIRE_CACHE_MB is "much". Give a number of megabytes, 0 to remember nothing.'],
  [{ QUIRE_CACHE_MB: '-1' }, 'QUIRE_CACHE_MB is "-1". Give a number of megabytes, 0 to remember nothing.'],
  [{ QUIRE_EFFECTS: 'later' }, 'QUIRE_EFFECTS is "later". Write together or feed, or leave it out.'],
  [{ QUIRE_PAGES: 'some' }, 'QUIRE_PAGES is "some". Write open or closed, or leave it out.'],
  [{ QUIRE_STRATEGY: 'fast' }, 'QUIRE_STRATEGY is "fast". Write naive, or leave it out.'],
])('%o is refused', (env, message) => {
  expect(() => readConfig(env)).toThrow(new ConfigError(message))
})
