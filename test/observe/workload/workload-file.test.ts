// The file of a recorded workload: complete at every moment, added to by every run, and refused in one line
// where it is something else.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { recordToFile } from '../../../src/observe/workload/record-to-file.ts'
import { addedUp, parseWorkload, readWorkload, writeWorkload } from '../../../src/observe/workload/workload-file.ts'
import { openShop } from './shop.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-workload-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function run(file: string, times: number): Promise<void> {
  const record = await recordToFile(file)
  const { ask } = await openShop({ record })
  for (let time = 0; time < times; time++) await ask('{ orders { nodes { customer { name } } } }')
  await ask('mutation { updateCustomer(input: { id: "c1", first: "Eve" }) { customer { name } } }')
  await ask.close()
}

test('several runs add up, and so do their times', async () => {
  const file = join(folder, 'w.json')
  await run(file, 2)
  const first = await readWorkload(file)
  await run(file, 3)
  const both = await readWorkload(file)
  expect([first.runs, both.runs]).toEqual([1, 2])
  expect(both.operations.map(({ times }) => times)).toEqual([5, 2])
  expect(both.operations[0]!.places[0]!.below![0]!.below![0]).toMatchObject({ field: 'Order.customer', asked: 5, resolved: 15, covered: 15 })
  expect(both.types['Customer']!.updated).toEqual({ 'first,name': 2 })
  expect(both.startedAt).toBe(first.startedAt)
  expect(both.recordedMs).toBeGreaterThanOrEqual(first.recordedMs)
  expect(Date.parse(both.endedAt)).toBeGreaterThanOrEqual(Date.parse(first.endedAt))
})

test('several files add up the same', async () => {
  await run(join(folder, 'one.json'), 2)
  await run(join(folder, 'two.json'), 3)
  const sum = addedUp(await Promise.all(['one.json', 'two.json'].map((name) => readWorkload(join(folder, name)))))
  expect([sum.runs, sum.made.operations, sum.relations['Order.customer']!.resolved]).toEqual([2, 7, 15])
})

test('what has been written survives a write that fails, and nothing is left beside it', async () => {
  const file = join(folder, 'w.json')
  await run(file, 1)
  const before = readFileSync(file, 'utf8')
  // Whatever is written first cannot be: its name is taken by a folder with something in it.
  mkdirSync(join(folder, `w.json.${process.pid}.tmp`, 'taken'), { recursive: true })
  await expect(writeWorkload(file, await readWorkload(file))).rejects.toThrow(/cannot be recorded in .*Set QUIRE_RECORD to a file that can be written\.$/)
  expect(readFileSync(file, 'utf8')).toBe(before)
  rmSync(join(folder, `w.json.${process.pid}.tmp`), { recursive: true })
  await writeWorkload(file, await readWorkload(file))
  expect(readdirSync(folder)).toEqual(['w.json'])
})

test('a reader finds a complete file at any moment while it is being rewritten', async () => {
  const file = join(folder, 'w.json')
  const record = await recordToFile(file)
  const writing = Promise.all(Array.from({ length: 50 }, () => record.save()))
  const read = await Promise.all(Array.from({ length: 200 }, () => readWorkload(file)))
  expect(new Set(read.map(({ runs }) => runs))).toEqual(new Set([1]))
  await writing
  await record.stop()
})

test('it is rewritten every so often, without anyone asking', async () => {
  const file = join(folder, 'w.json')
  const record = await recordToFile(file, { everyMs: 5 })
  const { ask } = await openShop({ record })
  await ask('{ order(id: "o1") { code } }')
  await expect.poll(async () => (await readWorkload(file)).made.operations).toBe(1)
  await ask.close()
})

test('a gateway whose file can no longer be written goes on, and says so once', async () => {
  const inner = join(folder, 'inner')
  mkdirSync(inner)
  const record = await recordToFile(join(inner, 'w.json'))
  rmSync(inner, { recursive: true })
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { ask } = await openShop({ record })
  expect((await ask('{ order(id: "o1") { code } }')).errors).toBeUndefined()
  await ask.close()
  await record.stop()
  expect(said.mock.calls.map(([line]) => String(line))).toEqual([expect.stringMatching(/^The workload cannot be recorded in .*w\.json: ENOENT/)])
  said.mockRestore()
})

test('a file that is something else is refused, and left alone', async () => {
  const file = join(folder, 'w.json')
  writeFileSync(file, 'hello')
  await expect(recordToFile(file)).rejects.toThrow('w.json is no recorded workload: it is not JSON. Record one with QUIRE_RECORD=FILE quire start.')
  expect(readFileSync(file, 'utf8')).toBe('hello')
})

test.each([
  ['an empty object', '{}', 'w.json is no recorded workload. Record one with QUIRE_RECORD=FILE quire start.'],
  ['null', 'null', 'w.json is no recorded workload. Record one with QUIRE_RECORD=FILE quire start.'],
  ['another format', '{"quire":"workload","version":9}', 'w.json was recorded in format 9, and this is format 1. Record it anew.'],
  ['no content', '{"quire":"workload","version":1}', 'w.json is damaged at runs. Record one with QUIRE_RECORD=FILE quire start.'],
  ['a time that went backwards', damaged({ recordedMs: -1 }), 'w.json is damaged at recordedMs. Record one with QUIRE_RECORD=FILE quire start.'],
  ['a field that is no name', damaged({ operations: [{ times: 1, places: [{ field: 'Query.a', below: [{ field: '} { evil' }] }] }] }), 'w.json is damaged at operations.0.places.0.below.0.field. Record one with QUIRE_RECORD=FILE quire start.'],
  ['a count that is no number', damaged({ types: { Order: { created: 'many' } } }), 'w.json is damaged at types.Order.created. Record one with QUIRE_RECORD=FILE quire start.'],
  ['a list for an object', damaged({ relations: [] }), 'w.json is damaged at relations. Record one with QUIRE_RECORD=FILE quire start.'],
])('%s is refused in one line', (_, text, message) => {
  expect(() => parseWorkload(text, 'w.json')).toThrow(message)
})

test('half a file is no workload', async () => {
  const file = join(folder, 'w.json')
  await run(file, 1)
  const whole = readFileSync(file, 'utf8')
  expect(() => parseWorkload(whole.slice(0, whole.length / 2), 'w.json')).toThrow('w.json is no recorded workload: it is not JSON.')
  expect(existsSync(file)).toBe(true)
})

function damaged(part: object): string {
  return JSON.stringify({
    quire: 'workload', version: 1, runs: 1, startedAt: '2026-01-01T00:00:00.000Z', endedAt: '2026-01-01T01:00:00.000Z', recordedMs: 1,
    made: { operations: 1, roundTrips: 1, requestCharge: 1 }, operations: [], relations: {}, types: {}, leftOut: { operations: 0, changes: 0, names: 0 }, ...part,
  })
}
