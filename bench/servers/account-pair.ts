// Two gateways in one process, one as it is and one from which the account was taken out, over stores of their own
// with the same documents. The header `bench-gateway` says which one is asked. Whoever started it may ask for
// the processor time of the process so far. The first argument says which of the two is made first: what is compiled
// first may be compiled differently.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Gateway } from '../../src/gateway.ts'
import type * as Memory from '../../src/store/memory.ts'
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
  const named = (file: string): string => (side === 'with' ? file : withoutAccount(file))
  const { openSampleGateway } = (await import(named('./sample-gateway.ts'))) as typeof SampleGateway
  // The store of the same kind: a gateway and its store know each other by their modules.
  const { openMemoryStore } = (await import(named('../../src/store/memory.ts'))) as typeof Memory
  return openSampleGateway({ store: openMemoryStore })
}
