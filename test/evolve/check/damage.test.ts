// Every way in which documents can come to disagree: written past Quire, found in a sentence, repaired
// where that is possible, and nothing else touched.

import { describe, expect, test } from 'vitest'
import type { Body } from '../../../src/model/json/json.ts'
import type { Supports } from '../../../src/store/store.ts'
import { stores } from '../../harness.ts'
import { documents, Journal, notes, plain } from './journal.ts'

interface Damage {
  readonly damage: (journal: Journal) => Promise<unknown>
  /** `kind Type.field id: sentence`, with a + in front where repair mends it. */
  readonly findings: readonly string[]
  /** Documents, by `container/id`, as they are after the repair, where that is not as they were before the damage. */
  readonly becomes?: Readonly<Record<string, Body | undefined>> | ((supports: Supports) => Readonly<Record<string, Body | undefined>>)
  /** Documents that a repair may write. */
  readonly written?: readonly string[]
}

const was = (container: string, id: string) => documents[container]!.find((body) => body['id'] === id)!
const [ada, ben] = was('posts', 'p1')['writers'] as Body[]

const damages: Readonly<Record<string, Damage>> = {
  'nothing at all': { damage: async () => undefined, findings: [] },

  'a reference to nothing is emptied': {
    damage: (journal) => journal.damage('posts', 'p3', { topicId: 99 }),
    findings: ['+ dangling Post.topic p3: Post.topic of p3 points at Topic 99, which does not exist. Repair empties it.'],
    becomes: { 'posts/p3': { ...was('posts', 'p3'), topicId: null } },
    written: ['posts/p3'],
  },
  'a reference that may not be empty stays': {
    damage: (journal) => journal.damage('posts', 'p3', { siteId: 's9' }),
    findings: ['dangling Post.site p3: Post.site of p3 points at Site s9, which does not exist. It may not be empty, so repair leaves it: restore s9, or point at another Site.'],
    becomes: { 'posts/p3': { ...was('posts', 'p3'), siteId: 's9' } },
  },
  'a reference that decides the partition stays': {
    damage: (journal) => journal.put('taggings', { id: 't2', postId: 'p9', tagId: '8' }),
    findings: ['dangling Tagging.post t2: Tagging.post of t2 points at Post p9, which does not exist. It decides the partition, so repair leaves it: restore p9, or point at another Post.'],
    becomes: { 'taggings/t2': { id: 't2', tagId: '8' } },
  },
  'one of a list of references is taken out': {
    damage: (journal) => journal.damage('sites', 's2', { picks: ['x', '8'] }),
    findings: ['+ dangling Site.picks s2: Site.picks of s2 points at Topic x, which does not exist. Repair takes it out of the list.'],
    written: ['sites/s2'],
  },
  'a reference inside a contained object is emptied, and only where the object has that shape': {
    damage: (journal) => journal.damage('posts', 'p1', { content: [{ quote: 'So?', sourceId: 's1' }, { url: 'a.png', sourceId: 's1' }] }),
    findings: ['+ dangling Quote.by p1: Quote.by in Post p1 points at Writer s1, which does not exist. Repair empties it.'],
    becomes: { 'posts/p1': { ...was('posts', 'p1'), content: [{ quote: 'So?', sourceId: null }, { url: 'a.png', sourceId: 's1' }] } },
    written: ['posts/p1'],
  },
  'a snapshot of nothing is taken out of its list, and the count follows': {
    damage: (journal) => journal.damage('posts', 'p2', { writers: [ada!, { id: 'zed', name: 'Zed', label: 'by Zed' }], countOfWriters: 2 }),
    findings: ['+ dangling Post.writers p2: Post.writers of p2 points at Writer zed, which does not exist. Repair takes it out of the list.'],
    written: ['posts/p2'],
  },
  'what is no id at all is taken out of a list too': {
    damage: (journal) => journal.damage('posts', 'p2', { writers: [null, ada!, { name: 'Zed' }], countOfWriters: 1 }),
    findings: [
      '+ dangling Post.writers p2: Post.writers of p2 points at Writer null, which does not exist. Repair takes it out of the list.',
      '+ dangling Post.writers p2: Post.writers of p2 points at Writer undefined, which does not exist. Repair takes it out of the list.',
    ],
    written: ['posts/p2'],
  },
  'a reference in an entry of a list is emptied, in the document and in a bucket': {
    damage: async (journal) => {
      await journal.damage('posts', 'p1', { recentNotes: [{ ...notes(9)[8], writerId: 'x' }, notes(9)[7]!] })
      await journal.damage('posts', 'p1.notes.1', { entries: [notes(9)[3]!, { ...notes(9)[4], writerId: 'y' }, notes(9)[5]!] })
    },
    findings: [
      '+ dangling Note.by p1: Note.by in Post p1 points at Writer x, which does not exist. Repair empties it.',
      '+ dangling Note.by p1.notes.1: Note.by in Post.notes p1.notes.1 points at Writer y, which does not exist. Repair empties it.',
    ],
    becomes: {
      'posts/p1': { ...was('posts', 'p1'), recentNotes: [{ ...notes(9)[8], writerId: null }, notes(9)[7]!] },
      'posts/p1.notes.1': { ...was('posts', 'p1.notes.1'), entries: [notes(9)[3]!, { ...notes(9)[4], writerId: null }, notes(9)[5]!] },
    },
    written: ['posts/p1', 'posts/p1.notes.1'],
  },

  'a copy that differs is made again': {
    damage: (journal) => journal.damage('posts', 'p1', { writers: [{ ...ada, name: 'Adele' }, { id: 'ben', label: 'Benny', nick: 'B' }] }),
    findings: ['+ drifted Post.writers p1: Post.writers of p1 differs from Writer ada in name, Writer ben in name and label and nick. Repair writes it anew.'],
    written: ['posts/p1'],
  },
  'a copy that claims to be newer than its document is made again': {
    damage: (journal) => journal.damage('writers', 'ben', { mentor: { id: 'ada', name: 'Adele', _v: 12 } }),
    findings: ['+ drifted Writer.mentor ben: Writer.mentor of ben differs from Writer ada in name. Repair writes it anew.'],
    written: ['writers/ben'],
  },
  'versions, the order of properties and null for nothing are no difference': {
    damage: async (journal) => {
      await journal.damage('writers', 'ben', { mentor: { _v: 3, name: 'Ada', id: 'ada', born: null } })
      await journal.damage('posts', 'p1', { writers: [{ ...ben, _v: 1 }, ada!] })
    },
    findings: [],
    becomes: { 'writers/ben': { ...was('writers', 'ben'), mentor: { _v: 3, name: 'Ada', id: 'ada', born: null } }, 'posts/p1': { ...was('posts', 'p1'), writers: [{ ...ben, _v: 1 }, ada!] } },
  },
  'copies where nothing but ids are wanted become ids': {
    damage: (journal) => journal.damage('sites', 's2', { picks: [{ id: '8', title: 'Eight' }] }),
    findings: ['+ drifted Site.picks s2: Site.picks of s2 differs from Topic 8 in title. Repair writes it anew.'],
    written: ['sites/s2'],
  },
  'an inverse list has to list exactly those that point, and its count follows': {
    damage: (journal) => journal.damage('writers', 'ada', { posts: ['p3', 'p1', 'p1'], countOfPosts: 3 }),
    findings: ['+ drifted Writer.posts ada: Writer.posts of ada lists p3, p1 wrongly and lacks p2. Repair lists what points here.'],
    written: ['writers/ada'],
  },
  'an inverse list in another order is no difference': {
    damage: (journal) => journal.damage('writers', 'ada', { posts: ['p2', 'p1'] }),
    findings: [],
    becomes: { 'writers/ada': { ...was('writers', 'ada'), posts: ['p2', 'p1'] } },
  },
  'what is derived from a document that is mended is mended too': {
    damage: async (journal) => {
      await journal.remove('writers', 'cy')
      await journal.put('writers', { id: 'ben', name: 'Benjamin', mentor: { id: 'cy', name: 'Cy' }, posts: [], countOfPosts: 5 })
    },
    findings: [
      '+ dangling Writer.mentor ben: Writer.mentor of ben points at Writer cy, which does not exist. Repair empties it.',
      '+ drifted Writer.posts ben: Writer.posts of ben lacks p1. Repair lists what points here.',
      '+ miscounted Writer.countOfPosts ben: Writer.countOfPosts of ben says 5, and it is 1. Repair writes 1.',
      '+ drifted Post.writers p1: Post.writers of p1 differs from Writer ben in name and label. Repair writes it anew.',
    ],
    becomes: {
      'writers/cy': undefined,
      'writers/ben': { id: 'ben', name: 'Benjamin', mentor: null, posts: ['p1'], countOfPosts: 1 },
      'posts/p1': { ...was('posts', 'p1'), writers: [ada!, { id: 'ben', name: 'Benjamin', label: 'by Benjamin', _v: 1 }] },
    },
    written: ['writers/ben', 'posts/p1'],
  },

  'a count of what is in the document': {
    damage: (journal) => journal.damage('posts', 'p1', { countOfWriters: 7 }),
    findings: ['+ miscounted Post.countOfWriters p1: Post.countOfWriters of p1 says 7, and it is 2. Repair writes 2.'],
    written: ['posts/p1'],
  },
  'a count of what is elsewhere, found by a reference and through joining documents': {
    damage: async (journal) => {
      await journal.put('topics', { id: '7' })
      await journal.damage('posts', 'p1', { 'tag-count': '1' })
    },
    findings: [
      '+ miscounted Post.countOfTags p1: Post.countOfTags of p1 says "1", and it is 1. Repair writes 1.',
      '+ miscounted Topic.countOfPosts 7: Topic.countOfPosts of 7 says nothing, and it is 2. Repair writes 2.',
    ],
    written: ['posts/p1', 'topics/7'],
  },
  'a count that is missing where there is nothing to count is no difference': {
    damage: (journal) => journal.put('topics', { id: '8' }),
    findings: [],
    becomes: { 'topics/8': { id: '8' } },
  },
  'the count of a list with buckets': {
    damage: (journal) => journal.damage('posts', 'p1', { countOfNotes: 8 }),
    findings: ['+ miscounted Post.countOfNotes p1: Post.countOfNotes of p1 says 8, and it is 9. Repair writes 9.'],
    written: ['posts/p1'],
  },

  'newest entries in the wrong order': {
    damage: (journal) => journal.damage('posts', 'p1', { recentNotes: notes(9).slice(-2) }),
    findings: ['+ misplaced Post.notes p1: Post.notes of p1 does not have its newest entries in order. Repair puts what it finds in order again, 9 in all.'],
    written: ['posts/p1'],
  },
  'too many entries in the document': {
    damage: async (journal) => {
      await journal.damage('posts', 'p1', { recentNotes: notes(9).toReversed().slice(0, 4) })
      await journal.damage('posts', 'p1.notes.1', { entries: notes(9).slice(3, 5) })
      await journal.remove('posts', 'p1.notes.2')
    },
    findings: ['+ misplaced Post.notes p1: Post.notes of p1 has 4 entries in the document, where the newest 2 belong. Repair puts what it finds in order again, 9 in all.'],
    written: ['posts/p1', 'posts/p1.notes.1', 'posts/p1.notes.2'],
  },
  'an entry in the document and in its bucket': {
    damage: (journal) => journal.damage('posts', 'p1.notes.2', { entries: notes(9).slice(6, 8) }),
    findings: ['+ misplaced Post.notes p1: Post.notes of p1 has entry n7 twice. Repair puts what it finds in order again, 9 in all.'],
    written: ['posts/p1', 'posts/p1.notes.2'],
  },
  'newer entries in a bucket than in the document': {
    damage: async (journal) => {
      await journal.damage('posts', 'p1', { recentNotes: notes(9).slice(6, 8).toReversed() })
      await journal.damage('posts', 'p1.notes.2', { entries: notes(9).slice(8) })
    },
    findings: ['+ misplaced Post.notes p1: Post.notes of p1 has newer entries in buckets than in the document. Repair puts what it finds in order again, 9 in all.'],
    written: ['posts/p1', 'posts/p1.notes.2'],
  },
  'entries in the wrong bucket, and an overfull one': {
    damage: async (journal) => {
      await journal.damage('posts', 'p1.notes.0', { entries: notes(9).slice(0, 4) })
      await journal.damage('posts', 'p1.notes.1', { entries: notes(9).slice(4, 6) })
    },
    findings: ['+ misplaced Post.notes p1: Post.notes of p1 has 4 entries in bucket p1.notes.0, which holds 3, and has number 3 in bucket p1.notes.0. Repair puts what it finds in order again, 9 in all.'],
    written: ['posts/p1', 'posts/p1.notes.0', 'posts/p1.notes.1'],
  },
  'a bucket out of order, and an empty one': {
    damage: async (journal) => {
      await journal.damage('posts', 'p1.notes.0', { entries: notes(3).toReversed() })
      await journal.put('posts', { ...was('posts', 'p1.notes.0'), id: 'p1.notes.7', entries: [] })
    },
    findings: ['+ misplaced Post.notes p1: Post.notes of p1 does not have bucket p1.notes.0 in order, and has an empty bucket p1.notes.7. Repair puts what it finds in order again, 9 in all.'],
    written: ['posts/p1', 'posts/p1.notes.0', 'posts/p1.notes.7'],
  },
  'a bucket that is gone leaves a gap, which is closed': {
    damage: (journal) => journal.remove('posts', 'p1.notes.0'),
    findings: [
      '+ misplaced Post.notes p1: Post.notes of p1 lacks the numbers 0 to 2. Repair puts what it finds in order again, 6 in all.',
      '+ miscounted Post.countOfNotes p1: Post.countOfNotes of p1 says 9, and it is 6. Repair writes 6.',
    ],
    becomes: {
      'posts/p1': { ...was('posts', 'p1'), recentNotes: renumbered(8, 7, 3), countOfNotes: 6 },
      'posts/p1.notes.0': { ...was('posts', 'p1.notes.0'), entries: renumbered(3, 5, 3) },
      'posts/p1.notes.1': { ...was('posts', 'p1.notes.1'), entries: renumbered(6, 6, 3) },
      'posts/p1.notes.2': undefined,
    },
    written: ['posts/p1', 'posts/p1.notes.0', 'posts/p1.notes.1', 'posts/p1.notes.2'],
  },
  'entries with the same number, and without one': {
    damage: (journal) => journal.damage('posts', 'p2', { recentNotes: [{ id: 'b', number: 0 }, { id: 'a', number: 0 }, { id: 'old' }], countOfNotes: 3 }),
    findings: ['+ misplaced Post.notes p2: Post.notes of p2 has entries without a number, and has 2 entries with the number 0, and has 3 entries in the document, where the newest 2 belong, and 1 more. Repair puts what it finds in order again, 3 in all.'],
    becomes: {
      'posts/p2': { ...was('posts', 'p2'), recentNotes: [{ id: 'b', number: 2 }, { id: 'a', number: 1 }], countOfNotes: 3 },
      'posts/p2.notes.0': { id: 'p2.notes.0', type: 'notes', entries: [{ id: 'old', number: 0 }] },
    },
    written: ['posts/p2', 'posts/p2.notes.0'],
  },
  'what is in place of entries is taken out': {
    damage: (journal) => journal.damage('posts', 'p2', { recentNotes: [notes(1)[0]!, null, 'x'] }),
    findings: ['+ misplaced Post.notes p2: Post.notes of p2 is not kept the way it is declared. Repair puts what it finds in order again, 1 in all.'],
    written: ['posts/p2'],
  },
  'buckets of a document that does not exist are deleted, wherever they stand between the others': {
    damage: async (journal) => {
      for (const owner of ['aaa', 'p2x', 'zzz']) await journal.put('posts', { id: `${owner}.notes.0`, postId: owner, type: 'notes', entries: notes(1) })
      await journal.put('posts', { id: 'zzz.notes.1', postId: 'zzz', type: 'notes', entries: [{ id: 'x', writerId: 'nobody' }] })
    },
    findings: [
      '+ misplaced Post.notes aaa: Post.notes of aaa has a bucket, and there is no such Post. Repair deletes what is left of it.',
      '+ misplaced Post.notes p2x: Post.notes of p2x has a bucket, and there is no such Post. Repair deletes what is left of it.',
      '+ misplaced Post.notes zzz: Post.notes of zzz has 2 buckets, and there is no such Post. Repair deletes what is left of it.',
    ],
    written: ['posts/aaa.notes.0', 'posts/p2x.notes.0', 'posts/zzz.notes.0', 'posts/zzz.notes.1'],
  },

  'a document that is nearly too large stays, and what else is wrong with it is mended': {
    damage: (journal) => journal.damage('topics', '8', { text: 'x'.repeat(1_700_000), countOfPosts: 4 }),
    findings: [
      '+ miscounted Topic.countOfPosts 8: Topic.countOfPosts of 8 says 4, and it is 0. Repair writes 0.',
      'oversized Topic 8: Topic 8 is at N % of the LIMIT bytes that a document can have. Repair leaves it: move what grows out of it.',
    ],
    becomes: { 'topics/8': { id: '8', countOfPosts: 0, text: 'x'.repeat(1_700_000) } },
    written: ['topics/8'],
  },
  'a repair that would make a document too large is not made': {
    damage: async (journal) => {
      await journal.damage('writers', 'cy', { text: asLongAsFits(journal.store.supports) })
      await journal.put('posts', { ...was('posts', 'p3'), writers: [{ id: 'cy', name: 'Cy', label: 'by Cy' }], countOfWriters: 1 })
    },
    findings: [
      'drifted Writer.posts cy: Writer.posts of cy lacks p3. Repair lists what points here. The document would be too large with it, so it stays.',
      'oversized Writer cy: Writer cy is at N % of the LIMIT bytes that a document can have. Repair leaves it: move what grows out of it.',
    ],
    becomes: (supports) => ({
      'writers/cy': { ...was('writers', 'cy'), text: asLongAsFits(supports) },
      'posts/p3': { ...was('posts', 'p3'), writers: [{ id: 'cy', name: 'Cy', label: 'by Cy' }], countOfWriters: 1 },
    }),
  },
}

/** A text with which the writer is as large as a document may be. */
function asLongAsFits({ documentBytes }: Supports): string {
  return 'x'.repeat(documentBytes - Buffer.byteLength(JSON.stringify({ id: 'cy', name: 'Cy', posts: [], countOfPosts: 0, text: '' })))
}

/** The notes from one number to another, with numbers that are so much lower. */
function renumbered(from: number, to: number, by: number): Body[] {
  const step = from <= to ? 1 : -1
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => from + index * step).map((number) => ({ ...notes(9)[number], number: number - by }))
}

describe.each(stores)('on $name', ({ store }) => {
  test.each(Object.entries(damages))('%s', async (_, { damage, findings, becomes = {}, written = [] }) => {
    const journal = await Journal.open(store)
    await damage(journal)
    const before = await journal.everything()
    const found = await journal.check()
    expect(found.map(({ kind, at, id, sentence, repair }) => `${repair === 'possible' ? '+ ' : ''}${kind} ${at} ${id}: ${sentence.replace(/at \d+ % of the \d+ bytes/, 'at N % of the LIMIT bytes')}`)).toEqual(findings)
    expect(await journal.everything()).toEqual(before)

    const repaired = await journal.check({ repair: true })
    expect(repaired).toEqual(found.map((finding) => (finding.repair === 'possible' ? { ...finding, repair: 'done' } : finding)))
    expect(await journal.check({ repair: true })).toEqual(found.filter(({ repair }) => repair === 'impossible'))

    const after = await journal.everything()
    const clean = Object.fromEntries(Object.entries(documents).flatMap(([container, bodies]) => bodies.map((body) => [`${container}/${String(body['id'])}`, body])))
    const expected = Object.fromEntries(Object.entries({ ...clean, ...(typeof becomes === 'function' ? becomes(journal.store.supports) : becomes) }).filter(([, body]) => body !== undefined).map(([name, body]) => [name, withoutOwner(body!)]))
    expect(Object.fromEntries([...after].map(([name, document]) => [name, plain(document)]))).toEqual(expected)
    const touched = [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name)?.etag !== after.get(name)?.etag)
    expect(touched.toSorted()).toEqual(written.toSorted())
  })
})

function withoutOwner({ postId: _, ...body }: Body): Body {
  return body
}
