// The reads of one request, without GraphQL: which calls of the store they become. The batches are
// what is tested here; that the answers are right, stores and relations have tests of their own for.

import { describe, expect, test } from 'vitest'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { placed } from '../../src/model/keys/partition.ts'
import { ReadLog, type Asker } from '../../src/read/read-log.ts'
import { Reads } from '../../src/read/reads.ts'
import { selectionOf } from '../../src/read/selection.ts'
import type { DocumentType } from '../../src/model/model.ts'
import { readSdl } from '../../src/model/sdl/read-sdl.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import type { StoredDocument } from '../../src/store/store.ts'
import { recordingStore, type RecordedCall, type RecordingOptions } from './recording-store.ts'

const { model, layout } = readDeclaration(readSdl(`
  type Film @document(container: "films", type: "film") { id: ID! studio: Studio @reference(at: "studioId") }
  type Short @document(container: "films", type: "short") { id: ID! }
  type Studio @document(container: "studios") { id: ID! films: FilmConnection! @reverse(of: "Film.studio") }
  type Scan @document(container: "scans", partitionKey: { concat: ["day"], suffix: { random: 9 } }) { id: ID! day: String! }
`))
const film = model.documents.get('Film')!
const short = model.documents.get('Short')!
const studio = model.documents.get('Studio')!
const scan = model.documents.get('Scan')!

const documents = [
  ...['f1', 'f2', 'f3', 'f4', 'f5'].map((id, at) => [film, { id, type: 'film', studioId: at < 3 ? 's1' : 's2' }] as const),
  [short, { id: 'sh1', type: 'short' }] as const,
  ...['s1', 's2', 's3'].map((id) => [studio, { id }] as const),
  ...['x1', 'x2', 'x3'].map((id) => [scan, { id, day: 'monday' }] as const),
]

interface Setting extends RecordingOptions {
  readonly strategy?: Reads['strategy']
  readonly readLog?: ReadLog
}

async function openReads({ strategy = 'batched', readLog, ...options }: Setting = {}) {
  const memory = await openMemoryStore(layout)
  await memory.write(documents.map(([type, each]) => {
    const { partition, body } = placed(type, each)
    return { kind: 'put', container: type.container, key: { partition, id: each.id }, body }
  }))
  const { store, calls } = recordingStore(memory, options)
  return { reads: new Reads(store, strategy, readLog), calls }
}

function askerOf(field: string): Asker {
  return { field, place: { prev: undefined, key: field }, stage: 0 }
}

const asker = askerOf('Query.test')
const films = { ...selectionOf(film), orderBy: { path: ['id'], descending: false }, limit: 2 }
const ofStudio = (value: string) => ({ path: ['studioId'], value })

/** The calls as `method container keys`. */
function lines(calls: readonly RecordedCall[]): string[] {
  return calls.map(({ method, container, keys }) => [method, container, ...keys].join(' '))
}

function ids(found: readonly (StoredDocument | undefined)[]) {
  return found.map((document) => document?.key.id)
}

describe('documents', () => {
  test('in the same turn are one call', async () => {
    const { reads, calls } = await openReads()
    const found = await Promise.all(['f1', 'nobody', 'f3'].map(async (id) => reads.document(film, id, asker)))
    expect(ids(found)).toEqual(['f1', undefined, 'f3'])
    expect(lines(calls)).toEqual(['readMany films f1 nobody f3'])
  })

  test('that are loaded several times are one key and one object', async () => {
    const { reads, calls } = await openReads()
    const [one, , two] = await Promise.all(['f1', 'f2', 'f1'].map(async (id) => reads.document(film, id, asker)))
    expect(one).toBe(two)
    expect(lines(calls)).toEqual(['readMany films f1 f2'])
  })

  test('that were loaded before are not read again', async () => {
    const { reads, calls } = await openReads()
    await reads.document(film, 'f1', asker)
    await Promise.all(['f1', 'f2'].map(async (id) => reads.document(film, id, asker)))
    expect(lines(calls)).toEqual(['readMany films f1', 'readMany films f2'])
  })

  test('of two relations, and even of two types, share a round trip to their container', async () => {
    const readLog = new ReadLog()
    const { reads, calls } = await openReads({ readLog })
    await Promise.all([
      reads.document(film, 'f1', askerOf('Studio.first')),
      reads.document(film, 'f2', askerOf('Studio.last')),
      reads.document(film, 'f1', askerOf('Studio.last')),
      reads.document(short, 'sh1', askerOf('Short.self')),
    ])
    expect(lines(calls)).toEqual(['readMany films f1 f2 sh1'])
    expect(readLog.calls.map((call) => call.for)).toEqual([['Studio.first', 'Studio.last', 'Short.self']])
  })

  test('of two containers are two calls of one wave', async () => {
    const readLog = new ReadLog()
    const { reads, calls } = await openReads({ readLog })
    await Promise.all([reads.document(film, 'f1', asker), reads.document(studio, 's1', asker)])
    expect(lines(calls)).toEqual(['readMany films f1', 'readMany studios s1'])
    expect(readLog.calls.map(({ requestWave }) => requestWave)).toEqual([1, 1])
  })

  test('without a known partition are one query', async () => {
    const { reads, calls } = await openReads()
    const found = await Promise.all(['x3', 'nobody', 'x1', 'x3'].map(async (id) => reads.document(scan, id, asker)))
    expect(ids(found)).toEqual(['x3', undefined, 'x1', 'x3'])
    expect(lines(calls)).toEqual(['query scans'])
  })
})

describe('pages and counts', () => {
  test('of several parents are one call', async () => {
    const { reads, calls } = await openReads()
    const pages = await Promise.all(['s1', 's3', 's2', 's1'].map(async (id) => reads.page(films, ofStudio(id), asker)))
    expect(pages.map(ids)).toEqual([['f1', 'f2'], [], ['f4', 'f5'], ['f1', 'f2']])
    const counts = await Promise.all(['s1', 's3', 's2', 's1'].map(async (id) => reads.count(selectionOf(film), ofStudio(id), asker)))
    expect(counts).toEqual([3, 0, 2, 3])
    expect(lines(calls)).toEqual(['queryEach films s1 s3 s2', 'countEach films s1 s3 s2'])
  })

  test('of one parent are the plain call', async () => {
    const { reads, calls } = await openReads()
    expect(ids(await reads.page(films, ofStudio('s2'), asker))).toEqual(['f4', 'f5'])
    expect(await reads.count(selectionOf(film), ofStudio('s2'), asker)).toBe(2)
    expect(lines(calls)).toEqual(['query films', 'count films'])
  })

  test('without a parent are one call, even when loaded several times', async () => {
    const { reads, calls } = await openReads()
    const [one, two] = await Promise.all([reads.page(films, undefined, asker), reads.page(films, undefined, asker)])
    expect(ids(one)).toEqual(['f1', 'f2'])
    expect(two).toBe(one)
    expect(await Promise.all([reads.count(selectionOf(film), undefined, asker), reads.count(selectionOf(film), undefined, asker)])).toEqual([5, 5])
    expect(lines(calls)).toEqual(['query films', 'count films'])
  })

  test('that differ in anything are different calls of one wave', async () => {
    const readLog = new ReadLog()
    const { reads, calls } = await openReads({ readLog })
    await Promise.all([
      reads.page(films, ofStudio('s1'), asker),
      reads.page({ ...films, limit: 1 }, ofStudio('s1'), asker),
      reads.page({ ...films, orderBy: { path: ['id'], descending: true } }, ofStudio('s1'), asker),
      reads.page({ ...films, after: { value: 'f1', id: 'f1' } }, ofStudio('s1'), asker),
      reads.page({ ...films, where: { op: 'eq', path: ['id'], value: 'f1' } }, ofStudio('s1'), asker),
    ])
    expect(calls).toHaveLength(5)
    expect(readLog.calls.map(({ requestWave }) => requestWave)).toEqual([1, 1, 1, 1, 1])
  })
})

describe('more keys than the store takes in one request', () => {
  const supports = { keysPerRequest: 2 }

  test('are several calls of one wave, for documents', async () => {
    const readLog = new ReadLog()
    const { reads, calls } = await openReads({ supports, readLog })
    const found = await Promise.all(['f1', 'f2', 'f3', 'f1', 'f4', 'f5'].map(async (id) => reads.document(film, id, asker)))
    expect(ids(found)).toEqual(['f1', 'f2', 'f3', 'f1', 'f4', 'f5'])
    expect(lines(calls)).toEqual(['readMany films f1 f2', 'readMany films f3 f4', 'readMany films f5'])
    expect(readLog.calls.map(({ requestWave }) => requestWave)).toEqual([1, 1, 1])
  })

  test('are several queries, for documents without a known partition', async () => {
    const { reads, calls } = await openReads({ supports })
    const found = await Promise.all(['x1', 'x2', 'x3'].map(async (id) => reads.document(scan, id, asker)))
    expect(ids(found)).toEqual(['x1', 'x2', 'x3'])
    expect(lines(calls)).toEqual(['query scans', 'query scans'])
  })

  test('are several calls, for pages and for counts', async () => {
    const { reads, calls } = await openReads({ supports })
    const parents = ['s1', 's2', 's3', 's4']
    await Promise.all(parents.map(async (id) => Promise.all([reads.page(films, ofStudio(id), asker), reads.count(selectionOf(film), ofStudio(id), asker)])))
    expect(lines(calls)).toEqual(['queryEach films s1 s2', 'countEach films s1 s2', 'queryEach films s3 s4', 'countEach films s3 s4'])
  })
})

describe('a read that fails', () => {
  const down = new Error('studios are down')
  const failing = (which: (call: RecordedCall) => boolean) => ({ before: (call: RecordedCall) => (which(call) ? Promise.reject(down) : undefined) })

  test('fails only the loads that needed it', async () => {
    const { reads } = await openReads(failing(({ container }) => container === 'studios'))
    const [one, two, other] = await Promise.allSettled([
      reads.document(studio, 's1', asker), reads.document(studio, 's2', asker), reads.document(film, 'f1', asker),
    ])
    expect([one, two]).toEqual([{ status: 'rejected', reason: down }, { status: 'rejected', reason: down }])
    expect(other).toMatchObject({ status: 'fulfilled', value: { key: { id: 'f1' } } })
  })

  test('fails only its own chunk', async () => {
    const { reads } = await openReads({ supports: { keysPerRequest: 1 }, ...failing(({ keys }) => keys.includes('f2')) })
    const outcomes = await Promise.allSettled(['f1', 'f2', 'f3'].map(async (id) => reads.document(film, id, asker)))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test('does not stop later waves, and is retried by the next load', async () => {
    let failures = 1
    const { reads, calls } = await openReads(failing(() => failures-- > 0))
    await expect(reads.document(film, 'f1', asker)).rejects.toBe(down)
    expect(ids([await reads.document(film, 'f2', asker), await reads.document(film, 'f1', asker)])).toEqual(['f2', 'f1'])
    expect(lines(calls)).toEqual(['readMany films f1', 'readMany films f2', 'readMany films f1'])
  })

  test.each(['query', 'count'] as const)('is no different for a %s', async (method) => {
    const { reads } = await openReads(failing((call) => call.method === method))
    const [page, count] = await Promise.allSettled([reads.page(films, undefined, asker), reads.count(selectionOf(film), undefined, asker)])
    expect([page?.status, count?.status]).toEqual(method === 'query' ? ['rejected', 'fulfilled'] : ['fulfilled', 'rejected'])
  })
})

describe('waves', () => {
  test('wait for the slowest answer, so that what follows from all answers is batched', async () => {
    const slow = Promise.withResolvers<void>()
    const { reads, calls } = await openReads({ before: ({ container }) => (container === 'studios' ? slow.promise : undefined) })
    const oneAfterTheOther = async (first: DocumentType, id: string, next: string) => {
      await reads.document(first, id, asker)
      await reads.document(film, next, asker)
    }
    const following = Promise.all([oneAfterTheOther(film, 'f1', 'f2'), oneAfterTheOther(studio, 's1', 'f3')])
    await reads.document(film, 'f1', asker)
    slow.resolve()
    await following
    expect(lines(calls)).toEqual(['readMany films f1', 'readMany studios s1', 'readMany films f2 f3'])
  })

  test('are logged with their calls', async () => {
    const readLog = new ReadLog()
    const { reads } = await openReads({ readLog })
    await Promise.all([reads.document(studio, 's1', asker), reads.count(selectionOf(film), undefined, asker)])
    await reads.page(films, ofStudio('s1'), asker)
    expect(readLog.calls.map(({ requestWave: wave, operation, keys }) => `${wave} ${operation} ${keys}`)).toEqual(['1 read 1', '1 count 0', '2 query 0'])
  })
})

describe('the meter', () => {
  test('is passed to the store with every call when there is a read log', async () => {
    const readLog = new ReadLog()
    const { reads, calls } = await openReads({ readLog })
    await everything(reads)
    expect(lines(calls)).toEqual(['readMany films f1', 'query scans', 'query films', 'queryEach films s1 s2', 'count films', 'countEach films s1 s2'])
    expect(calls.every(({ metered }) => metered)).toBe(true)
    expect(readLog.calls).toHaveLength(calls.length)
  })

  test('is not passed to the store without a log', async () => {
    const { reads, calls } = await openReads()
    await everything(reads)
    expect(calls).toHaveLength(6)
    expect(calls.some(({ metered }) => metered)).toBe(false)
  })
})

describe('the naive strategy', () => {
  test('makes one call for every load', async () => {
    const readLog = new ReadLog()
    const { reads, calls } = await openReads({ strategy: 'naive', readLog })
    await Promise.all([
      ...['f1', 'f2', 'f1'].map(async (id) => reads.document(film, id, asker)),
      ...['x1', 'x1'].map(async (id) => reads.document(scan, id, asker)),
      ...['s1', 's2', 's1'].map(async (id) => reads.page(films, ofStudio(id), asker)),
      ...['s1', 's1'].map(async (id) => reads.count(selectionOf(film), ofStudio(id), asker)),
      reads.page(films, undefined, asker),
      reads.page(films, undefined, asker),
    ])
    const counted = Object.entries(Object.groupBy(lines(calls), (line) => line)).map(([line, all]) => `${all?.length} × ${line}`)
    expect(counted.toSorted()).toEqual(['1 × readMany films f2', '2 × count films', '2 × query scans', '2 × readMany films f1', '5 × query films'])
    expect([readLog.asked, new Set(readLog.calls.map(({ requestWave }) => requestWave))]).toEqual([12, new Set([1])])
  })

  test('caches nothing', async () => {
    const { reads, calls } = await openReads({ strategy: 'naive' })
    await reads.document(film, 'f1', asker)
    await reads.document(film, 'f1', asker)
    expect(lines(calls)).toEqual(['readMany films f1', 'readMany films f1'])
  })
})

/** Each way of asking the store, once. */
function everything(reads: Reads) {
  return Promise.all([
    reads.document(film, 'f1', asker),
    reads.document(scan, 'x1', asker),
    reads.page(films, undefined, asker),
    ...['s1', 's2'].map(async (id) => reads.page(films, ofStudio(id), asker)),
    reads.count(selectionOf(film), undefined, asker),
    ...['s1', 's2'].map(async (id) => reads.count(selectionOf(film), ofStudio(id), asker)),
  ])
}
