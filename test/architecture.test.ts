// Holds the house of ARCHITECTURE.md together: every room has its place in one order, and a file imports only from its
// own room and the rooms above it. Nothing in `src/` knows the shipped library.

import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, normalize, relative } from 'node:path'
import { parse, Kind } from 'graphql'
import { describe, expect, test } from 'vitest'
import { storageTraits } from '../src/model/storages.ts'
import { storeKinds } from '../src/store/open-store.ts'
import { importsOf, misplacedImports, roomOf, rooms } from './rooms.ts'

const files = globSync('src/**/*.ts').map((file) => normalize(file)).toSorted()

test('every file has a room, and every room has files', () => {
  expect(new Set(files.map(roomOf))).toEqual(new Set(rooms))
})

test('at most six files stand outside the rooms', () => {
  expect(files.filter((file) => dirname(file) === 'src').length).toBeLessThanOrEqual(6)
})

test('the gateway is a page of contents', () => {
  expect(readFileSync('src/gateway.ts', 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(120)
})

test('no folder has more than some fifteen files', () => {
  const counts = Map.groupBy(files, (file) => dirname(file))
  expect([...counts].filter(([, inside]) => inside.length > 16).map(([folder, inside]) => `${folder}: ${inside.length}`)).toEqual([])
})

describe('a file imports only from its own room and the rooms above', () => {
  for (const file of files) {
    test(file, () => {
      expect(misplacedImports(file, readFileSync(file, 'utf8'))).toEqual([])
    })
  }
})

describe('one import in the wrong direction is found, between any two rooms', () => {
  for (const [index, upper] of rooms.entries()) {
    for (const lower of rooms.slice(index + 1)) {
      test(`${upper} importing from ${lower}`, () => {
        const [from, to] = [upper, lower].map((room) => files.find((file) => roomOf(file) === room)!)
        expect(misplacedImports(from!, importOf(from!, to!))).toEqual([expect.stringContaining(`${from}:1 imports ${to}`)])
        expect(misplacedImports(to!, importOf(to!, from!))).toEqual([])
      })
    }
  }
})

function importOf(file: string, imported: string): string {
  return `import { something } from './${relative(dirname(file), imported)}'\n`
}

test('a kind of relation does not import another kind', () => {
  const kinds = files.filter((file) => file.startsWith('src/relations/') && readFileSync(file, 'utf8').includes(': Kind<'))
  const kindFiles = new Set(kinds.filter((file) => !file.endsWith('/kinds.ts')))
  expect(kindFiles.size).toBe(Object.keys(storageTraits).length)
  for (const file of kindFiles) expect(importsOf(file).filter(({ path }) => kindFiles.has(path))).toEqual([])
})

test('a kind of relation is named by its own files and the table of traits, and asked by trait elsewhere', () => {
  const folders: Readonly<Record<string, string>> = { aggregates: 'aggregated', buckets: 'bucketed' }
  // What is resolved is also counted in reports.
  const kinds = new RegExp(`['"](${Object.keys(storageTraits).filter((kind) => kind !== 'resolved').join('|')})['"]`, 'g')
  const naming = files.flatMap((file) => {
    const own = file.startsWith('src/relations/') ? [basename(file, '.ts'), folders[basename(dirname(file))]] : []
    return [...readFileSync(file, 'utf8').matchAll(kinds)].filter(([, kind]) => !own.includes(kind)).map(([, kind]) => `${file} names ${kind}`)
  })
  expect([...new Set(naming)].filter((line) => !line.startsWith('src/model/storages.ts'))).toEqual([
    // A list in a bucket is declared by no schema, so it is made here.
    'src/relations/bucketed.ts names contained',
    // The two that a pointer can be declared as, in advice.
    'src/relations/pointers/copied-fields.ts names snapshot',
    'src/relations/pointers/copied-fields.ts names reference',
    // An object without a directive, as the map of the schema shows it.
    'src/site/map/storage-map.ts names contained',
  ])
})

test('the code of a schema folder imports Quire only through src/index.ts', () => {
  const outside = globSync(['schema/**/*.ts', 'examples/{modelling,shop}/**/*.ts']).flatMap((file) => importsOf(file).filter(({ path }) => path.startsWith('src/') && path !== 'src/index.ts').map(({ path, line }) => `${file}:${line} imports ${path}`))
  expect(outside).toEqual([])
})

/** The folders of src/store that hold a kind of store. */
const adapters = files.flatMap((file) => /^src\/store\/([^/]+)\/\1-kind\.ts$/.exec(file)?.[1] ?? [])

test('each kind of store has one line in the table', () => {
  expect(adapters).toEqual(Object.keys(storeKinds).toSorted())
})

test('plugins and pages know no store adapter', () => {
  const knowing = files.filter((file) => /^src\/(http|site)\//.test(file) && importsOf(file).some(({ path }) => [...adapters, 'in-process'].some((adapter) => path.startsWith(`src/store/${adapter}/`))))
  expect(knowing).toEqual([])
})

test('only adapters and their entries know a vendor, and no adapter imports another', () => {
  const knowing = files.filter((file) => /node:sqlite|@azure\//.test(readFileSync(file, 'utf8')))
  expect(knowing.filter((file) => !adapters.some((adapter) => file.startsWith(`src/store/${adapter}/`) || file.startsWith(`src/entries/${adapter}`)))).toEqual([])
  const crossing = files.flatMap((file) => {
    const own = adapters.find((adapter) => file.startsWith(`src/store/${adapter}/`))
    const others = [...adapters.filter((adapter) => adapter !== own), ...(own === 'cosmos' ? ['in-process'] : [])]
    return own ? importsOf(file).filter(({ path }) => others.some((other) => path.startsWith(`src/store/${other}/`))).map(({ path }) => `${file} imports ${path}`) : []
  })
  expect(crossing).toEqual([])
})

test('nothing in src is about what the shipped schema is about', () => {
  const words = new RegExp(shippedTypes().join('|'), 'i')
  const documents = globSync('src/**/*.md')
  // A header that says who is asking is about no author.
  const isAbout = (line: string): boolean => words.test(line.replaceAll(/(?:un)?authoriz(?:ation|ed|e)\b/gi, ''))
  const mentions = [...files, ...documents].flatMap((file) => readFileSync(file, 'utf8').split('\n').filter(isAbout).map((line) => `${file}: ${line.trim()}`))
  expect(mentions).toEqual([])
})

/** The document types that `schema/library` declares; people are everywhere, so they do not count. */
function shippedTypes(): string[] {
  const definitions = globSync('schema/library/*.graphql').flatMap((file) => parse(readFileSync(file, 'utf8')).definitions)
  const documents = definitions.flatMap((node) =>
    node.kind === Kind.OBJECT_TYPE_DEFINITION && node.directives?.some(({ name }) => name.value === 'document') ? [node.name.value] : [])
  expect(documents).toContain('Book')
  return documents.filter((name) => name !== 'Person')
}

describe('ARCHITECTURE.md', () => {
  const page = readFileSync('src/ARCHITECTURE.md', 'utf8')

  test('fits into 150 lines', () => {
    expect(page.split('\n').length).toBeLessThanOrEqual(150)
  })

  test('lists the rooms in the order that is held here', () => {
    const [, table = ''] = /^\| room \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(page) ?? []
    const listed = table.split('\n').flatMap((row) => [...row.split('|')[1]?.matchAll(/`([\w.-]+)\/?`/g) ?? []].map(([, room]) => room!)).filter((room) => room !== 'schema')
    expect(listed).toEqual(rooms)
  })

  test('names only files that are there', () => {
    const named = [...page.matchAll(/(?<![\w/.-])((?:\w[\w-]*\/)+[\w.-]+\.(?:ts|md|graphql))/g)].map(([, path]) => path!)
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((path) => !existsSync(path) && !existsSync(`src/${path}`))).toEqual([])
  })
})

test('the README fits into 10 KB', () => {
  expect(readFileSync('README.md').byteLength).toBeLessThanOrEqual(10_000)
})
