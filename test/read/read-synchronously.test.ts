// Reads without a wave: when a store is asked at once, that it never is where somebody stands between, counts or
// refuses, and that it answers the same.

import { beforeEach, describe, expect, test, vi } from 'vitest'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { CallLog } from '../../src/read/call-log.ts'
import { ReadLog, type Asker } from '../../src/read/read-log.ts'
import { Reads } from '../../src/read/reads.ts'
import { selectionOf } from '../../src/read/selection.ts'
import { readSdl } from '../../src/model/sdl/read-sdl.ts'
import { OperationContext } from '../../src/store/operation-context.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import type { Store } from '../../src/store/store.ts'
import { withMeter } from '../../src/store/with-meter.ts'
import { TenantStore } from '../../src/store/tenants/tenant-store.ts'
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

function readsOf(given: Store, ...rest: [strategy?: Reads['strategy'], readLog?: ReadLog, calls?: CallLog]): Reads {
  const [strategy = 'batched', ...kept] = rest
  const reads = new Reads(given, strategy, ...kept)
  reads.oneAtATime = true
  return reads
}

/** Everything that can be asked at once: a document, a page, a count, and the documents of a level. */
function askAll(reads: Reads): unknown[] {
  const shelf = reads.levelLoader(film)
  const level = shelf.level()
  for (const id of ['f3', 'nobody']) shelf.slot(id, level, [])
  return [reads.document(film, 'f1', asker), reads.page(films, undefined, asker), reads.count(selectionOf(film), undefined, asker), shelf.read()]
}

function arePromises(answers: readonly unknown[]): boolean[] {
  return answers.map((answer) => answer instanceof Promise)
}

describe('one read at a time, from a store in this process', () => {
  test('is answered synchronously, with the same as in waves', async () => {
    const [once, waves] = [readsOf(store), new Reads(store, 'batched')]
    const answers = askAll(once)
    expect(arePromises(answers)).toEqual([false, false, false, false])
    expect(answers).toEqual(await Promise.all(askAll(waves)))
    expect(once.levelLoader(film).documents).toEqual(waves.levelLoader(film).documents)
    expect([...once.containers]).toEqual([...waves.containers])
  })

  test('finds no document of another type', () => {
    expect(readsOf(store).document(short, 'f1', asker)).toBeUndefined()
  })

  test('is not repeated when a level loads the same document later', async () => {
    const reads = readsOf(store)
    const before = reads.document(film, 'f1', asker)
    await store.write([{ kind: 'put', container: 'films', key: { partition: ['f1'], id: 'f1' }, body: { id: 'f1', type: 'film', changed: true } }])
    const shelf = reads.levelLoader(film)
    const place = shelf.slot('f1', shelf.level(), [])
    expect(shelf.read()).toBeUndefined()
    expect(shelf.documents[place]).toBe(before)
  })

  test('is rejected without a read when the operation was cancelled', async () => {
    const operationContext = new OperationContext({ id: 'r1', isGone: () => true })
    const answers = operationContext.enter(() => askAll(readsOf(store)))
    expect(arePromises(answers)).toEqual([true, true, true, true])
    for (const { status } of await Promise.allSettled(answers)) expect(status).toBe('rejected')
  })

  test('rejects when the store throws', async () => {
    const { layout: other } = readDeclaration(readSdl('type Other @document(container: "others") { id: ID! }'))
    const answers = askAll(readsOf(await openMemoryStore(other)))
    expect(arePromises(answers)).toEqual([true, true, true, true])
    for (const { status } of await Promise.allSettled(answers)) expect(status).toBe('rejected')
  })
})

describe('reads stay in waves', () => {
  test('when several are asked for side by side', () => {
    expect(arePromises(askAll(new Reads(store, 'batched')))).toEqual([true, true, true, true])
  })

  test('when calls are logged, and every call is logged', async () => {
    for (const calls of [new CallLog(), new ReadLog()]) {
      const reads = readsOf(store, 'batched', calls instanceof ReadLog ? calls : undefined, calls)
      await Promise.all(askAll(reads))
      expect(calls.calls.map(({ operation }) => operation).toSorted()).toEqual(['count', 'query', 'read'])
    }
  })

  test('in the naive strategy', () => {
    expect(arePromises(askAll(readsOf(store, 'naive')))).toEqual([true, true, true, true])
  })
})

describe('a store with a replaced method is asked through that method', () => {
  test('when it wraps another store', async () => {
    const { store: recording, calls } = recordingStore(store)
    await Promise.all(askAll(readsOf(recording)))
    expect(calls.map(({ method }) => method).toSorted()).toEqual(['count', 'query', 'readMany'])
    const metered: string[] = []
    await Promise.all(askAll(readsOf(withMeter(store, ({ operation }) => metered.push(operation)))))
    expect(metered.toSorted()).toEqual(['count', 'query', 'read'])
    expect(arePromises(askAll(readsOf(new TenantStore(store, 'a'))))).toEqual([true, true, true, true])
  })

  test('when one method is replaced', async () => {
    const failing: Store = { ...store, readMany: () => Promise.reject(new Error('Not today.')) }
    await expect(readsOf(failing).document(film, 'f1', asker)).rejects.toThrow('Not today.')
    expect(readsOf(failing).count(selectionOf(film), undefined, asker)).toBe(3)
  })

  test('when it is a proxy', async () => {
    const asked: string[] = []
    const proxy = new Proxy(store, {
      get: (target, name: keyof Store) => {
        const method = target[name] as unknown
        return typeof method === 'function' ? (...given: unknown[]) => (asked.push(name), method.apply(target, given) as unknown) : method
      },
    })
    await Promise.all(askAll(readsOf(proxy)))
    expect(asked.toSorted()).toEqual(['count', 'query', 'readMany'])
  })

  test('when it is spied upon', async () => {
    const spy = vi.spyOn(store, 'readMany')
    await readsOf(store).document(film, 'f1', asker)
    expect(spy).toHaveBeenCalledTimes(1)
  })
})
