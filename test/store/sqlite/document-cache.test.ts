// What a cache of documents holds and lets go, by itself. That it is never out of date is for
// sqlite-fresh.test.ts to show, with real files and several writers.

import { expect, test } from 'vitest'
import { DocumentCache } from '../../../src/store/sqlite/document-cache.ts'
import type { StoredDocument } from '../../../src/store/store.ts'

function document(id: string, bytes = 100, etag = `etag of ${id}`): StoredDocument {
  return { key: { partition: [id], id }, etag, body: { id }, bytes }
}

function keep(cache: DocumentCache, ...documents: StoredDocument[]): void {
  for (const each of documents) cache.keep('books', `text of ${each.key.id}`, each)
}

const found = (cache: DocumentCache, id: string) => cache.document('books', document(id).key)

test('it never holds more than its bytes, and lets go what was not used for longest', () => {
  const cache = new DocumentCache(100_000)
  keep(cache, document('used'))
  for (let at = 0; at < 1000; at++) {
    keep(cache, document(`b${at}`))
    expect(found(cache, 'used')).toBeDefined()
    expect(cache.bytes).toBeLessThanOrEqual(100_000)
  }
  expect(found(cache, 'b999')).toBeDefined()
  expect(found(cache, 'b0')).toBeUndefined()
})

test('documents of any size, written over and over, weigh what they weigh', () => {
  const cache = new DocumentCache(1_000_000)
  for (let at = 0; at < 100; at++) keep(cache, document('b1', 1000 + at, `etag ${at}`))
  const alone = new DocumentCache(1_000_000)
  keep(alone, document('b1', 1099))
  expect(cache.bytes).toBe(alone.bytes)
  cache.written('books', document('b1').key)
  expect(cache.bytes).toBe(0)
})

test('answers have a quarter of the room, and one whose documents would fill it is not kept', () => {
  const cache = new DocumentCache(100_000)
  const page = Array.from({ length: 5 }, (_, at) => document(`b${at}`))
  for (let at = 0; at < 1000; at++) {
    cache.keepAnswer('books', `question ${at}`, page, page)
    expect(cache.answer('books', `question ${at}`)).toBe(page)
    expect(cache.bytes).toBeLessThanOrEqual(25_000)
  }
  expect(cache.answer('books', 'question 0')).toBeUndefined()
  cache.keepAnswer('books', 'all', page, Array.from({ length: 50 }, () => document('b1', 1000)))
  expect(cache.answer('books', 'all')).toBeUndefined()
})

test('what is asked about many values is kept by value, within the same room, until its container is written', () => {
  const cache = new DocumentCache(100_000)
  const page = [document('b1')]
  const about = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => ({ value: from + at, answer: page, documents: page }))
  cache.keepAnswersAbout('books', 'by price', about(0, 3))
  cache.keepAnswersAbout('books', 'by price', about(2, 5))
  expect([...cache.answersAbout('books', 'by price')!.keys()]).toEqual([0, 1, 2, 3, 4])
  expect(cache.answersAbout('books', 'by name')).toBeUndefined()
  for (let at = 0; at < 1000; at++) {
    cache.keepAnswersAbout('books', 'by price', about(at, at + 2))
    expect(cache.answersAbout('books', 'by price')!.get(at)).toBe(page)
    expect(cache.bytes).toBeLessThanOrEqual(25_000)
  }
  expect(cache.answersAbout('books', 'by price')!.get(0)).toBeUndefined()
  cache.written('books', document('b1').key)
  expect([cache.answersAbout('books', 'by price'), cache.bytes]).toEqual([undefined, 0])
})

test('an answer keeps no document alive that is let go', () => {
  const cache = new DocumentCache(100_000)
  const page = [document('b1')]
  keep(cache, ...page)
  cache.keepAnswer('books', 'page', page, page)
  expect(cache.answer('books', 'page')).toBe(page)
  for (let at = 0; at < 200; at++) keep(cache, document(`other ${at}`))
  expect([found(cache, 'b1'), cache.answer('books', 'page')]).toEqual([undefined, undefined])
})

test('a write takes its document and the answers about its container, and nothing else', () => {
  const cache = new DocumentCache(100_000)
  keep(cache, document('b1'), document('b2'))
  cache.keepAnswer('books', 'count', 2, [])
  cache.keepAnswer('authors', 'count', 3, [])
  cache.written('books', document('b1').key)
  expect([found(cache, 'b1'), found(cache, 'b2')?.key.id]).toEqual([undefined, 'b2'])
  expect([cache.answer('books', 'count'), cache.answer('authors', 'count')]).toEqual([undefined, 3])
})

test('after anything may have been written, a document is believed again once its etag has been seen', () => {
  const cache = new DocumentCache(100_000)
  const b1 = document('b1')
  keep(cache, b1, document('b2'))
  cache.keepAnswer('books', 'count', 2, [])
  const { moment } = cache
  cache.distrust()
  expect(cache.moment).not.toBe(moment)
  expect([found(cache, 'b1'), cache.answer('books', 'count')]).toEqual([undefined, undefined])
  expect(cache.unchanged('books', 'text of b1', 'another etag', true)).toBeUndefined()
  // A row with the same etag and another key is a copy that someone made in the file.
  expect(cache.unchanged('books', 'text of b9', 'etag of b1', true)).toBeUndefined()
  expect(cache.unchanged('authors', 'text of b1', 'etag of b1', true)).toBeUndefined()
  // One that may be old by now is parsed no more than another, and not believed either.
  expect(cache.unchanged('books', 'text of b1', 'etag of b1', false)).toBe(b1)
  expect(found(cache, 'b1')).toBeUndefined()
  expect(cache.unchanged('books', 'text of b1', 'etag of b1', true)).toBe(b1)
  expect(found(cache, 'b1')).toBe(b1)
  expect(found(cache, 'b2')).toBeUndefined()
})
