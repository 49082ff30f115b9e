// What the package exports: exactly these names, each with a comment that shows how to use it.

import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { entries, manifest } from '../../package/manifest.ts'

const values: Readonly<Record<string, readonly string[]>> = {
  '.': ['ConfigError', 'DeclarationError', 'SetupError', 'StoreUnavailableError', 'badInput', 'clientError', 'createGateway', 'defineConfig'],
  './sqlite': ['openSqliteStore'],
  './memory': ['openMemoryStore'],
  './cosmos': ['openCosmosStore'],
  './cosmos/read-many': ['openReadMany'],
  './cosmos/change-feed': ['SetupError', 'createChangeFeedProcessor'],
  './testing': ['openTestGateway'],
}

test('each entry has a file, and each file in entries/ is an entry', () => {
  expect(Object.keys(entries)).toEqual(Object.keys(values))
  expect(Object.values(entries).map((file) => `${file}.ts`).toSorted()).toEqual(['src/index.ts', ...globSync('src/entries/*.ts')].toSorted())
})

describe.each(Object.entries(entries))('%s', (name, file) => {
  test('exports what is meant for users, and nothing else', async () => {
    expect(Object.keys((await import(/* @vite-ignore */ pathToFileURL(`${file}.ts`).href)) as object).toSorted()).toEqual([...values[name]!].toSorted())
  })

  test.each(declarationsIn(`${file}.ts`))('%s has an example', (exported, at) => {
    const text = readFileSync(at, 'utf8')
    const [, comment] = new RegExp(String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\nexport (?:async |abstract )?(?:function|class|interface|type) ${exported}\b`).exec(text) ?? []
    expect(comment).toContain('@example\n')
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

/** Each name that an entry exports, and the file that declares it. */
function declarationsIn(entry: string): [name: string, file: string][] {
  const text = readFileSync(entry, 'utf8')
  const own = [...text.matchAll(/^export (?:async )?(?:function|class|interface|type) (\w+)/gm)].map(([, name]): [string, string] => [name!, entry])
  const passedOn = [...text.matchAll(/^export (?:type )?\{ ([^}]+) \} from '([^']+)'/gm)].flatMap(([, names, from]) =>
    names!.split(', ').map((each): [string, string] => [each.replace('type ', ''), declaring(each.replace('type ', ''), join(dirname(entry), from!))]))
  return [...own, ...passedOn]
}

/** Follows a name that a file passes on. */
function declaring(name: string, file: string): string {
  const text = readFileSync(file, 'utf8')
  const [, from] = new RegExp(String.raw`import [^\n]*\b${name}\b[^\n]* from '([^']+)'`).exec(text) ?? []
  const next = from && join(dirname(file), from)
  return next && existsSync(next) && !new RegExp(String.raw`^export .*(?:class|interface|type|function) ${name}\b`, 'm').test(text) ? declaring(name, next) : file
}
