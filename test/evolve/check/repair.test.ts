// What a repair does beyond one document: it runs until nothing more follows, it never overwrites other writers' changes,
// and it can be stopped.

import { writeAll } from '../../../src/store/write-all.ts'
import { describe, expect, test } from 'vitest'
import { checkStore, type Progress } from '../../../src/evolve/check/check-store.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { readSdl } from '../../../src/model/sdl/read-sdl.ts'
import type { Body } from '../../../src/model/json/json.ts'
import { StoreUnavailableError } from '../../../src/store/store-errors.ts'
import type { Store, Write } from '../../../src/store/store.ts'
import { stores, unlikeStores } from '../../harness.ts'
import { recordingStore } from '../../read/recording-store.ts'
import { Journal, notes, plain, putOf, textWith } from './journal.ts'

describe.each(unlikeStores)('on $name', ({ store: open }) => {
  test('a repair that makes another document wrong repairs that one too', async () => {
    const journal = await Journal.open(open)
    await journal.damage('sites', 's1', { picks: ['7', '8', 'x'] })
    await journal.damage('writers', 'ben', { home: { id: 's1', label: 's1 with 3 picks' } })
    expect((await journal.check()).map(({ sentence }) => sentence)).toEqual([
      textWith('Site.picks of s1 … Topic x'),
    ])
    const rounds = new Set<number>()
    const repaired = await journal.check({ repair: true, onProgress: ({ round }) => rounds.add(round) })
    expect(repaired.map(({ sentence, repair }) => `${repair}: ${sentence}`)).toEqual([
      textWith('done: Site.picks of s1 … Topic x'),
      textWith('done: Writer.home of ben differs from Site s1 in label'),
    ])
    expect([...rounds]).toEqual([1, 2, 3])
    expect(await journal.check()).toEqual([])
  })

  test('ids from before a relation became a snapshot become snapshots, and inverse lists are updated', async () => {
    const journal = await Journal.open(open)
    await journal.damage('posts', 'p1', { writers: ['ada', 'ben'] })
    expect((await journal.check({ repair: true })).map(({ sentence }) => sentence)).toEqual([
      textWith('Writer.posts of ada … wrong … p1'),
      textWith('Writer.posts of ben … wrong … p1'),
      textWith('Post.writers of p1 differs from Writer ada in name and label, Writer ben in name and label'),
      textWith('Writer.posts of ada lacks p1'),
      textWith('Writer.posts of ben lacks p1'),
    ])
    expect((await journal.find('posts', 'p1'))!.body['writers']).toMatchObject([{ id: 'ada', name: 'Ada', label: 'by Ada' }, { id: 'ben', name: 'Ben', label: 'by Ben' }])
    expect((await journal.find('writers', 'ada'))!.body).toMatchObject({ posts: ['p1', 'p2'], countOfPosts: 2 })
  })

  test('an id that is text where a number is declared becomes a number, and counts again', async () => {
    const journal = await Journal.open(open)
    await journal.damage('posts', 'p1', { topicId: '7' })
    expect((await journal.check()).map(({ sentence }) => sentence)).toEqual([
      textWith('Post.topic of p1 differs from Topic 7 in form'),
      textWith('Topic.countOfPosts of 7 … 2 … 1'),
    ])
    expect((await journal.check({ repair: true })).map(({ sentence }) => sentence)).toEqual([textWith('Post.topic of p1 differs from Topic 7 in form')])
    expect((await journal.find('posts', 'p1'))!.body['topicId']).toBe(7)
    expect(await journal.check()).toEqual([])
  })

  test('a repaired document gets a new version, and snapshots of it carry that version', async () => {
    const journal = await Journal.open(open)
    await journal.damage('writers', 'ada', { countOfPosts: 9, name: 'Adele', _v: 4 })
    await journal.check({ repair: true })
    expect((await journal.find('writers', 'ada'))!.body).toMatchObject({ countOfPosts: 2, _v: 5 })
    expect((await journal.find('posts', 'p2'))!.body['writers']).toEqual([{ id: 'ada', name: 'Adele', label: 'by Adele', _v: 5 }])
  })

  test('a document that another writer changes meanwhile is read again, and the rest of its chunk is repaired', async () => {
    const journal = await Journal.open(open)
    for (const id of ['p1', 'p2', 'p3']) await journal.damage('posts', id, { countOfWriters: 50 })
    const racing = new Journal(beforeWriting(journal.store, 1, () => journal.damage('posts', 'p2', { topicId: 8 })))
    const found = await racing.check({ repair: true })
    expect(found.map(({ sentence, repair }) => `${repair}: ${sentence}`)).toEqual([
      textWith('done: Post.countOfWriters of p1 … 50 … 2'),
      textWith('done: Post.countOfWriters of p3 … 50 … 0'),
      textWith('done: Post.countOfWriters of p2 … 50 … 1'),
      textWith('done: Topic.countOfPosts of 7 … 2 … 1'),
      textWith('done: Topic.countOfPosts of 8 … 0 … 1'),
    ])
    expect(plain((await journal.find('posts', 'p2'))!)).toMatchObject({ countOfWriters: 1, topicId: 8 })
    expect(await journal.check()).toEqual([])
  })

  test('a list that grows meanwhile is read again, and the new entry stays', async () => {
    const journal = await Journal.open(open)
    await journal.damage('posts', 'p2', { recentNotes: [{ id: 'n0', number: 5 }] })
    const racing = new Journal(beforeWriting(journal.store, 1, () => journal.damage('posts', 'p2', { recentNotes: [{ id: 'new', number: 6 }, { id: 'n0', number: 5 }], countOfNotes: 2 })))
    expect((await racing.check({ repair: true })).map(({ sentence }) => sentence)).toEqual([
      textWith('Post.notes of p2 … 0 to 4 … 2'),
    ])
    expect((await journal.find('posts', 'p2'))!.body).toMatchObject({ recentNotes: [{ id: 'new', number: 1 }, { id: 'n0', number: 0 }], countOfNotes: 2 })
  })

  test('a document that never stops changing is reported and not repaired', async () => {
    const journal = await Journal.open(open)
    await journal.damage('posts', 'p3', { countOfWriters: 5 })
    await journal.damage('posts', 'p2', { recentNotes: [{ id: 'n0', number: 5 }] })
    let turns = 0
    const racing = new Journal(beforeWriting(journal.store, Infinity, async () => {
      turns++
      await journal.damage('posts', 'p3', { turns })
      await journal.damage('posts', 'p2', { turns })
    }))
    expect((await racing.check({ repair: true })).map(({ at, id, repair }) => `${repair} ${at} ${id}`)).toEqual(['possible Post.countOfWriters p3', 'possible Post.notes p2'])
    expect(turns).toBe(10)
  })

  test('a write in progress is no finding', async () => {
    const journal = await Journal.open(open)
    // Renaming a writer changes its snapshots in the same write. By then the check has read the snapshot, but not the writer.
    const rename = once(() => writeAll(journal.store, [
      putOf('writers', { id: 'ada', name: 'Adele', posts: ['p1', 'p2'], countOfPosts: 2 }),
      putOf('posts', { ...plainPost('p1'), writers: [{ id: 'ada', name: 'Adele', label: 'by Adele' }, { id: 'ben', name: 'Ben', label: 'by Ben' }] }),
      putOf('posts', { ...plainPost('p2'), writers: [{ id: 'ada', name: 'Adele', label: 'by Adele' }] }),
      putOf('writers', { ...bodies.get('writers/ben')!, mentor: { id: 'ada', name: 'Adele' } }),
    ]))
    const grow = once(() => journal.damage('posts', 'p2', { recentNotes: [{ id: 'n1', number: 1 }, ...notes(1)], countOfNotes: 2 }))
    const bodies = new Map([...(await journal.everything())].map(([name, { body }]) => [name, body]))
    const plainPost = (id: string) => bodies.get(`posts/${id}`)!
    let postsRead = false
    const { store } = recordingStore(journal.store, { before: async ({ method, container }) => {
      if (postsRead && method === 'readMany' && container === 'writers') await rename()
      if (method === 'query' && container === 'posts') postsRead = true
      if (method === 'query' && container === 'topics') await grow()
    } })
    expect(await new Journal(store).check()).toEqual([])
    expect((await journal.find('writers', 'ada'))!.body['name']).toBe('Adele')
  })

  test('a document that is deleted meanwhile is no finding', async () => {
    const journal = await Journal.open(open)
    await journal.damage('topics', '8', { countOfPosts: 3 })
    await journal.damage('sites', 's1', { picks: ['7'] })
    await journal.damage('sites', 's2', { picks: [] })
    await journal.remove('taggings', 't1')
    await journal.damage('posts', 'p1', { 'tag-count': 0 })
    await journal.damage('writers', 'ben', { home: { id: 's1', label: 's1 with 1 picks' } })
    const racing = new Journal(beforeWriting(journal.store, 1, () => journal.remove('topics', '8')))
    expect(await racing.check({ repair: true })).toEqual([])
  })

  test('it reports progress, and can be stopped', async () => {
    const journal = await Journal.open(open)
    const told: Progress[] = []
    await journal.check({ onProgress: (progress) => told.push(progress) })
    expect(told[0]).toEqual({ round: 1, documents: 0, total: 14 })
    expect(told.at(-1)).toEqual({ round: 1, documents: 14, total: 14 })

    const stop = new AbortController()
    await journal.damage('taggings', 't1', { tagId: 'x' })
    const stopped = journal.check({ signal: stop.signal, onProgress: ({ documents }) => documents > 0 && stop.abort() })
    await expect(stopped).rejects.toThrow('This operation was aborted')
  })

  test('on a store that is atomic per partition, each partition is written separately', async () => {
    const journal = await Journal.open(open)
    for (const id of ['p1', 'p2', 'p3']) await journal.damage('posts', id, { countOfWriters: 50 })
    const partitions: number[] = []
    const supports = { ...journal.store.supports, atomic: 'partition' } as const
    const store: Store = { ...journal.store, supports, write(writes) {
      partitions.push(new Set(writes.map(({ key }) => JSON.stringify(key.partition))).size)
      return journal.store.write(writes)
    } }
    await new Journal(store).check({ repair: true })
    expect(partitions).toEqual([1, 1, 1])
    expect(await journal.check()).toEqual([])
  })
})

test('a derive function that throws is reported, and the check continues', async () => {
  const journal = await Journal.open(stores[0]!.store)
  await journal.damage('sites', 's1', { picks: null })
  await journal.damage('topics', '8', { countOfPosts: 3 })
  const found = await journal.check({ repair: true })
  expect(found.map(({ sentence, repair }) => `${repair}: ${sentence}`)).toEqual([
    textWith("impossible: Writer.home of ben … Cannot read properties of null (reading 'length')"),
    textWith('done: Topic.countOfPosts of 8 … 3 … 0'),
    textWith("impossible: Site.label of s1 … Cannot read properties of null (reading 'length')"),
  ])
})

test('an unavailable store ends the check', async () => {
  const journal = await Journal.open(stores[0]!.store)
  const { store } = recordingStore(journal.store, { before: ({ method }) => {
    if (method === 'countEach') throw new StoreUnavailableError('Nobody is there.')
  } })
  await expect(new Journal(store).check()).rejects.toThrow('Nobody is there.')
})

describe('a field that is derived from a snapshot and copied again', () => {
  const tree = readDeclaration(readSdl('type Shelf @document(container: "shelves") { id: ID! path: String! @derived parent: Shelf @snapshot(at: "parent", fields: ["path"]) }'), { Shelf: { path: pathOf } })
  const open = async (shelves: readonly Body[]) => {
    const store = await stores[0]!.store(tree.layout)
    await writeAll(store, shelves.map((body): Write => ({ kind: 'put', container: 'shelves', key: { partition: [String(body['id'])], id: String(body['id']) }, body })))
    return store
  }

  test('is repaired at any depth', async () => {
    const store = await open(Array.from({ length: 30 }, (_, depth) => ({ id: `s${depth}`, ...(depth > 0 ? { parent: { id: `s${depth - 1}`, path: '?' } } : {}) })))
    await Array.fromAsync(checkStore(tree, store, { repair: true }))
    const [deepest] = await store.readMany('shelves', [{ partition: ['s29'], id: 's29' }])
    expect(pathOf(deepest!.body)).toBe(Array.from({ length: 30 }, (_, depth) => `/s${depth}`).join(''))
    expect(await Array.fromAsync(checkStore(tree, store))).toEqual([])
  })

  test('fails with an error if it goes in a circle', async () => {
    const store = await open([{ id: 's', parent: { id: 's', path: '?' } }])
    await expect(Array.fromAsync(checkStore(tree, store, { repair: true }))).rejects.toThrow(/100 rounds.* circle/)
  })
})

test('an id in the partition key is not rewritten, even if it should be a number', async () => {
  const sites = readDeclaration(readSdl('type Site @document(container: "sites") { id: ID! } type Page @document(container: "pages", partitionKey: "/siteId") { id: ID! site: Site! @reference(at: "siteId", numeric: true) }'))
  const store = await stores[0]!.store(sites.layout)
  await writeAll(store, [
    { kind: 'put', container: 'sites', key: { partition: ['1'], id: '1' }, body: { id: '1' } },
    { kind: 'put', container: 'pages', key: { partition: ['1'], id: 'p' }, body: { id: 'p', siteId: '1' } },
  ])
  expect(await Array.fromAsync(checkStore(sites, store))).toEqual([])
})

/** A store on which another writer is faster, the first few times. */
function beforeWriting(store: Store, times: number, work: () => Promise<unknown>): Store {
  let left = times
  return { ...store, async write(writes) {
    if (left-- > 0) await work()
    return store.write(writes)
  } }
}

function once(work: () => Promise<unknown>): () => Promise<void> {
  let done = false
  return async () => {
    if (done) return
    done = true
    await work()
  }
}

function pathOf({ id, parent }: Body): string {
  const above = parent as { readonly path: string } | null | undefined
  return `${above?.path ?? ''}/${String(id)}`
}
