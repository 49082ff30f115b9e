// `quire schema`: what it prints, where it writes it, and what it says when it cannot.

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

test('schema.graphql is the schema that is served; if it is not, npm run schema writes it anew', async () => {
  expect(await run(undefined, { out: 'schema.graphql', check: true })).toEqual({ code: 0, printed: '', complaints: [] })
})

test('a schema of any folder is printed with what is served and @read, and without how it is stored', async () => {
  const { code, printed } = await run(declare(zoo))
  const schema = buildSchema(printed)
  expect(code).toBe(0)
  expect(Object.keys(schema.getQueryType()!.getFields())).toEqual(['node', 'cage', 'cages', 'animal', 'animals'])
  expect(schema.getDirective('read')?.args.map(({ name }) => name)).toEqual(['from', 'maxStaleMs', 'orStale'])
  expect(printed).not.toMatch(/@document|@snapshot|PartitionKey/)
})

test('as JSON it is the same schema', async () => {
  const sdl = await run(undefined)
  const json = await run(undefined, { json: true })
  const introspected = buildClientSchema(JSON.parse(json.printed) as IntrospectionQuery)
  expect(printSchema(lexicographicSortSchema(introspected))).toBe(printSchema(lexicographicSortSchema(buildSchema(sdl.printed))))
})

test('QUIRE_SCHEMA names the folder where no other is named, and settings of stores do not matter', async () => {
  const { printed } = await run(undefined, {}, { QUIRE_SCHEMA: declare(zoo), QUIRE_STORE: 'nonsense', PORT: 'none' })
  expect(printed).toContain('type Animal implements Node')
})

test('a file is written, found to be up to date, and found to be out of date once the declaration has changed', async () => {
  const out = join(folder, 'printed.txt')
  expect(await run(declare(zoo), { out, check: true })).toEqual({ code: 1, printed: '', complaints: [`${out} is not the schema that is served. Write it anew: the same command without --check.`] })
  expect(await run(declare(zoo), { out })).toEqual({ code: 0, printed: '', complaints: [] })
  expect(readFileSync(out, 'utf8')).toBe(`${(await run(declare(zoo))).printed}\n`)
  expect((await run(declare(zoo), { out, check: true })).code).toBe(0)
  const written = readFileSync(out, 'utf8')
  expect((await run(declare(zoo.replace('id: ID! }', 'id: ID! name: String }')), { out, check: true })).code).toBe(1)
  expect(readFileSync(out, 'utf8')).toBe(written)
})

test.each([
  ['a folder that is not there', 'nowhere', {}, /There is no schema folder .*nowhere\. Name a folder of \.graphql files\.$/],
  ['a file in a folder that is not there', undefined, { out: 'nowhere/schema.graphql' }, /^nowhere\/schema\.graphql cannot be written \(ENOENT\)\. Give --out a file in a folder that is there\.$/],
  ['a check of nothing', undefined, { check: true }, /^--check needs a file to look at\. Name it with --out FILE\.$/],
])('%s is said, and nothing is printed', async (_, of, command, message) => {
  const { code, printed, complaints } = await run(of, command)
  expect({ code, printed, complaints }).toEqual({ code: 2, printed: '', complaints: [expect.stringMatching(message) as string] })
})
