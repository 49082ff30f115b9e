// The profile of documents: what it counts, and that its memory does not grow with them.

import { describe, expect, test } from 'vitest'
import { DistinctValues } from '../../../src/evolve/profile/distinct-values.ts'
import { jsonObjects } from '../../../src/evolve/profile/folder/json-objects.ts'
import { openExistingFolder } from '../../../src/evolve/profile/folder/existing-folder.ts'
import { ListLengths } from '../../../src/evolve/profile/list-lengths.ts'
import { profileDatabase } from '../../../src/evolve/profile/profile-database.ts'
import { profileEntries, type ProfileEntry } from '../../../src/evolve/profile/profile-entries.ts'
import { folderOf, jsonLines } from '../infer/folders.ts'

async function entriesOf(files: Readonly<Record<string, readonly object[]>>, sample = Infinity): Promise<ProfileEntry[]> {
  const found = await openExistingFolder(folderOf(Object.fromEntries(Object.entries(files).map(([name, documents]) => [`${name}.jsonl`, jsonLines(documents)]))))
  return profileEntries(await profileDatabase(found, { sample }))
}

describe('a property', () => {
  test('is counted by presence, null and type, in objects and lists too', async () => {
    const entries = await entriesOf({ rooms: [{ id: 'r1', beds: [{ size: 1 }, { size: 'wide' }] }, { id: 'r2', beds: [], view: null }, { id: 'r3', view: { of: 'sea' } }] })
    expect(entries).toContainEqual({ container: 'rooms', property: 'beds', holders: 3, present: 2, nulls: 0, types: { array: 2 }, lengths: { median: 0, p95: 2, max: 2 } })
    expect(entries).toContainEqual({ container: 'rooms', property: 'beds[].size', holders: 2, present: 2, nulls: 0, types: { string: 1, integer: 1 }, distinct: 2, min: 1, max: 1, longest: 4 })
    expect(entries).toContainEqual(expect.objectContaining({ property: 'view', holders: 3, present: 2, nulls: 1, types: { object: 1 } }))
  })

  test('of another container is told by its ids, and copies by how many have drifted', async () => {
    const guests = Array.from({ length: 10 }, (_, at) => ({ id: `g${at}`, name: `Guest ${at}` }))
    const rooms = guests.map(({ id, name }, at) => ({ id: `r${at}`, guest: { id, name: at === 3 ? 'Old name' : name }, agentId: at === 4 ? 'g99' : `g${at}` }))
    const entries = await entriesOf({ guests, rooms })
    expect(entries.find(({ property }) => property === 'guest.id')).toMatchObject({ idsIn: { container: 'guests', lookedUp: 10, found: 10 }, copies: { name: { equal: 9, drifted: 1 } } })
    expect(entries.find(({ property }) => property === 'agentId')).toMatchObject({ idsIn: { container: 'guests', lookedUp: 10, found: 9 } })
  })

  test('with small numbers is no reference unless its name says so', async () => {
    const guests = Array.from({ length: 20 }, (_, at) => ({ id: String(at) }))
    const entries = await entriesOf({ guests, stays: guests.map(({ id }, at) => ({ id: `s${id}`, nights: at, guestId: at })) })
    expect(entries.filter(({ idsIn }) => idsIn).map(({ property }) => property)).toEqual(['guestId'])
  })
})

describe('types', () => {
  test('are told apart by type if their documents differ', async () => {
    const entries = await entriesOf({ mixed: [{ id: 'a', type: 'room', beds: 2 }, { id: 'b', type: 'guest', name: 'Ann' }] })
    expect(new Set(entries.map(({ type }) => type))).toEqual(new Set(['room', 'guest']))
  })

  test('are one if only the value of type differs', async () => {
    const entries = await entriesOf({ rooms: [{ id: 'a', type: 'single', beds: 1 }, { id: 'b', type: 'double', beds: 2 }] })
    expect(entries.find(({ property }) => property === 'type')).toMatchObject({ distinct: 2 })
  })
})

test('documents of a type have sizes, and a property that makes the largest large', async () => {
  const rooms = Array.from({ length: 20 }, (_, at) => ({ id: `r${String(at).padStart(2, '0')}`, note: 'x'.repeat(9), stays: Array.from({ length: at === 13 ? 1000 : at === 7 ? 3 : 1 }, () => 7) }))
  const entries = await entriesOf({ rooms, guests: [{ id: 'g1', name: 'Zoë' }] })
  // {"id":"r00","note":"xxxxxxxxx","stays":[7]}
  expect(entries[0]).toEqual({ container: 'guests', property: '', holders: 1, present: 1, nulls: 0, types: { object: 1 }, bytes: { median: 25, p95: 25, max: 25 }, largest: { property: 'name', share: 0.24 } })
  expect(entries.find(({ container, bytes }) => container === 'rooms' && bytes)).toEqual({ container: 'rooms', property: '', holders: 20, present: 20, nulls: 0, types: { object: 20 }, bytes: { median: 43, p95: 47, max: 2041 }, largest: { property: 'stays', share: 0.98 } })
})

test('a sample reads no more documents than it says', async () => {
  const entries = await entriesOf({ rooms: Array.from({ length: 500 }, (_, at) => ({ id: `r${at}` })) }, 40)
  expect(entries).toMatchObject([{ property: '', holders: 40 }, { property: 'id', holders: 40 }])
})

describe('memory is bounded', () => {
  test('distinct values are estimated within a tenth or so, from a few hundred', () => {
    const distinct = new DistinctValues()
    for (let value = 0; value < 200_000; value++) distinct.add(`value ${value % 100_000}`)
    expect(distinct.isEstimate).toBe(true)
    expect(distinct.size / 100_000).toBeCloseTo(1, 0.7)
    expect(distinct.sample(10_000)).toHaveLength(256)
  })

  test('few values are counted exactly', () => {
    const distinct = new DistinctValues()
    for (let value = 0; value < 1000; value++) distinct.add(value % 7)
    expect([distinct.size, distinct.isEstimate, distinct.counts?.get(0)]).toEqual([7, false, 143])
  })

  test('an object whose property names are values keeps two hundred of them', async () => {
    const entries = await entriesOf({ rooms: [{ id: 'r1', prices: Object.fromEntries(Array.from({ length: 5000 }, (_, day) => [`day ${day}`, day])) }] })
    expect(entries.length).toBeLessThan(210)
  })

  test('lengths are rounded where there are many different ones', () => {
    const lengths = new ListLengths()
    for (let length = 0; length <= 100_000; length++) lengths.add(length)
    expect([lengths.max, lengths.percentile(0.5)]).toEqual([100_000, 50_000])
  })
})

describe('objects of a JSON text', () => {
  test('are the elements of an array, the lines of a file, or one after the other', async () => {
    expect(await read('[{"a":1},\n {"b":"}"}]')).toEqual([{ a: 1 }, { b: '}' }])
    expect(await read('{"a":1}\n{"b":{"c":[2]}}\n')).toEqual([{ a: 1 }, { b: { c: [2] } }])
    expect(await read('{"a":1}{"b":2}')).toEqual([{ a: 1 }, { b: 2 }])
  })

  test('may be cut anywhere', async () => {
    const text = '[{"a":"\\"{"},\n{\n  "b": {\n    "c": "é"\n  }\n}]'
    for (let at = 1; at < text.length; at++) expect(await read(text.slice(0, at), text.slice(at))).toEqual([{ a: '"{' }, { b: { c: 'é' } }])
  })

  test('a line that is cut off is one unreadable object, and the next one is read', async () => {
    expect(await read('{"a":1}\n{"b":"cut o\n{"c":3}\n')).toEqual([{ a: 1 }, undefined, { c: 3 }])
    expect(await read('{"a":1}\n{"b":2\n{"c":3}\n{"d"')).toEqual([{ a: 1 }, undefined, { c: 3 }, undefined])
  })
})

async function read(...chunks: string[]): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const some of jsonObjects((async function* () { yield* chunks })())) found.push(...some)
  return found
}
