// Two gateways in one process, one as it is and one from which the account was taken out, over stores of their own
// with the same documents. The header `bench-gateway` says which one is asked. Whoever started it may ask for
// the processor time of the process so far. The first argument says which of the two is made first: what is compiled
// first may be compiled differently.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Gateway } from '../../src/gateway.ts'
import { openMemoryStore } from '../../src/store/memory.ts'
import type * as SampleGateway from './sample-gateway.ts'
import { withoutAccount } from './without-account.ts'

export type Side = 'with' | 'without'

const sides: readonly Side[] = process.argv[2] === 'without' ? ['without', 'with'] : ['with', 'without']
const gateways = new Map<string | string[] | undefined, Gateway>()
for (const side of sides) gateways.set(side, await open(side))

const server = createServer((request, response) => void gateways.get(request.headers['bench-gateway'])!(request, response))
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send!(user + system)
})
process.on('disconnect', () => process.exit())

async function open(side: Side): Promise<Gateway> {
  const file = './sample-gateway.ts'
  const { openSampleGateway } = (await import(side === 'with' ? file : withoutAccount(file))) as typeof SampleGateway
  return openSampleGateway({ store: openMemoryStore })
}
