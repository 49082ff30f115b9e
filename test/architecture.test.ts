// Holds the rooms of ARCHITECTURE.md: files import only from their own room and from those above it,
// and only the library knows what the shipped schema is about.

import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parse, Kind } from 'graphql'
import { describe, expect, test } from 'vitest'

/** From the top of the house down. The last two are single files: the pipeline, and the root that connects. */
const rooms = ['model', 'keys', 'store', 'loaders', 'relations', 'pipeline', 'site', 'plugins', 'library', 'root'] as const
type Room = (typeof rooms)[number]

const rootFiles = new Set([
  'gateway', 'config', 'config-file', 'domain', 'schema-folder', 'given-documents', 'read-trusted-documents', 'open-gateway', 'operations', 'exchange', 'listen', 'main', 'savings', 'between-markers', 'examples', 'cli',
].map((name) => `src/${name}.ts`))

const files = globSync('src/**/*.ts').map((file) => normalize(file)).toSorted()

function roomOf(file: string): Room {
  const [, folder] = file.split('/')
  if (rooms.includes(folder as Room)) return folder as Room
  return rootFiles.has(file) || folder === 'cli' ? 'root' : 'pipeline'
}

function importsOf(file: string): string[] {
  const specifiers = [...readFileSync(file, 'utf8').matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, specifier]) => specifier!)
  return specifiers.map((specifier) => normalize(join(dirname(file), specifier)))
}

test('there are files to look at, in every room', () => {
  expect(new Set(files.map(roomOf))).toEqual(new Set(rooms))
})

describe('a file imports only from its own room and the rooms above', () => {
  for (const file of files) {
    test(file, () => {
      const below = importsOf(file).filter((imported) => rooms.indexOf(roomOf(imported)) > rooms.indexOf(roomOf(file)))
      expect(below).toEqual([])
    })
  }
})

test('a kind of relation does not import another kind', () => {
  const kinds = files.filter((file) => file.startsWith('src/relations/') && readFileSync(file, 'utf8').includes(': Kind<'))
  const kindFiles = new Set(kinds.filter((file) => !file.endsWith('/index.ts')))
  expect(kindFiles.size).toBe(9)
  for (const file of kindFiles) expect(importsOf(file).filter((imported) => kindFiles.has(imported))).toEqual([])
})

test('the pipeline names no kind of relation', () => {
  const kinds = /['"](stored|contained|derived|reference|snapshot|reverse|joined|bucketed|counted)['"]/
  const naming = files.filter((file) => ['pipeline', 'site', 'plugins', 'root'].includes(roomOf(file))).filter((file) => kinds.test(readFileSync(file, 'utf8')))
  expect(naming).toEqual([])
})

test('what acts on requests and what people see know no store', () => {
  const knowing = files.filter((file) => ['site', 'plugins'].includes(roomOf(file)) && importsOf(file).some((imported) => roomOf(imported) === 'store'))
  expect(knowing).toEqual([])
})

test('only adapters and the root know a vendor', () => {
  const knowing = files.filter((file) => /node:sqlite|@azure\//.test(readFileSync(file, 'utf8')))
  expect(knowing.filter((file) => !/^src\/store\/(sqlite|cosmos)/.test(file))).toEqual([])
})

test('nothing outside the library is about what the shipped schema is about', () => {
  const words = new RegExp(shippedTypes().join('|'), 'i')
  const documents = globSync('src/**/*.md')
  // A header that says who is asking is about no author.
  const isAbout = (line: string): boolean => words.test(line.replaceAll('authorization', ''))
  const mentions = [...files.filter((file) => roomOf(file) !== 'library'), ...documents].flatMap((file) =>
    readFileSync(file, 'utf8').split('\n').filter(isAbout).map((line) => `${file}: ${line.trim()}`))
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
