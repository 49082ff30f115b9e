import { expect, test } from 'vitest'
import { readAll } from '../../src/store/read-all.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import type { Store } from '../../src/store/store.ts'

const keyOf = (number: number) => ({ partition: [`${number}`], id: `${number}` })

async function openCounting(): Promise<{ store: Store; requests: number[] }> {
  const memory = await openMemoryStore([{ name: 'things', partitionKey: [['id']], indexes: [] }])
  await memory.write([1, 2, 4, 5].map((number) => ({ kind: 'put', container: 'things', key: keyOf(number), body: { id: `${number}` } })))
  const requests: number[] = []
  const readMany: Store['readMany'] = (container, keys, meter) => {
    requests.push(keys.length)
    return memory.readMany(container, keys, meter)
  }
  return { requests, store: { ...memory, supports: { ...memory.supports, keysPerRequest: 2 }, readMany } }
}

test('more keys than one request takes are read in several, in the order of the keys', async () => {
  const { store, requests } = await openCounting()
  const found = await readAll(store, 'things', [5, 4, 3, 2, 1].map(keyOf))
  expect(found.map((document) => document?.key.id)).toEqual(['5', '4', undefined, '2', '1'])
  expect(requests).toEqual([2, 2, 1])
})

test('no keys need no request', async () => {
  const { store, requests } = await openCounting()
  expect(await readAll(store, 'things', [])).toEqual([])
  expect(requests).toEqual([])
})
