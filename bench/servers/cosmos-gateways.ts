// The gateways that the Cosmos DB suite compares: Quire as `quire start` runs it in production, and one that a team would write by hand. Both log
// one line per request.

import { join } from 'node:path'
import { cachePath } from '../data/sample.ts'
import type { CosmosProcess } from './cosmos-server.ts'
import { startServer, type Server, type ServerCommand } from './start-server.ts'

export interface CosmosGateway {
  readonly name: 'quire' | 'hand-written'
  readonly title: string
  readonly server: Server
}

const root = join(import.meta.dirname, '../..')

/** Quire is first: it fills the database that both read. */
export const cosmosGateways = [
  // No QUIRE_LOG: the default of `quire start`.
  { name: 'quire', title: 'Quire, log', command: { args: [join(root, 'bin/quire.js'), 'start'], cwd: root, env: { QUIRE_LOG: undefined, QUIRE_STORE: 'cosmos' } } },
  { name: 'hand-written', title: 'Yoga, DataLoader, SDK, log', command: { args: [join(root, 'bench/peers/cosmos-yoga.ts')], env: { BENCH_LOG: 'info' } } },
] as const satisfies (Omit<CosmosGateway, 'server'> & { readonly command: ServerCommand })[]

export async function startGateway({ name, title, command }: (typeof cosmosGateways)[number], { endpoint, key }: CosmosProcess): Promise<CosmosGateway> {
  const env = { ...command.env, COSMOS_ENDPOINT: endpoint, COSMOS_KEY: key }
  return { name, title, server: await startServer({ ...command, env, logFile: cachePath(`cosmos-${name}.log`) }) }
}
