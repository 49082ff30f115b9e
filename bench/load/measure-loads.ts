// Compares several loads: one warm-up, then rounds in which each load runs once.

import { interleaved } from '../interleaved.ts'
import { pinned, type Server } from '../servers/start-server.ts'
import type { Options } from '../suite.ts'
import type { LoadProcess, Measured } from './load-process.ts'
import type { Load } from './run-load.ts'

/** A load without what all loads of a suite share. */
export interface LoadEntry extends Omit<Load, 'port' | 'connections' | 'seconds'> {
  readonly server: Server
  readonly connections?: number
}

export const defaultConnections = 10

export function howLoaded({ rounds, seconds }: Options): string {
  return `${rounds} rounds of ${seconds} s, ${pinned ? 'server and load on a core each' : 'server and load not pinned to cores'}`
}

export async function measureLoads<E extends LoadEntry>(entries: readonly E[], load: LoadProcess, { rounds, seconds }: Options): Promise<Map<E, Measured[]>> {
  const run = ({ server, bodies, headers = {}, connections = defaultConnections, answers = 'same length' }: E) => {
    server.emptyLog()
    return load.run({ port: server.port, bodies, headers, connections, seconds, answers }, server.pid)
  }
  await interleaved(1, entries, run)
  return interleaved(rounds, entries, run)
}
