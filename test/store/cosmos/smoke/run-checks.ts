// Runs all checks on a database of their own, which is deleted afterwards.

import { randomUUID } from 'node:crypto'
import { CosmosClient } from '@azure/cosmos'
import { openCosmosStore, type CosmosSetting } from '../../../../src/store/cosmos/cosmos-store.ts'
import { checks, layout, type Smoke } from './checks.ts'

export interface Outcome {
  readonly name: string
  readonly passed: boolean
  readonly note: string
}

export async function runChecks({ endpoint, key }: Pick<CosmosSetting, 'endpoint'> & { readonly key: string }): Promise<Outcome[]> {
  const database = `quire-smoke-${randomUUID()}`
  const client = new CosmosClient({ endpoint, key, connectionPolicy: { enableEndpointDiscovery: endpoint.startsWith('https:') } })
  const reopen: Smoke['reopen'] = (create, containers = layout) => openCosmosStore({ endpoint, key, database, create }, containers)
  try {
    const store = await reopen(true)
    const outcomes: Outcome[] = []
    for (const [name, run] of checks) outcomes.push(await outcomeOf(name, () => run({ store, reopen, plain: (container) => client.database(database).container(container) })))
    await store.close()
    return outcomes
  } finally {
    await client.database(database).delete().catch(() => undefined)
    client.dispose()
  }
}

async function outcomeOf(name: string, run: () => Promise<string | void>): Promise<Outcome> {
  try {
    return { name, passed: true, note: (await run()) ?? '' }
  } catch (error) {
    return { name, passed: false, note: error instanceof Error ? error.message.split('\n')[0]! : String(error) }
  }
}
