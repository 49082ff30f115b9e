// Values that do not fit their schema: what is missing, what a type refuses, what is longer than its max. Nothing is repaired, and
// nothing is removed.

import { describe, expect, test } from 'vitest'
import { checkStore } from '../../../src/evolve/check/check-store.ts'
import type { Body } from '../../../src/model/json/json.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { writeAll } from '../../../src/store/write-all.ts'
import { documentWrites, stores } from '../../harness.ts'

const sdl = `
  enum Size { SMALL LARGE }
  scalar Day
  type Cage @document(container: "cages", partitionKey: "/cageId", type: "cage") {
    id: ID! label: String! places: Int weight: Float open: Boolean size: Size sizes: [Size!]! @contained(max: 2) code: ID since: Day
    title: String! @derived lock: Lock doors: [Lock!]! @contained(max: 2) food: Food
    keeper: Keeper! @reference(at: "keeperId") helpers: [Keeper!]! @reference(at: "helperIds", max: 2)
    notes: NoteConnection! @bucketed(at: "newest", recent: 1, size: 2, key: "cageId", type: "notes")
  }
  type Lock { size: Size! maker: Keeper @reference(at: "makerId") }
  type Note { id: ID! text: String! }
  type Keeper @document(container: "keepers") { id: ID! name: String }
  union Food = Hay | Fish
  type Hay @shape(has: "bales") { bales: Int! }
  type Fish @shape(has: "kilos") { kilos: Float! }
`
const declaration = readDeclaration(sdl, { Cage: { title: ({ label }) => (label as string).toUpperCase() } })

const sound: Body = {
  id: 'c', cageId: 'c', type: 'cage', label: 'C', places: 3, weight: 1.5, open: true, size: 'SMALL', sizes: ['SMALL'], code: 'x', since: { any: 'thing' }, lock: { size: 'LARGE' }, doors: [{ size: 'SMALL' }],
  food: { bales: 1 }, keeperId: 'k', helperIds: ['k'], newest: [{ id: 'n2', number: 2, text: 'c' }], countOfNotes: 3,
}
const bucket: Body = { id: 'c.notes.0', cageId: 'c', type: 'notes', entries: [{ id: 'n0', number: 0, text: 'a' }, { id: 'n1', number: 1, text: 'b' }] }

const { label: _, keeperId: __, ...bare } = sound

const cases: Readonly<Record<string, { readonly cage: Body; readonly bucket?: Body; readonly found: readonly string[] }>> = {
  'nothing wrong': { cage: sound, found: [] },
  'nothing that is optional': { cage: { id: 'c', cageId: 'c', type: 'cage', label: 'C', keeperId: 'k', newest: [{ id: 'n2', number: 2, text: 'c' }], countOfNotes: 3 }, found: [] },
  'required values are missing': { cage: bare, found: ['missing Cage.keeper missing', 'missing Cage.label missing', 'invalid Cage.title computed'] },
  'null where a value is required': { cage: { ...sound, label: null, sizes: [null] }, found: ['missing Cage.label null', 'missing Cage.sizes null', 'invalid Cage.title computed'] },
  'values of another type': {
    cage: { ...sound, label: 7, places: '3', weight: 'x', open: 1, size: 'HUGE', code: 5, title: 1 },
    found: ['invalid Cage.label a number', 'invalid Cage.places a string', 'invalid Cage.weight a string', 'invalid Cage.open a number', 'invalid Cage.size a string', 'invalid Cage.code a number', 'invalid Cage.title computed'],
  },
  'numbers that are no Int': { cage: { ...sound, places: 1.5 }, found: ['invalid Cage.places a number'] },
  'lists and objects in place of each other': {
    cage: { ...sound, sizes: 'SMALL', lock: [{ size: 'SMALL' }], doors: ['x'], food: { leaves: 1 } },
    found: ['invalid Cage.sizes a string', 'invalid Cage.lock an array', 'invalid Cage.doors a string', 'invalid Cage.food an object'],
  },
  'values inside of objects': { cage: { ...sound, lock: {}, doors: [{ size: 3 }], food: { kilos: 'x' } }, found: ['missing Lock.size missing', 'invalid Lock.size a number', 'invalid Fish.kilos a string'] },
  'lists that are too long': { cage: { ...sound, sizes: ['SMALL', 'SMALL', 'LARGE'], helperIds: ['k', 'k', 'k'] }, found: ['overfull Cage.sizes 3', 'overfull Cage.helpers 3'] },
  'entries of a bucketed list': {
    cage: { ...sound, newest: [{ id: 'n2', number: 2 }] }, bucket: { ...bucket, entries: [{ id: 'n0', number: 0, text: 5 }, { id: 'n1', number: 1, text: 'b' }] },
    found: ['missing Note.text missing', 'invalid Note.text a number'],
  },
}

describe.for(stores)('on $name', ({ store: open }) => {
  test.each(Object.entries(cases))('%s', async (_name, { cage, bucket: part = bucket, found }) => {
    const store = await open(declaration.layout)
    await writeAll(store, documentWrites(declaration.model, { Cage: [cage, part], Keeper: [{ id: 'k' }] }))
    const before = await store.query({ container: 'cages', orderBy: { path: ['id'], descending: false }, limit: 9 })
    const findings = await Array.fromAsync(checkStore(declaration, store, { repair: true, acceptLoss: true }))
    expect(findings.map(({ kind, at, sentence }) => `${kind} ${at} ${facts(sentence)}`).toSorted()).toEqual(found.toSorted())
    expect(findings.every(({ repair, id }) => repair === 'impossible' && id.startsWith('c'))).toBe(true)
    expect(await store.query({ container: 'cages', orderBy: { path: ['id'], descending: false }, limit: 9 })).toEqual(before)
    await store.close()
  })
})

describe.for(stores.filter(({ name }) => name !== 'cosmos'))('on $name', ({ store: open }) => {
  test('a document in another partition than its properties give is found', async () => {
    const typeDefs = 'type Cage @document(container: "cages", partitionKey: "/zoo") { id: ID! zoo: String! }'
    const store = await open(readDeclaration(typeDefs).layout)
    await store.write([{ kind: 'put', container: 'cages', key: { partition: ['c'], id: 'c' }, body: { id: 'c', zoo: 'north' } }])
    expect(await Array.fromAsync(checkStore(readDeclaration(typeDefs), store))).toMatchObject([{ kind: 'misplaced', at: 'Cage', id: 'c', repair: 'impossible' }])
    await store.close()
  })
})

/** What was found, as a sentence says it. */
function facts(sentence: string): string {
  if (sentence.includes('computed')) return 'computed'
  return ['missing', 'null', 'a number', 'a string', 'an array', 'an object'].find((each) => sentence.includes(`is ${each}`)) ?? /has (\d+)/.exec(sentence)![1]!
}
