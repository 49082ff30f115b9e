// What an account must be like to be opened, and what an identity of Entra ID is told that cannot create what is missing.

import { expect, onTestFinished, test } from 'vitest'
import { openCosmosStore } from '../../../src/store/cosmos/cosmos-store.ts'
import { SetupError } from '../../../src/store/store-errors.ts'
import type { Store } from '../../../src/store/store.ts'
import { openClient } from '../../emulator/open-account.ts'
import { startCosmosEmulator, type CosmosEmulator, type EmulatorOptions } from '../../../src/emulator/cosmos-emulator.ts'

const layout = [{ name: 'books', partitionKey: [['shelf']], indexes: [{ type: 'book', orderBy: ['name'] }] }]

async function serverWith(options: EmulatorOptions): Promise<CosmosEmulator> {
  const server = await startCosmosEmulator(options)
  onTestFinished(() => server.close())
  return server
}

async function refusalOf(opening: Promise<Store>): Promise<string> {
  const error: unknown = await opening.then((store) => store.close(), (reason: unknown) => reason)
  expect(error).toBeInstanceOf(SetupError)
  return (error as SetupError).message
}

test.each(['Eventual', 'ConsistentPrefix'])('an account with %s consistency is refused', async (level) => {
  const { endpoint, key } = await serverWith({ properties: { userConsistencyPolicy: { defaultConsistencyLevel: level } } })
  expect(await refusalOf(openCosmosStore({ endpoint, key, database: 'library', create: true }, layout))).toContain(level)
})

// Etags are compared within a region, and conflicts between regions are resolved later, by the last writer: Microsoft's page on transactions and
// optimistic concurrency control.
test('an account that writes in several regions is refused', async () => {
  const { endpoint, key } = await serverWith({ properties: { enableMultipleWriteLocations: true } })
  expect(await refusalOf(openCosmosStore({ endpoint, key, database: 'library', create: true }, layout))).toContain('several regions')
})

test('an identity of Entra ID is told what is missing, not to get a role that it has', async () => {
  const server = await serverWith({})
  const create = openClient(server)
  const open = async (): Promise<string> => {
    server.faults.asIdentity = true
    const message = await refusalOf(openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'library', create: true }, layout))
    server.faults.asIdentity = false
    return message
  }
  const message = await open()
  expect(message).toContain('The database "library" is missing')
  expect(message).not.toContain('role')
  const { database } = await create.databases.create({ id: 'library' })
  expect(await open()).toContain('The container "books" is missing')
  await database.containers.create({ id: 'books', partitionKey: { paths: ['/shelf'], version: 2 } })
  expect(await open()).toMatch(/"books" lacks indexes.*"compositeIndexes"/)
  create.dispose()
})
