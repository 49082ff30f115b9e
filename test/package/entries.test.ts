// What the package exports at run time: exactly these names. api.test.ts holds the types.

import { globSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { entries, manifest } from '../../package/manifest.ts'
import { storeKinds } from '../../src/store/open-store.ts'

const values: Readonly<Record<string, readonly string[]>> = {
  // What opens the store of each kind.
  ...Object.fromEntries(Object.keys(storeKinds).map((kind) => [`./${kind}`, [`open${kind[0]!.toUpperCase()}${kind.slice(1)}Store`]])),
  '.': [
    'ClientVisibleError', 'ConfigError', 'DeclarationError', 'IdentityUnavailableError', 'MigrationNeededError', 'SetupError', 'StoreUnavailableError', 'badInput', 'clientError', 'createGateway',
    'createJwtIdentity', 'createLog', 'defineConfig', 'invalidToken', 'readSchemaFolder', 'recordToFile',
  ],
  './memory': ['Memory', 'openMemoryStore'],
  './cosmos/read-many': ['openReadMany'],
  './cosmos/change-feed': ['SetupError', 'createChangeFeedProcessor'],
  './store': ['ConflictError', 'InDoubtError', 'SetupError', 'StoreUnavailableError', 'TooLargeError'],
  './testing': ['openTestGateway', 'startCosmosEmulator'],
  './testing/store': ['conformance'],
}

test('each entry has a file, and each file in entries/ is an entry', () => {
  expect(Object.keys(entries).toSorted()).toEqual(Object.keys(values).toSorted())
  expect(Object.values(entries).map((file) => `${file}.ts`).toSorted()).toEqual(['src/index.ts', 'test/store/conformance/index.ts', ...globSync('src/entries/*.ts')].toSorted())
})

describe.each(Object.entries(entries))('%s', (name, file) => {
  test('exports what is meant for users, and nothing else', async () => {
    expect(Object.keys((await import(/* @vite-ignore */ pathToFileURL(`${file}.ts`).href)) as object).toSorted()).toEqual([...values[name]!].toSorted())
  })
})

test('the manifest names what is published and asks for one copy of graphql', () => {
  expect(manifest('.')).toMatchObject({
    name: 'quire-graphql', type: 'module', bin: { quire: 'bin/quire.js' },
    dependencies: { 'graphql-yoga': expect.any(String) }, peerDependencies: { graphql: expect.stringMatching(/^\^16/) },
  })
  expect(manifest('.')).not.toHaveProperty('dependencies.graphql')
  expect(manifest('.')).not.toHaveProperty('optionalDependencies')
  expect(manifest('.')).not.toHaveProperty('devDependencies')
})
