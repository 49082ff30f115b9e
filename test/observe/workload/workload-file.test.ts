// The file of a recorded workload: complete at every moment, extended by every run, and refused with one line if it is
// something else.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { recordToFile, type FileRecorder } from '../../../src/observe/workload/record-to-file.ts'
import { sumWorkloads, parseWorkload, readWorkload, writeWorkload } from '../../../src/observe/workload/workload-file.ts'
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

test('the runs of a file add up, with their times', async () => {
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

test('files add up like runs', async () => {
  await run(join(folder, 'one.json'), 2)
  await run(join(folder, 'two.json'), 3)
  const sum = sumWorkloads(await Promise.all(['one.json', 'two.json'].map((name) => readWorkload(join(folder, name)))))
  expect([sum.runs, sum.made.operations, sum.relations['Order.customer']!.resolved]).toEqual([2, 7, 15])
})

test('the file survives a failed write, and no temporary file is left', async () => {
  const file = join(folder, 'w.json')
  await run(file, 1)
  const before = readFileSync(file, 'utf8')
  // The temporary file cannot be written: a folder has its name.
  mkdirSync(join(folder, `w.json.${process.pid}.tmp`, 'taken'), { recursive: true })
  await expect(writeWorkload(file, await readWorkload(file))).rejects.toThrow(/Cannot write .*QUIRE_RECORD/)
  expect(readFileSync(file, 'utf8')).toBe(before)
  rmSync(join(folder, `w.json.${process.pid}.tmp`), { recursive: true })
  await writeWorkload(file, await readWorkload(file))
  expect(readdirSync(folder)).toEqual(['w.json'])
})

test('a reader always finds a complete file while it is rewritten', async () => {
  const file = join(folder, 'w.json')
  const record = (await recordToFile(file)) as FileRecorder
  const writing = Promise.all(Array.from({ length: 50 }, () => record.save()))
  const read = await Promise.all(Array.from({ length: 200 }, () => readWorkload(file)))
  expect(new Set(read.map(({ runs }) => runs))).toEqual(new Set([1]))
  await writing
  await record.stop()
})

test('the file is rewritten regularly', async () => {
  const file = join(folder, 'w.json')
  const record = await recordToFile(file, { everyMs: 5 })
  const { ask } = await openShop({ record })
  await ask('{ order(id: "o1") { code } }')
  await expect.poll(async () => (await readWorkload(file)).made.operations).toBe(1)
  await ask.close()
})

test('a gateway whose file can no longer be written keeps serving, and says so once', async () => {
  const inner = join(folder, 'inner')
  mkdirSync(inner)
  const record = await recordToFile(join(inner, 'w.json'))
  rmSync(inner, { recursive: true })
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { ask } = await openShop({ record })
  expect((await ask('{ order(id: "o1") { code } }')).errors).toBeUndefined()
  await ask.close()
  await record.stop()
  expect(said.mock.calls.map(([line]) => String(line))).toEqual([expect.stringMatching(/^Cannot write .*w\.json: ENOENT/)])
  said.mockRestore()
})

test('a file that is not a workload is refused and left alone', async () => {
  const file = join(folder, 'w.json')
  writeFileSync(file, 'hello')
  await expect(recordToFile(file)).rejects.toThrow(/w\.json is not a recorded workload: .*JSON/)
  expect(readFileSync(file, 'utf8')).toBe('hello')
})

test.each([
  ['an empty object', '{}', 'w.json is not a recorded workload'],
  ['null', 'null', 'w.json is not a recorded workload'],
  ['another format', '{"quire":"workload","version":9}', 'w.json has format 9'],
  ['no content', '{"quire":"workload","version":1}', 'w.json is not a valid workload: runs is wrong'],
  ['a time that went backwards', damaged({ recordedMs: -1 }), 'w.json is not a valid workload: recordedMs is wrong'],
  ['a field that is no name', damaged({ operations: [{ times: 1, places: [{ field: 'Query.a', below: [{ field: '} { evil' }] }] }] }), 'w.json is not a valid workload: operations.0.places.0.below.0.field is wrong'],
  ['a count that is no number', damaged({ types: { Order: { created: 'many' } } }), 'w.json is not a valid workload: types.Order.created is wrong'],
  ['a list for an object', damaged({ relations: [] }), 'w.json is not a valid workload: relations is wrong'],
])('%s is refused in one line', (_, text, message) => {
  expect(() => parseWorkload(text, 'w.json')).toThrow(message)
})

test('half a file is not a workload', async () => {
  const file = join(folder, 'w.json')
  await run(file, 1)
  const whole = readFileSync(file, 'utf8')
  expect(() => parseWorkload(whole.slice(0, whole.length / 2), 'w.json')).toThrow(/w\.json is not a recorded workload: .*JSON/)
  expect(existsSync(file)).toBe(true)
})

function damaged(part: object): string {
  return JSON.stringify({
    quire: 'workload', version: 1, runs: 1, startedAt: '2026-01-01T00:00:00.000Z', endedAt: '2026-01-01T01:00:00.000Z', recordedMs: 1,
    made: { operations: 1, roundTrips: 1, requestCharge: 1 }, operations: [], relations: {}, types: {}, leftOut: { operations: 0, changes: 0, names: 0 }, ...part,
  })
}
