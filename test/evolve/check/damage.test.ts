// Every way in which another program can damage documents: `check` finds it, repairs it where that is possible, and
// writes nothing else.

import { describe, expect, test } from 'vitest'
import type { Body } from '../../../src/model/json/json.ts'
import type { Supports } from '../../../src/store/store.ts'
import { unlikeStores } from '../../harness.ts'
import { documents, Journal, notes, plain, textWith } from './journal.ts'

interface Damage {
  readonly damage: (journal: Journal) => Promise<unknown>
  /** `kind Type.field id … facts`, with a + in front where a repair is possible. */
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
    findings: ['+ dangling Post.topic p3 … Post.topic of p3 … Topic 99 … null'],
    becomes: { 'posts/p3': { ...was('posts', 'p3'), topicId: null } },
    written: ['posts/p3'],
  },
  'a reference that may not be empty stays': {
    damage: (journal) => journal.damage('posts', 'p3', { siteId: 's9' }),
    findings: ['dangling Post.site p3 … Post.site of p3 … Site s9 … required'],
    becomes: { 'posts/p3': { ...was('posts', 'p3'), siteId: 's9' } },
  },
  'a reference that decides the partition stays': {
    damage: (journal) => journal.put('taggings', { id: 't2', postId: 'p9', tagId: '8' }),
    findings: ['dangling Tagging.post t2 … Tagging.post of t2 … Post p9 … partition key'],
    becomes: { 'taggings/t2': { id: 't2', tagId: '8' } },
  },
  'one of a list of references is taken out': {
    damage: (journal) => journal.damage('sites', 's2', { picks: ['x', '8'] }),
    findings: ['+ dangling Site.picks s2 … Site.picks of s2 … Topic x … from the list'],
    written: ['sites/s2'],
  },
  'a reference inside a contained object is emptied, and only where the object has that shape': {
    damage: (journal) => journal.damage('posts', 'p1', { content: [{ quote: 'So?', sourceId: 's1' }, { url: 'a.png', sourceId: 's1' }] }),
    findings: ['+ dangling Quote.by p1 … Quote.by in Post p1 … Writer s1 … null'],
    becomes: { 'posts/p1': { ...was('posts', 'p1'), content: [{ quote: 'So?', sourceId: null }, { url: 'a.png', sourceId: 's1' }] } },
    written: ['posts/p1'],
  },
  'a snapshot of nothing is taken out of its list, and the count follows': {
    damage: (journal) => journal.damage('posts', 'p2', { writers: [ada!, { id: 'zed', name: 'Zed', label: 'by Zed' }], countOfWriters: 2 }),
    findings: ['+ dangling Post.writers p2 … Post.writers of p2 … Writer zed … from the list'],
    written: ['posts/p2'],
  },
  'what is no id at all is taken out of a list too': {
    damage: (journal) => journal.damage('posts', 'p2', { writers: [null, ada!, { name: 'Zed' }], countOfWriters: 1 }),
    findings: [
      '+ dangling Post.writers p2 … Post.writers of p2 … Writer null … from the list',
      '+ dangling Post.writers p2 … Post.writers of p2 … Writer undefined … from the list',
    ],
    written: ['posts/p2'],
  },
  'a reference in an entry of a list is emptied, in the document and in a bucket': {
    damage: async (journal) => {
      await journal.damage('posts', 'p1', { recentNotes: [{ ...notes(9)[8], writerId: 'x' }, notes(9)[7]!] })
      await journal.damage('posts', 'p1.notes.1', { entries: [notes(9)[3]!, { ...notes(9)[4], writerId: 'y' }, notes(9)[5]!] })
    },
    findings: [
      '+ dangling Note.by p1 … Note.by in Post p1 … Writer x … null',
      '+ dangling Note.by p1.notes.1 … Note.by in Post.notes p1.notes.1 … Writer y … null',
    ],
    becomes: {
      'posts/p1': { ...was('posts', 'p1'), recentNotes: [{ ...notes(9)[8], writerId: null }, notes(9)[7]!] },
      'posts/p1.notes.1': { ...was('posts', 'p1.notes.1'), entries: [notes(9)[3]!, { ...notes(9)[4], writerId: null }, notes(9)[5]!] },
    },
    written: ['posts/p1', 'posts/p1.notes.1'],
  },

  'a copy that differs is made again': {
    damage: (journal) => journal.damage('posts', 'p1', { writers: [{ ...ada, name: 'Adele' }, { id: 'ben', label: 'Benny', nick: 'B' }] }),
    findings: ['+ drifted Post.writers p1 … differs from Writer ada in name, Writer ben in name and label and nick'],
    written: ['posts/p1'],
  },
  'a copy that claims to be newer than its document is made again': {
    damage: (journal) => journal.damage('writers', 'ben', { mentor: { id: 'ada', name: 'Adele', _v: 12 } }),
    findings: ['+ drifted Writer.mentor ben … differs from Writer ada in name'],
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
    findings: ['+ drifted Site.picks s2 … differs from Topic 8 in title'],
    written: ['sites/s2'],
  },
  'an inverse list has to list exactly those that point, and its count follows': {
    damage: (journal) => journal.damage('writers', 'ada', { posts: ['p3', 'p1', 'p1'], countOfPosts: 3 }),
    findings: ['+ drifted Writer.posts ada … p3, p1 … lacks p2'],
    written: ['writers/ada'],
  },
  'an inverse list in another order is no difference': {
    damage: (journal) => journal.damage('writers', 'ada', { posts: ['p2', 'p1'] }),
    findings: [],
    becomes: { 'writers/ada': { ...was('writers', 'ada'), posts: ['p2', 'p1'] } },
  },
  'fields derived from a repaired document are repaired too': {
    damage: async (journal) => {
      await journal.remove('writers', 'cy')
      await journal.put('writers', { id: 'ben', name: 'Benjamin', mentor: { id: 'cy', name: 'Cy' }, posts: [], countOfPosts: 5 })
    },
    findings: [
      '+ dangling Writer.mentor ben … Writer.mentor of ben … Writer cy … null',
      '+ drifted Writer.posts ben … lacks p1',
      '+ miscounted Writer.countOfPosts ben … 5 … expected 1',
      '+ drifted Post.writers p1 … differs from Writer ben in name and label',
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
    findings: ['+ miscounted Post.countOfWriters p1 … 7 … expected 2'],
    written: ['posts/p1'],
  },
  'a count of what is elsewhere, found by a reference and through joining documents': {
    damage: async (journal) => {
      await journal.put('topics', { id: '7' })
      await journal.damage('posts', 'p1', { 'tag-count': '1' })
    },
    findings: [
      '+ miscounted Post.countOfTags p1 … "1" … expected 1',
      '+ miscounted Topic.countOfPosts 7 … missing … expected 2',
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
    findings: ['+ miscounted Post.countOfNotes p1 … 8 … 9'],
    written: ['posts/p1'],
  },

  'newest entries in the wrong order': {
    damage: (journal) => journal.damage('posts', 'p1', { recentNotes: notes(9).slice(-2) }),
    findings: ['+ misplaced Post.notes p1 … newest … order … 9'],
    written: ['posts/p1'],
  },
  'too many entries in the document': {
    damage: async (journal) => {
      await journal.damage('posts', 'p1', { recentNotes: notes(9).toReversed().slice(0, 4) })
      await journal.damage('posts', 'p1.notes.1', { entries: notes(9).slice(3, 5) })
      await journal.remove('posts', 'p1.notes.2')
    },
    findings: ['+ misplaced Post.notes p1 … 4 entries … newest 2 … 9'],
    written: ['posts/p1', 'posts/p1.notes.1', 'posts/p1.notes.2'],
  },
  'an entry in the document and in its bucket': {
    damage: (journal) => journal.damage('posts', 'p1.notes.2', { entries: notes(9).slice(6, 8) }),
    findings: ['+ misplaced Post.notes p1 … n7 … 9'],
    written: ['posts/p1', 'posts/p1.notes.2'],
  },
  'newer entries in a bucket than in the document': {
    damage: async (journal) => {
      await journal.damage('posts', 'p1', { recentNotes: notes(9).slice(6, 8).toReversed() })
      await journal.damage('posts', 'p1.notes.2', { entries: notes(9).slice(8) })
    },
    findings: ['+ misplaced Post.notes p1 … newer entries in buckets … 9'],
    written: ['posts/p1', 'posts/p1.notes.2'],
  },
  'entries in the wrong bucket, and an overfull one': {
    damage: async (journal) => {
      await journal.damage('posts', 'p1.notes.0', { entries: notes(9).slice(0, 4) })
      await journal.damage('posts', 'p1.notes.1', { entries: notes(9).slice(4, 6) })
    },
    findings: ['+ misplaced Post.notes p1 … 4 entries in bucket p1.notes.0 … 3 … number 3 … bucket p1.notes.0 … 9'],
    written: ['posts/p1', 'posts/p1.notes.0', 'posts/p1.notes.1'],
  },
  'a bucket out of order, and an empty one': {
    damage: async (journal) => {
      await journal.damage('posts', 'p1.notes.0', { entries: notes(3).toReversed() })
      await journal.put('posts', { ...was('posts', 'p1.notes.0'), id: 'p1.notes.7', entries: [] })
    },
    findings: ['+ misplaced Post.notes p1 … bucket p1.notes.0 … empty … p1.notes.7 … 9'],
    written: ['posts/p1', 'posts/p1.notes.0', 'posts/p1.notes.7'],
  },
  'a bucket that is gone leaves a gap, which is closed': {
    damage: (journal) => journal.remove('posts', 'p1.notes.0'),
    findings: [
      '+ misplaced Post.notes p1 … 0 to 2 … 6',
      '+ miscounted Post.countOfNotes p1 … 9 … 6',
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
    findings: ['+ misplaced Post.notes p2 … without a number … 2 entries … number 0 … 3 entries … newest 2 … 1 more … 3'],
    becomes: {
      'posts/p2': { ...was('posts', 'p2'), recentNotes: [{ id: 'b', number: 2 }, { id: 'a', number: 1 }], countOfNotes: 3 },
      'posts/p2.notes.0': { id: 'p2.notes.0', type: 'notes', entries: [{ id: 'old', number: 0 }] },
    },
    written: ['posts/p2', 'posts/p2.notes.0'],
  },
  'what is in place of entries is taken out': {
    damage: (journal) => journal.damage('posts', 'p2', { recentNotes: [notes(1)[0]!, null, 'x'] }),
    findings: ['+ misplaced Post.notes p2 … 1'],
    written: ['posts/p2'],
  },
  'buckets of a document that does not exist are deleted, wherever they stand between the others': {
    damage: async (journal) => {
      for (const owner of ['aaa', 'p2x', 'zzz']) await journal.put('posts', { id: `${owner}.notes.0`, postId: owner, type: 'notes', entries: notes(1) })
      await journal.put('posts', { id: 'zzz.notes.1', postId: 'zzz', type: 'notes', entries: [{ id: 'x', writerId: 'nobody' }] })
    },
    findings: [
      '+ misplaced Post.notes aaa … a bucket … no such Post … delete',
      '+ misplaced Post.notes p2x … a bucket … no such Post … delete',
      '+ misplaced Post.notes zzz … 2 buckets … no such Post … delete',
    ],
    written: ['posts/aaa.notes.0', 'posts/p2x.notes.0', 'posts/zzz.notes.0', 'posts/zzz.notes.1'],
  },

  'a document that is nearly too large stays, and other findings about it are repaired': {
    damage: (journal) => journal.damage('topics', '8', { text: 'x'.repeat(1_700_000), countOfPosts: 4 }),
    findings: [
      '+ miscounted Topic.countOfPosts 8 … 4 … expected 0',
      'oversized Topic 8 … % … max document size',
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
      'drifted Writer.posts cy … lacks p3 … too large',
      'oversized Writer cy … % … max document size',
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

describe.each(unlikeStores)('on $name', ({ store }) => {
  test.each(Object.entries(damages))('%s', async (_, { damage, findings, becomes = {}, written = [] }) => {
    const journal = await Journal.open(store)
    await damage(journal)
    const before = await journal.everything()
    const found = await journal.check()
    expect(found.map(({ kind, at, id, sentence, repair }) => `${repair === 'possible' ? '+ ' : ''}${kind} ${at} ${id}: ${sentence}`)).toEqual(findings.map(textWith))
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
