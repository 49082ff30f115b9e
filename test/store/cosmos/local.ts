// An Azure account for tests: the protocol server in this process or, if COSMOS_ENDPOINT is set, a real account or an emulator that runs elsewhere.
// In this process every store has its own database; elsewhere stores share containers, one after the other.

import { randomUUID } from 'node:crypto'
import { CosmosClient } from '@azure/cosmos'
import { openCosmosStore, type CosmosSetting } from '../../../src/store/cosmos/cosmos-store.ts'
import type { ContainerLayout, Store } from '../../../src/store/store.ts'
import { openPooledStore } from './pooled-containers.ts'
import { startCosmosEmulator, type CosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'

const servers = new Map<number, Promise<CosmosEmulator>>()

/** The same for all tests of a file, with that many physical partitions in each container. */
export function localServer(partitions = 4): Promise<CosmosEmulator> {
  const server = servers.get(partitions) ?? startCosmosEmulator({ partitions })
  servers.set(partitions, server)
  return server
}

/** The endpoint and the key of the account. */
export async function account(partitions?: number): Promise<Pick<CosmosSetting, 'endpoint' | 'key'>> {
  const { COSMOS_ENDPOINT: endpoint, COSMOS_KEY: key } = process.env
  if (endpoint) return key ? { endpoint, key } : { endpoint }
  return localServer(partitions)
}

function clientOf(where: Pick<CosmosSetting, 'endpoint' | 'key'>): CosmosClient {
  return new CosmosClient({ ...where, connectionPolicy: { enableEndpointDiscovery: where.endpoint.startsWith('https:') } })
}

/** A machine that is busy with other tests may be slow. */
const patient = { deadlineMs: 50_000 }

/** An empty store that no other test uses. */
export async function openCosmosTestStore(layout: readonly ContainerLayout[], partitions?: number): Promise<Store> {
  const { endpoint, key } = await account(partitions)
  const where = { endpoint, ...(key === undefined ? {} : { key }) }
  if (process.env['COSMOS_ENDPOINT']) return openPooledStore(clientOf(where), { ...where, limits: patient }, layout)
  const database = `quire-test-${randomUUID()}`
  const store = await openCosmosStore({ database, create: true, limits: patient, ...where }, layout)
  const close = store.close.bind(store)
  let closed = false
  store.close = async () => {
    await close()
    if (closed) return
    closed = true
    const client = clientOf(where)
    await client.database(database).delete()
    client.dispose()
  }
  return store
}
