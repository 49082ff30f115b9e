// Deadlines over Cosmos DB: a read is not retried for a request whose deadline has passed, and a write that
// has begun has the time limit of any other call.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCosmosStore } from '../../../src/store/cosmos/cosmos-store.ts'
import { PhysicalPartitions } from '../../../src/store/cosmos/read-many/physical-partitions.ts'
import { Deadlines } from '../../../src/store/timing/deadlines.ts'
import { OperationContext } from '../../../src/store/operation-context.ts'
import { StoreUnavailableError } from '../../../src/store/store-errors.ts'
import type { Store } from '../../../src/store/store.ts'
import { startCosmosEmulator, type CosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'

let server: CosmosEmulator
let store: Store
beforeAll(async () => {
  server = await startCosmosEmulator({ partitions: 1 })
  store = await openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'library', create: true }, [{ name: 'books', partitionKey: [['pk']], indexes: [] }])
})
afterAll(async () => {
  await store.close()
  await server.close()
})

const key = { partition: ['p'], id: 'b1' }
const put = { kind: 'put', container: 'books', key, body: { id: 'b1', pk: 'p' } } as const

test('a read ends at the deadline of its request, long before its own time limit', async () => {
  await store.write([put])
  Object.assign(server.faults, { unavailable: 1 })
  let read: Promise<unknown> | undefined
  const operationContext = new OperationContext({ id: 'r1', deadlines: new Deadlines(100) })
  await expect(operationContext.run(() => {
    read = Promise.resolve(store.readMany('books', [key]))
    return read
  })).rejects.toThrow('this took longer than 100 ms')
  // The read had the remaining time of the request, and a moment more.
  await expect(read).rejects.toThrow(/^Cosmos DB did not answer in (\d\d|1[012]\d) ms\.$/)
  Object.assign(server.faults, { unavailable: 0 })
  await expect(operationContext.run(() => store.readMany('books', [key]))).rejects.toThrow('this took longer')
})

test('a write has the full time limit of a call, even if its request has little time left', async () => {
  Object.assign(server.faults, { unavailable: 1, lostAnswers: 0 })
  let write: Promise<unknown> | undefined
  const operationContext = new OperationContext({ id: 'r1', deadlines: new Deadlines(100) })
  await operationContext.run(() => (write = store.write([put]))).catch(() => undefined)
  Object.assign(server.faults, { unavailable: 0 })
  expect(await write).toHaveLength(1)
})

test('a request that shares a read with one whose deadline passes repeats the read itself', async () => {
  const [first, second] = [Promise.withResolvers<object>(), Promise.withResolvers<object>()]
  const answers = [first.promise, second.promise]
  const partitions = new PhysicalPartitions({ readPartitionKeyRanges: () => ({ fetchAll: () => answers.shift() }) } as never, { paths: ['/pk'] })
  const [late, other] = [partitions.refresh(), partitions.refresh()]
  first.reject(new StoreUnavailableError('Cosmos DB did not answer in 20 ms.'))
  await expect(late).rejects.toThrow('did not answer')
  second.resolve({ resources: [{ id: '0', minInclusive: '', maxExclusive: 'FF' }] })
  expect(await other).toHaveLength(1)
  expect(answers).toEqual([])
})
