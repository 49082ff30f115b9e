// Reads many items by key with one call, which @azure/cosmos cannot. The program needs nothing of Quire but this function.
//
//   COSMOS_ENDPOINT=https://NAME.documents.azure.com COSMOS_KEY=… node read-many.ts

import { CosmosClient } from '@azure/cosmos'
import { openReadMany } from 'quire-graphql/cosmos/read-many'

interface Order {
  readonly id: string
  readonly customer: string
  readonly total: number
}

const { COSMOS_ENDPOINT: endpoint = '', COSMOS_KEY: key = '' } = process.env
// A local server has no regions to discover.
const client = new CosmosClient({ endpoint, key, connectionPolicy: { enableEndpointDiscovery: endpoint.startsWith('https:') } })
const { database } = await client.databases.createIfNotExists({ id: 'shop' })
const { container } = await database.containers.createIfNotExists({ id: 'orders', partitionKey: { paths: ['/customer'] } })
for (let number = 0; number < 50; number++) await container.items.upsert<Order>({ id: `o${number}`, customer: `c${number % 7}`, total: number })

// Once for each container: it reads the partition key and the physical partitions.
const readOrders = await openReadMany<Order>(container)

const keys = Array.from({ length: 60 }, (_, number) => ({ id: `o${number}`, partitionKey: `c${number % 7}` }))
const found = await readOrders(keys, AbortSignal.timeout(10_000))

let total = 0
for (const [index, result] of found.entries()) {
  if (result.status === 'found') total += result.item.total
  else if (result.status === 'failed') console.error(`${keys[index]?.id}:`, result.error)
}
console.log(`${found.filter(({ status }) => status === 'found').length} found, ${found.filter(({ status }) => status === 'missing').length} missing, ${total} in total`)
client.dispose()
