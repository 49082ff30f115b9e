// The document cache by itself: what it keeps and what it drops. fresh-reads.test.ts shows that it is never out of date,
// with real files and several writers.

import { expect, test } from 'vitest'
import { keyText } from '../../../src/model/keys/key.ts'
import { DocumentCache } from '../../../src/store/sqlite/cache/document-cache.ts'
import type { StoredDocument } from '../../../src/store/store.ts'

function document(id: string, bytes = 100, etag = `etag of ${id}`): StoredDocument {
  return { key: { partition: [id], id }, etag, body: { id }, bytes }
}

function add(cache: DocumentCache, ...documents: StoredDocument[]): void {
  for (const each of documents) cache.add('books', `text of ${each.key.id}`, each)
}

const found = (cache: DocumentCache, id: string) => cache.document('books', document(id).key)

test('it never exceeds its size, and drops the least recently used documents', () => {
  const cache = new DocumentCache(100_000)
  add(cache, document('used'))
  for (let at = 0; at < 1000; at++) {
    add(cache, document(`b${at}`))
    expect(found(cache, 'used')).toBeDefined()
    expect(cache.bytes).toBeLessThanOrEqual(100_000)
  }
  expect(found(cache, 'b999')).toBeDefined()
  expect(found(cache, 'b0')).toBeUndefined()
})

test('documents that are read once do not replace those that are used again', () => {
  const cache = new DocumentCache(100_000)
  add(cache, document('used'), document('shown'))
  found(cache, 'used')
  cache.results.add('books', 'page', [document('shown')], [document('shown')])
  for (let at = 0; at < 10_000; at++) add(cache, document(`b${at}`))
  expect([found(cache, 'used')?.key.id, found(cache, 'shown')?.key.id]).toEqual(['used', 'shown'])
  expect(cache.results.get('books', 'page')).toBeDefined()
  expect(cache.bytes).toBeLessThanOrEqual(100_000)
  // A change keeps its place.
  add(cache, document('used', 100, 'changed'))
  for (let at = 0; at < 10_000; at++) add(cache, document(`c${at}`))
  expect(found(cache, 'used')?.etag).toBe('changed')
})

test('a document that is added again and again counts once', () => {
  const cache = new DocumentCache(1_000_000)
  for (let at = 0; at < 100; at++) add(cache, document('b1', 1000 + at, `etag ${at}`))
  const alone = new DocumentCache(1_000_000)
  add(alone, document('b1', 1099))
  expect(cache.bytes).toBe(alone.bytes)
  cache.invalidate('books', document('b1').key)
  expect(cache.bytes).toBe(0)
})

test('results take a quarter of the size, and a result with too many documents is not kept', () => {
  const cache = new DocumentCache(100_000)
  const page = Array.from({ length: 5 }, (_, at) => document(`b${at}`))
  for (let at = 0; at < 1000; at++) {
    cache.results.add('books', `query ${at}`, page, page)
    expect(cache.results.get('books', `query ${at}`)).toBe(page)
    expect(cache.bytes).toBeLessThanOrEqual(25_000)
  }
  expect(cache.results.get('books', 'query 0')).toBeUndefined()
  cache.results.add('books', 'all', page, Array.from({ length: 50 }, () => document('b1', 1000)))
  expect(cache.results.get('books', 'all')).toBeUndefined()
})

test('results by value are kept for each value, in the same quarter, until their container is written', () => {
  const cache = new DocumentCache(100_000)
  const page = [document('b1')]
  const about = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => ({ value: from + at, result: page, documents: page }))
  cache.results.addByValue('books', 'by price', about(0, 3))
  cache.results.addByValue('books', 'by price', about(2, 5))
  expect([-1, 0, 1, 2, 3, 4, 5].filter((value) => cache.results.byValue('books', 'by price')!.get(value) === page)).toEqual([0, 1, 2, 3, 4])
  expect(cache.results.byValue('books', 'by name')).toBeUndefined()
  for (let at = 0; at < 1000; at++) {
    cache.results.addByValue('books', 'by price', about(at, at + 2))
    expect(cache.results.byValue('books', 'by price')!.get(at)).toBe(page)
    expect(cache.bytes).toBeLessThanOrEqual(25_000)
  }
  expect(cache.results.byValue('books', 'by price')!.get(0)).toBeUndefined()
  cache.invalidate('books', document('b1').key)
  expect([cache.results.byValue('books', 'by price'), cache.bytes]).toEqual([undefined, 0])
})

test('a result keeps no dropped document alive', () => {
  const cache = new DocumentCache(100_000)
  const page = [document('b1')]
  add(cache, ...page)
  cache.results.add('books', 'page', page, page)
  expect(cache.results.get('books', 'page')).toBe(page)
  for (let at = 0; at < 200; at++) {
    add(cache, document(`other ${at}`))
    found(cache, `other ${at}`)
  }
  expect([found(cache, 'b1'), cache.results.get('books', 'page')]).toEqual([undefined, undefined])
})

test('results that are used stay with their documents, while others come and go', () => {
  const cache = new DocumentCache(100_000)
  const [page, byPrice] = [[document('b1')], [document('b2')]]
  add(cache, ...page, ...byPrice)
  cache.results.add('books', 'page', page, page)
  cache.results.addByValue('books', 'by price', [{ value: 7, result: byPrice, documents: byPrice }])
  for (let at = 0; at < 2000; at++) {
    const other = document(`other ${at}`)
    add(cache, other)
    cache.results.add('books', `page ${at}`, [other], [other])
    expect(cache.results.get('books', 'page')).toBe(page)
    expect(cache.results.byValue('books', 'by price')?.get(7)).toBe(byPrice)
    expect(cache.bytes).toBeLessThanOrEqual(100_000)
  }
  expect([found(cache, 'b1')?.key.id, found(cache, 'b2')?.key.id]).toEqual(['b1', 'b2'])
  expect(cache.results.get('books', 'page 0')).toBeUndefined()
})

test('a write drops its document and the results of its container, and nothing else', () => {
  const cache = new DocumentCache(100_000)
  add(cache, document('b1'), document('b2'))
  cache.results.add('books', 'count', 2, [])
  cache.results.add('authors', 'count', 3, [])
  cache.invalidate('books', document('b1').key)
  expect([found(cache, 'b1'), found(cache, 'b2')?.key.id]).toEqual([undefined, 'b2'])
  expect([cache.results.get('books', 'count'), cache.results.get('authors', 'count')]).toEqual([undefined, 3])
})

test('after invalidateAll, a document is used again once its etag has been read', () => {
  const cache = new DocumentCache(100_000)
  const b1 = document('b1')
  add(cache, b1, document('b2'))
  cache.results.add('books', 'count', 2, [])
  const version = cache.version
  cache.invalidateAll()
  expect(cache.version).not.toBe(version)
  expect([found(cache, 'b1'), cache.results.get('books', 'count')]).toEqual([undefined, undefined])
  expect(cache.withEtag('books', 'text of b1', 'another etag', true)).toBeUndefined()
  // A row with the same etag and another key was copied in the file by someone else.
  expect(cache.withEtag('books', 'text of b9', 'etag of b1', true)).toBeUndefined()
  expect(cache.withEtag('authors', 'text of b1', 'etag of b1', true)).toBeUndefined()
  // A row that may be outdated need not be parsed, but does not prove that the document is current.
  expect(cache.withEtag('books', 'text of b1', 'etag of b1', false)).toBe(b1)
  expect(found(cache, 'b1')).toBeUndefined()
  expect(cache.withEtag('books', 'text of b1', 'etag of b1', true)).toBe(b1)
  expect(found(cache, 'b1')).toBe(b1)
  expect(found(cache, 'b2')).toBeUndefined()
})

test('absent keys take one percent of the size, and a write drops its own', () => {
  const cache = new DocumentCache(100_000)
  for (let at = 0; at < 1000; at++) {
    cache.addAbsent('books', keyText(document(`b${at}`).key))
    expect(cache.isAbsent('books', keyText(document(`b${at}`).key))).toBe(true)
    expect(cache.bytes).toBeLessThanOrEqual(1000)
  }
  const [b998, b999] = [document('b998').key, document('b999').key]
  cache.invalidate('books', b998)
  expect([cache.isAbsent('books', keyText(b998)), cache.isAbsent('books', keyText(b999)), cache.isAbsent('authors', keyText(b999))]).toEqual([false, true, false])
  cache.invalidateAll()
  expect([cache.isAbsent('books', keyText(b999)), cache.bytes]).toEqual([false, 0])
})
