// The table of stores: a setting as text names one kind, which reads it.

import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError } from '../../src/errors.ts'
import { kindNamed, kindOf, storeKinds, storeSyntax } from '../../src/store/open-store.ts'
import { stores } from '../harness.ts'

test('each kind is named by its own syntax and by what quire init writes', () => {
  for (const kind of Object.values(storeKinds)) {
    expect(kindNamed(kind.syntax, '--store')).toBe(kind)
    expect(kindNamed(kind.choice.text, '--store')).toBe(kind)
  }
})

test.each(['', 'sqlite', 'sqlite:', 'Memory', 'cosmos:x', 'mongo'])('"%s" names no kind, and the error lists them', (text) => {
  expect(() => kindNamed(text, '--store')).toThrow(new ConfigError(`--store is "${text}". Write ${storeSyntax}.`))
})

test('a relative path in a setting starts in the folder of the config file', () => {
  expect(kindNamed('sqlite:data/my.db', 'store').within?.('sqlite:data/my.db', '/home/me')).toBe(`sqlite:${resolve('/home/me/data/my.db')}`)
})

test('the key of an Azure account is a secret, and a command creates no database', () => {
  const setting = storeKinds.cosmos.read('cosmos', { COSMOS_ENDPOINT: 'https://mine.documents.azure.com', COSMOS_KEY: 'c2VjcmV0' }, {})
  expect(setting).toEqual({ kind: 'cosmos', endpoint: 'https://mine.documents.azure.com', key: 'c2VjcmV0', database: 'quire', create: true })
  expect(kindOf(setting).secrets?.(setting)).toEqual(['c2VjcmV0'])
  expect(kindOf(setting).existing?.(setting)).toEqual({ ...setting, create: false })
})

test('the address of a PostgreSQL database has parameters of the store and of the driver, and a password that is a secret', () => {
  const setting = storeKinds.postgres.read('postgres://me:p%40ss@db:5433/zoo?schema=cages&sslmode=require&pool=3&prepare=false', {}, {})
  expect(setting).toEqual({ kind: 'postgres', url: 'postgres://me:p%40ss@db:5433/zoo?sslmode=require', schema: 'cages', pool: 3, prepare: false })
  expect(kindOf(setting).secrets?.(setting)).toEqual(['p%40ss', 'p@ss'])
  expect(kindOf(setting).existing?.(setting)).toEqual({ ...setting, create: false })
})

test.each(['postgres://db', 'postgres://db/', 'postgres://db/zoo?pool=0', 'postgres://db/zoo?pool=many', 'postgres://db/zoo?schema=', 'postgres://db/zoo?schema=pg_x', 'postgres://db/zoo?prepare=no'])('%s is no address of a PostgreSQL store', (text) => {
  expect(() => storeKinds.postgres.read(text, {}, {})).toThrow(ConfigError)
})

test('a command finds no SQLite store where there is no file', () => {
  expect(() => storeKinds.sqlite.existing?.({ kind: 'sqlite', file: 'missing/documents.db' })).toThrow('There is no store at missing/documents.db.')
})

test('what the table says of a kind is what its stores support', async () => {
  for (const { name, store: open } of stores) {
    const { atomic, durable } = storeKinds[name as keyof typeof storeKinds]
    const store = await open([])
    expect(store.supports, name).toMatchObject({ atomic, durable })
    await store.close()
  }
})
