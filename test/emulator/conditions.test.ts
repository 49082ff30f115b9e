// Tests of conditions: three values, types that do not compare, and what selects a row.

import { beforeAll, afterAll, expect, test } from 'vitest'
import { CosmosClient, type Container, type JSONValue } from '@azure/cosmos'
import { startCosmosEmulator, type CosmosEmulator } from '../../src/emulator/cosmos-emulator.ts'

const documents = [
  { id: 'none' },
  { id: 'null', v: null },
  { id: 'false', v: false },
  { id: 'true', v: true },
  { id: 'one', v: 1 },
  { id: 'two', v: 2 },
  { id: 'a', v: 'a' },
  { id: 'ab', v: 'ab' },
  { id: 'list', v: ['a', 1], deep: [{ tags: ['x', 'y'], n: 1 }, { tags: ['z'], n: 2 }] },
  { id: 'object', v: { w: 1, 'w-x': 'odd' } },
]
const all = documents.map(({ id }) => id)
const but = (...ids: string[]): string[] => all.filter((id) => !ids.includes(id))

let server: CosmosEmulator
let client: CosmosClient
let container: Container

beforeAll(async () => {
  server = await startCosmosEmulator()
  client = new CosmosClient({ endpoint: server.endpoint, key: server.key, connectionPolicy: { enableEndpointDiscovery: false } })
  const { database } = await client.databases.create({ id: 'db' })
  container = (await database.containers.create({ id: 'c', partitionKey: { paths: ['/pk'] } })).container
  for (const each of documents) await container.items.create({ ...each, pk: 'k' })
})

afterAll(async () => {
  client.dispose()
  await server.close()
})

async function select(where: string, parameters: Record<string, JSONValue> = {}): Promise<string[]> {
  const query = { query: `SELECT * FROM c WHERE ${where}`, parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })) }
  return (await container.items.query<{ id: string }>(query, { partitionKey: 'k' }).fetchAll()).resources.map(({ id }) => id)
}

test.each<[where: string, selected: string[]]>([
  ['true', all],
  ['false', []],
  ['NOT false', all],
  // Comparisons with something missing or of another type are undefined, and so is their negation.
  ['c.v = 1', ['one']],
  ['c.v != 1', ['two']],
  ['NOT c.v = 1', ['two']],
  ['NOT (c.v != 1)', ['one']],
  ['c.v = null', ['null']],
  ['c.v = true', ['true']],
  ['c.v != true', ['false']],
  ['c.v = "a"', ['a']],
  ["c.v = 'a'", ['a']],
  ['1 = c.v', ['one']],
  ['c.v > 1', ['two']],
  ['c.v >= 1', ['one', 'two']],
  ['c.v < 1.5', ['one']],
  ['c.v <= -1', []],
  ['c.v > "a"', ['ab']],
  ['c.v < true', ['false']],
  // Undefined in AND and OR.
  ['c.v = 1 AND false', []],
  ['NOT (c.v = 1 AND false)', all],
  ['c.v = 1 OR true', all],
  ['NOT (c.missing = 1 AND c.v = 1)', ['two']],
  ['NOT (c.missing = 1 OR c.v = 1)', []],
  ['c.missing = 1 OR c.v = 1', ['one']],
  ['c.v = 1 OR c.v = 2 AND c.v = 1', ['one']],
  ['(c.v = 1 OR c.v = 2) AND NOT c.v = 1', ['two']],
  // Lists of values.
  ['c.v IN (1, "a", null)', ['null', 'one', 'a']],
  ['NOT c.v IN (1, 3)', ['two']],
  ['NOT c.v IN (1, "b")', []],
  // Functions.
  ['STARTSWITH(c.v, "a")', ['a', 'ab']],
  ['NOT STARTSWITH(c.v, "ab")', ['a']],
  ['ENDSWITH(c.v, "b")', ['ab']],
  ['CONTAINS(c.v, "a")', ['a', 'ab']],
  ['IS_DEFINED(c.v)', but('none')],
  ['NOT IS_DEFINED(c.v)', ['none']],
  ['IS_NULL(c.v)', ['null']],
  ['NOT IS_NULL(c.v)', but('null')],
  ['IS_BOOL(c.v)', ['false', 'true']],
  ['IS_NUMBER(c.v)', ['one', 'two']],
  ['IS_STRING(c.v)', ['a', 'ab']],
  ['IS_ARRAY(c.v)', ['list']],
  ['IS_OBJECT(c.v)', ['object']],
  // Paths.
  ['c["v"]["w-x"] = "odd"', ['object']],
  ['c.v.w = 1', ['object']],
  ['c.v[1] = 1', ['list']],
  ['IS_DEFINED(c.v.length)', []],
  // Elements of lists.
  ['EXISTS(SELECT VALUE 1 FROM e IN c.v)', ['list']],
  ['NOT EXISTS(SELECT VALUE 1 FROM e IN c.v)', but('list')],
  ['EXISTS(SELECT VALUE 1 FROM e IN c.v WHERE e = 1)', ['list']],
  ['EXISTS(SELECT VALUE 1 FROM e IN c.v WHERE e = 2)', []],
  ['EXISTS(SELECT VALUE 1 FROM e IN c.deep JOIN f IN e.tags WHERE f = "z" AND e["n"] = 2)', ['list']],
  ['EXISTS(SELECT VALUE 1 FROM e IN c.deep JOIN f IN e.tags WHERE f = "z" AND e["n"] = 1)', []],
  ['EXISTS(SELECT VALUE 1 FROM e IN c.deep WHERE EXISTS(SELECT VALUE 1 FROM f IN e.tags WHERE f = "y") AND c.id = "list")', ['list']],
])('%s', async (where, selected) => {
  expect(await select(where)).toEqual(selected)
})

test('parameters stand for any JSON value', async () => {
  expect(await select('c.v = @v', { '@v': ['a', 1] })).toEqual(['list'])
  expect(await select('c.v = @v', { '@v': { 'w-x': 'odd', w: 1 } })).toEqual(['object'])
  expect(await select('c.v != @v', { '@v': ['a'] })).toEqual(['list'])
  expect(await select('c.v > @v', { '@v': ['a'] })).toEqual([])
  expect(await select('c.v IN (@one, @two)', { '@one': 1, '@two': 'ab' })).toEqual(['one', 'ab'])
})

test.each([
  ['c.v = ', 'expected a name'],
  ['c.v LIKE "a"', "near 'LIKE'"],
  ['LENGTH(c.v)', "near 'LENGTH'"],
  ['c.v BETWEEN 1', "expected 'AND'"],
  ['c.v = 1 GROUP BY c.v', "near 'GROUP'"],
  ['c.v = @unknown', 'The parameter @unknown has no value.'],
  ['d.v = 1', "Identifier 'd' could not be resolved."],
  ['c.v = 1; DROP', 'unexpected character'],
])('%s is refused: %s', async (where, message) => {
  await expect(select(where)).rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) as string })
})
