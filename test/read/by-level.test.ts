// Reads of a compiled plan, which asks level by level: pending until the plan has asked for all it can, sent in waves, and
// answered without a promise by a store in this process.

import { beforeEach, expect, test } from 'vitest'
import type { Access } from '../../src/auth/access.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { CallLog } from '../../src/read/call-log.ts'
import type { Asker } from '../../src/read/read-log.ts'
import { Reads } from '../../src/read/reads.ts'
import { selectionOf } from '../../src/read/selection.ts'
import { readSdl } from '../../src/model/sdl/read-sdl.ts'
import { allRead, type MaybePending, type MaybePromise } from '../../src/store/maybe-promise.ts'
import { OperationContext } from '../../src/store/operation-context.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import type { Store } from '../../src/store/store.ts'
import { recordingStore } from './recording-store.ts'

const { model, layout } = readDeclaration(readSdl(`
  type Film @document(container: "films", type: "film") { id: ID! }
  type Short @document(container: "films", type: "short") { id: ID! }
`))
const film = model.documents.get('Film')!
const short = model.documents.get('Short')!
const asker: Asker = { field: 'Query.test', place: { prev: undefined, key: 'test' }, stage: 0 }
const films = { ...selectionOf(film), orderBy: { path: ['id'], descending: false }, limit: 2 }

let store: Store
beforeEach(async () => {
  store = await openMemoryStore(layout)
  await store.write(['f1', 'f2', 'f3'].map((id) => ({ kind: 'put', container: 'films', key: { partition: [id], id }, body: { id, type: 'film' } })))
})

/** Everything that can be asked for: a document, a page, a count, and the documents of a level. */
function askAll(reads: Reads): MaybePending<unknown>[] {
  const loader = reads.levelLoader(film)
  const level = loader.level()
  const slots: number[] = []
  for (const id of ['f3', 'nobody']) loader.slot(id, level, slots)
  return [reads.document(film, 'f1', asker), reads.page(films, undefined, asker), reads.count(selectionOf(film), undefined, asker), loader.read(slots)]
}

function runAll(reads: Reads): MaybePromise<unknown[]> {
  return reads.run(() => {
    const asked = askAll(reads)
    return allRead(asked.length, (at) => asked[at])
  })
}

/** The same store, which answers later. */
function later(given: Store): Store {
  return { ...given, readMany: async (...asked) => given.readMany(...asked), query: async (...asked) => given.query(...asked), count: async (...asked) => given.count(...asked) }
}

test('a store in this process answers at once, with the same as one that answers later', async () => {
  const [here, there] = [new Reads(store, 'batched'), new Reads(later(store), 'batched')]
  const [answers, promised] = [runAll(here), runAll(there)]
  expect(answers).toBeInstanceOf(Array)
  expect(promised).toBeInstanceOf(Promise)
  expect(answers).toEqual(await promised)
  expect(here.levelLoader(film).documents).toEqual(there.levelLoader(film).documents)
  expect([here.waits, there.waits]).toEqual([0, 3])
})

test('the reads of a level are one wave, and documents of one container one call', async () => {
  for (const given of [store, later(store)]) {
    const calls = new CallLog()
    await runAll(new Reads(given, 'batched', undefined, calls))
    expect(calls.calls.map(({ operation, keys, requestWave }) => `${requestWave} ${operation} ${keys}`).toSorted()).toEqual(['1 count 0', '1 query 0', '1 read 3'])
  }
})

test('what GraphQL.js asks for are promises, and the same calls', async () => {
  const calls = new CallLog()
  const reads = new Reads(store, 'batched', undefined, calls)
  const asked = askAll(reads)
  expect(asked.slice(0, 3).every((answer) => answer instanceof Promise)).toBe(true)
  await Promise.all(asked)
  expect(calls.calls.map(({ operation }) => operation).toSorted()).toEqual(['count', 'query', 'read'])
})

test('a document of another type is not found', () => {
  const reads = new Reads(store, 'batched')
  expect(reads.run(() => reads.document(short, 'f1', asker))).toBeUndefined()
})

test('a document is not read again when a level asks for it later', async () => {
  const { store: recording, calls } = recordingStore(store)
  const reads = new Reads(recording, 'batched')
  const before = await reads.run(() => reads.document(film, 'f1', asker))
  await store.write([{ kind: 'put', container: 'films', key: { partition: ['f1'], id: 'f1' }, body: { id: 'f1', type: 'film', changed: true } }])
  const loader = reads.levelLoader(film)
  const slot = loader.slot('f1', loader.level(), [])
  await reads.run(() => loader.read([slot]))
  expect(loader.documents[slot]).toBe(before)
  expect(calls).toHaveLength(1)
})

test('a cancelled operation reads nothing more', () => {
  const { store: recording, calls } = recordingStore(store)
  const operationContext = new OperationContext({ id: 'r1', isGone: () => true })
  expect(() => operationContext.enter(() => runAll(new Reads(recording, 'batched')))).toThrow('The client has disconnected.')
  expect(calls).toEqual([])
})

test('an error of the store is thrown, or a rejection if the store answers later', async () => {
  const { layout: other } = readDeclaration(readSdl('type Other @document(container: "others") { id: ID! }'))
  const elsewhere = await openMemoryStore(other)
  expect(() => runAll(new Reads(elsewhere, 'batched'))).toThrow('There is no container "films"')
  await expect(runAll(new Reads(later(elsewhere), 'batched'))).rejects.toThrow('There is no container "films"')
})

test('documents are looked up one by one where the store has them in this process', () => {
  const reads = new Reads(store, 'batched')
  const [film1, short1] = reads.lookups([{ type: film, depth: 1, alone: true }, { type: short, depth: 1, alone: true }])!
  expect(film1!('f1')).toMatchObject({ body: { id: 'f1' } })
  expect([film1!('nobody'), short1!('f1')]).toEqual([undefined, undefined])
  expect(reads.lookups([])).toEqual([])
})

test('a store that looks nothing up, the naive strategy, and a viewer who may not read all, go without lookups', () => {
  const targets = [{ type: film, depth: 1, alone: true }]
  expect(new Reads({ ...store, lookIn: () => undefined }, 'batched').lookups(targets)).toBeUndefined()
  expect(new Reads(store, 'naive').lookups(targets)).toBeUndefined()
  const refused = { reading: () => 'refused' } as unknown as Access
  expect(new Reads(store, 'batched', undefined, undefined, refused).lookups(targets)).toBeUndefined()
})
