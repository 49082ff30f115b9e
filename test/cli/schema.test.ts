// `quire schema`: what it prints, where it writes, and its errors.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildClientSchema, buildSchema, lexicographicSortSchema, printSchema, type IntrospectionQuery } from 'graphql'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runSchema, type SchemaOptions } from '../../src/cli/schema.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-schema-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function run(of: string | undefined, command: Partial<SchemaOptions> = {}, env: NodeJS.ProcessEnv = {}) {
  const printed: string[] = []
  const complaints: string[] = []
  const code = await runSchema(of, { check: false, json: false, ...command }, { env, print: (line) => printed.push(line), printError: (line) => complaints.push(line) })
  return { code, printed: printed.join('\n'), complaints }
}

function declare(sdl: string): string {
  writeFileSync(join(folder, 'zoo.graphql'), sdl)
  return folder
}

const zoo = 'type Cage @document(container: "cages") { id: ID! } type Animal @document(container: "animals") { id: ID! cage: Cage @snapshot(at: "cage", fields: ["id"]) }'

test('schema.graphql is the served schema; if this fails, run npm run schema', async () => {
  expect(await run(undefined, { out: 'schema.graphql', check: true })).toEqual({ code: 0, printed: '', complaints: [] })
})

test('the printed schema has the API and @read, and nothing about storage', async () => {
  const { code, printed } = await run(declare(zoo))
  const schema = buildSchema(printed)
  expect(code).toBe(0)
  expect(Object.keys(schema.getQueryType()!.getFields())).toEqual(['node', 'cage', 'cages', 'animal', 'animals', 'animalsAggregate'])
  expect(schema.getDirective('read')?.args.map(({ name }) => name)).toEqual(['from', 'maxStaleMs', 'orStale'])
  expect(printed).not.toMatch(/@document|@snapshot|PartitionKey/)
})

test('JSON describes the same schema', async () => {
  const sdl = await run(undefined)
  const json = await run(undefined, { json: true })
  const introspected = buildClientSchema(JSON.parse(json.printed) as IntrospectionQuery)
  expect(printSchema(lexicographicSortSchema(introspected))).toBe(printSchema(lexicographicSortSchema(buildSchema(sdl.printed))))
})

test('QUIRE_SCHEMA is the default folder, and settings of stores do not matter', async () => {
  const { printed } = await run(undefined, {}, { QUIRE_SCHEMA: declare(zoo), QUIRE_STORE: 'nonsense', PORT: 'none' })
  expect(printed).toContain('type Animal implements Node')
})

test('--check passes after writing, and fails once the schema has changed', async () => {
  const out = join(folder, 'printed.txt')
  expect(await run(declare(zoo), { out, check: true })).toEqual({ code: 1, printed: '', complaints: [expect.stringMatching(/printed\.txt is out of date/)] })
  expect(await run(declare(zoo), { out })).toEqual({ code: 0, printed: '', complaints: [] })
  expect(readFileSync(out, 'utf8')).toBe(`${(await run(declare(zoo))).printed}\n`)
  expect((await run(declare(zoo), { out, check: true })).code).toBe(0)
  const written = readFileSync(out, 'utf8')
  expect((await run(declare(zoo.replace('id: ID! }', 'id: ID! name: String }')), { out, check: true })).code).toBe(1)
  expect(readFileSync(out, 'utf8')).toBe(written)
})

test.each([
  ['a missing folder', 'nowhere', {}, /schema folder .*nowhere.*\.graphql/],
  ['a file in a missing folder', undefined, { out: 'nowhere/schema.graphql' }, /nowhere\/schema\.graphql.*ENOENT.*--out/],
  ['--check without --out', undefined, { check: true }, /^--check.*--out FILE/],
])('%s is an error, and nothing is printed', async (_, of, command, message) => {
  const { code, printed, complaints } = await run(of, command)
  expect({ code, printed, complaints }).toEqual({ code: 2, printed: '', complaints: [expect.stringMatching(message) as string] })
})
