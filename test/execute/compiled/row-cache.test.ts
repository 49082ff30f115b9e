// The cached texts of rows: never more bytes than allowed, and never the text of a document that has changed.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { RowCaches, type Pieces, type RowCache } from '../../../src/execute/compiled/row-cache.ts'
import type { StoredDocument } from '../../../src/store/store.ts'
import { openGateway, stores } from '../../harness.ts'

function document(id: string): StoredDocument {
  return { key: { partition: [id], id }, etag: id, body: { id }, bytes: 100 }
}

test('a text is found by the very object of its document', () => {
  const { cached, add } = new RowCaches(10_000).create((pieces: Pieces) => pieces)
  const row = document('a')
  expect(add(row, ['{"id":', '}'])).toEqual(['{"id":', '}'])
  expect(cached.get(row)).toEqual(['{"id":', '}'])
  expect(cached.get(document('a'))).toBeUndefined()
})

test('all caches together stay within their bytes: beyond them, all texts are dropped', () => {
  const texts = new RowCaches(10_000)
  const caches = [texts.create((pieces: Pieces) => pieces), texts.create((pieces: Pieces) => pieces)]
  const rows = Array.from({ length: 500 }, (_, at) => document(`d${at}`))
  const kept = () => rows.filter((row) => caches.some(({ cached }) => cached.get(row))).length
  let most = 0
  for (const [at, row] of rows.entries()) {
    caches[at % 2]!.add(row, ['x'.repeat(300)])
    expect(texts.bytes).toBeLessThanOrEqual(10_000)
    most = Math.max(most, kept())
  }
  // A text of 300 characters is taken to be 500 bytes.
  expect(most).toBe(20)
  expect(kept()).toBeGreaterThan(0)
})

test('growth is counted, and drops all texts, too', () => {
  const texts = new RowCaches(10_000)
  const { cached, add, grow } = texts.create((pieces: Pieces) => pieces)
  const row = document('a')
  add(row, ['text'])
  grow(9_000)
  expect(texts.bytes).toBe(9_204)
  expect(cached.get(row)).toEqual(['text'])
  grow(2_000)
  expect(texts.bytes).toBe(2_000)
  expect(cached.get(row)).toBeUndefined()
})

test('a text that is larger than the cache is written all the same', () => {
  const { add } = new RowCaches(100).create((pieces: Pieces) => pieces)
  expect(add(document('large'), ['text'.repeat(100)])).toEqual(['text'.repeat(100)])
})

test('a cached text does not keep its document alive', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const { cached, add } = new RowCaches(10_000).create((pieces: Pieces) => pieces)
  const held = document('held')
  add(held, ['held'])
  const gone = addedOnce(add)
  // What a weak reference was just made to is kept until the turn is over.
  await new Promise(setImmediate)
  collect()
  expect(gone.deref()).toBeUndefined()
  expect(cached.get(held)).toEqual(['held'])
})

/** In a function of its own, so that nothing here holds the document any more. */
function addedOnce(add: RowCache['add']): WeakRef<StoredDocument> {
  const row = document('gone')
  add(row, ['gone'])
  return new WeakRef(row)
}

function shown(cage: string, keeper: string): string {
  return JSON.stringify({ cages: { nodes: [{ name: cage, keeper: { name: keeper } }] }, keepers: { nodes: [{ name: keeper, cages: { nodes: [{ name: cage }] } }] } })
}

describe.for(stores)('on $name', ({ store }) => {
  test('a row is shown as it is now, however often it was shown before', async () => {
    const ask = await openGateway({
      store,
      typeDefs: `
        type Cage @document(container: "cages") { id: ID!  name: String!  keeper: Keeper @snapshot(at: "keeper", fields: ["name"]) }
        type Keeper @document(container: "keepers") { id: ID!  name: String!  cages: CageConnection! @reverse(of: "Cage.keeper") }`,
      documents: { Cage: [{ id: 'c1', name: 'One', keeper: { id: 'k1', name: 'Kim' } }], Keeper: [{ id: 'k1', name: 'Kim' }] },
    })
    const show = async () => {
      const { data } = await ask('{ cages { nodes { name keeper { name } } } keepers { nodes { name cages { nodes { name } } } } }', { headers: { 'quire-trace': '0' } })
      return JSON.stringify(data)
    }
    for (let time = 0; time < 3; time++) expect(await show()).toBe(shown('One', 'Kim'))
    await ask('mutation { updateCage(input: { id: "c1", name: "Two" }) { cage { id } } }')
    for (let time = 0; time < 3; time++) expect(await show()).toBe(shown('Two', 'Kim'))
    await ask('mutation { updateKeeper(input: { id: "k1", name: "Kai" }) { keeper { id } } }')
    for (let time = 0; time < 3; time++) expect(await show()).toBe(shown('Two', 'Kai'))
    await ask.close()
  })

  test('a row that did not change shows the documents it points at as they are now', async () => {
    const ask = await openGateway({
      store,
      typeDefs: `
        type Cage @document(container: "cages") { id: ID!  name: String!  vets: [Vet!]! @reference(at: "vetIds") }
        type Vet @document(container: "vets") { id: ID!  name: String! }`,
      documents: { Cage: [{ id: 'c1', name: 'One', vetIds: ['v1', 'v2'] }], Vet: [{ id: 'v1', name: 'Vic' }, { id: 'v2', name: 'Val' }] },
    })
    const show = async () => (await ask('{ cages { nodes { name vets { name } } } }', { headers: { 'quire-trace': '0' } })).data
    for (const name of ['Vic', 'Vim', 'Vic']) {
      await ask(`mutation { updateVet(input: { id: "v1", name: "${name}" }) { vet { id } } }`)
      for (let time = 0; time < 3; time++) expect(await show()).toEqual({ cages: { nodes: [{ name: 'One', vets: [{ name }, { name: 'Val' }] }] } })
    }
    await ask.close()
  })
})
