// Where the change feed ends: at 304 from every physical partition, never at an empty page.

import { expect, onTestFinished, test } from 'vitest'
import { openCosmosStore } from '../../../src/store/cosmos/cosmos-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { startCosmosEmulator, type CosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'

async function openShelf(): Promise<{ server: CosmosEmulator; store: Store; written: string[] }> {
  const server = await startCosmosEmulator({ partitions: 4 })
  const store = await openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'library', create: true }, [{ name: 'books', partitionKey: [['id']], indexes: [], followed: true }])
  onTestFinished(async () => {
    await store.close()
    await server.close()
  })
  const written = Array.from({ length: 20 }, (_, at) => `b${at}`)
  for (const id of written) await write(store, id)
  return { server, store, written }
}

const write = (store: Store, id: string) => store.write([{ kind: 'put', container: 'books', key: { partition: [id], id }, body: { id } }])

test.each([1, 2, 4, 7])('%i empty pages hide no changes: the end is told after all of them', async (emptyFeedPages) => {
  const { server, store, written } = await openShelf()
  server.faults.emptyFeedPages = emptyFeedPages
  const found: string[] = []
  for (let [point, end] = [undefined as string | undefined, false]; !end;) {
    const page = await store.changes('all', point, 3)
    found.push(...page.changes.map(({ key }) => key.id));
    [point, end] = [page.point, page.end]
  }
  expect(found.toSorted()).toEqual(written.toSorted())
})

test.each([0, 1, 3])('the present end of the feed is that of all partitions, whatever %i empty pages say', async (emptyFeedPages) => {
  const { server, store } = await openShelf()
  server.faults.emptyFeedPages = emptyFeedPages
  const point = await store.feedEnd('all')
  server.faults.emptyFeedPages = 0
  expect(await store.changes('all', point, 100)).toEqual({ changes: [], point, end: true })
  await write(store, 'new')
  expect((await store.changes('all', point, 100)).changes.map(({ key }) => key.id)).toEqual(['new'])
})
