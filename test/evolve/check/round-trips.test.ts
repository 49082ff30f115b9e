// What a check costs: pages, and a few round trips for each, however many documents the page has.

import { writeAll } from '../../../src/store/write-all.ts'
import { expect, test } from 'vitest'
import { checkStore } from '../../../src/evolve/check/check-store.ts'
import type { Body } from '../../../src/model/json/json.ts'
import { stores, unlikeStores } from '../../harness.ts'
import { recordingStore, type RecordedCall } from '../../read/recording-store.ts'
import { journal, putOf } from './journal.ts'

/** A journal of that many posts, each with its own writer, topic and bucket with a note. */
function posts(count: number): [string, Body][] {
  return Array.from({ length: count }, (_, number): [string, Body][] => {
    const id = `p${number}`
    return [
      ['writers', { id: `w${number}`, name: 'W', posts: [id], countOfPosts: 1 }],
      ['topics', { id: `${number}`, countOfPosts: 1 }],
      ['posts', {
        id, type: 'post', writers: [{ id: `w${number}`, name: 'W', label: 'by W' }], countOfWriters: 1, topicId: number, siteId: 's', content: [{ quote: 'So?', sourceId: `w${number}` }],
        recentNotes: [{ id: 'c', number: 2 }, { id: 'b', number: 1 }], countOfNotes: 3, 'tag-count': 1,
      }],
      ['posts', { id: `${id}.notes.0`, type: 'notes', postId: id, entries: [{ id: 'a', number: 0, writerId: `w${number}` }] }],
      ['taggings', { id: `t${number}`, postId: id, tagId: `${number}` }],
    ]
  }).flat()
}

async function calls(open: (typeof stores)[number]['store'], count: number): Promise<string[]> {
  const store = await open(journal.layout)
  await writeAll(store, [putOf('sites', { id: 's', picks: [] }), ...posts(count).map(([container, body]) => putOf(container, body))])
  const recorded = recordingStore(store)
  for await (const finding of checkStore(journal, recorded.store)) throw new Error(finding.sentence)
  return recorded.calls.map(({ method, container }: RecordedCall) => `${method} ${container}`)
}

test.each(stores)('a page costs the same for few documents and for many ($name)', async ({ store }) => {
  const few = await calls(store, 5)
  expect(few).toEqual([
    'query writers', 'queryEach posts',
    'query posts', 'readMany writers', 'readMany topics', 'readMany sites', 'countEach taggings',
    'query topics', 'countEach posts',
    'query sites',
    'query taggings', 'readMany posts', 'readMany topics',
    // The bucketed lists: owners and buckets in the order of the owners, and the documents that the buckets reference.
    'query posts', 'query posts', 'readMany writers',
  ])
  expect(await calls(store, 400)).toEqual(few)
})

test.each(unlikeStores)('documents are read page by page ($name)', async ({ store }) => {
  const many = await calls(store, 1100)
  expect(many.filter((call) => call === 'query taggings')).toHaveLength(2)
  expect(many.filter((call) => call === 'countEach taggings')).toHaveLength(2)
})
