// `npm run start:cosmos-local`: the whole gateway over Cosmos's own protocol, with a test server in
// this process instead of an account. What GraphiQL shows is real traffic of the SDK, charged by the
// cost model. Everything is gone when it stops.

import { runStart } from '../../../src/cli/start.ts'
import { startCosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'

const partitions = Number(process.env['COSMOS_PARTITIONS'] ?? 4)
const server = await startCosmosEmulator({ partitions })
console.log(`A Cosmos DB test server listens at ${server.endpoint}, with ${partitions} physical partitions in each container.`)
Object.assign(process.env, { QUIRE_STORE: 'cosmos', COSMOS_ENDPOINT: server.endpoint, COSMOS_KEY: server.key })
process.exitCode = await runStart(async () => process.env)
