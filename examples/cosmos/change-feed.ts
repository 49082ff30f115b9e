// Follows the changes of a container with a change feed processor, which @azure/cosmos lacks. Start the program several times,
// and the instances share the work. It writes some orders, handles them, and ends.
//
//   COSMOS_ENDPOINT=https://NAME.documents.azure.com COSMOS_KEY=… node change-feed.ts

import { hostname } from 'node:os'
import { CosmosClient } from '@azure/cosmos'
import { createChangeFeedProcessor } from 'quire-graphql/cosmos/change-feed'

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
const { container: leaseContainer } = await database.containers.createIfNotExists({ id: 'leases', partitionKey: { paths: ['/id'] } })

const invoiced = new Set<string>()
const processor = createChangeFeedProcessor<Order>({
  container,
  leaseContainer,
  processorName: 'invoices',
  instanceName: hostname(),
  startFrom: 'beginning',
  onChanges(orders, { leaseToken, attempt }) {
    // At least once: an order may come again, so what happens here has to be repeatable.
    for (const { id } of orders) invoiced.add(id)
    console.log(`${orders.length} orders of the range ${leaseToken}, attempt ${attempt}`)
  },
  onError: (error, { leaseToken = 'all ranges' }) => console.error(`${leaseToken}:`, error),
})
await processor.start()

for (let number = 0; number < 50; number++) await container.items.upsert<Order>({ id: `o${number}`, customer: `c${number % 7}`, total: number })

const lag = async (): Promise<number> => (await processor.estimateLag()).reduce((sum, { estimatedLag }) => sum + estimatedLag, 0)
while ((await lag()) > 0) await new Promise((resolve) => setTimeout(resolve, 500))

// Finishes what is being handled, stores the checkpoints, and gives the leases back.
await processor.stop()
console.log(`${invoiced.size} orders invoiced`)
client.dispose()
