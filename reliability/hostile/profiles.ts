// The gateways that are attacked: in production and in development, on every store, with writes open and closed, and
// everything open that can tell something: logs, metrics, pages, spans, the recorded workload.

import { join } from 'node:path'

export interface Profile {
  readonly name: string
  readonly store: 'sqlite' | 'memory' | 'cosmos'
  readonly writes: boolean
  readonly env: Readonly<Record<string, string>>
  /** What share of all requests it gets. */
  readonly share: number
  /** What node runs instead of `quire start`. */
  readonly args?: readonly string[]
}

const open = { QUIRE_METRICS: 'open', QUIRE_PAGES: 'open', QUIRE_LOG: 'debug' }
const production = { ...open, NODE_ENV: 'production' }
const development = { ...open, NODE_ENV: 'development' }
const withWrites = [join(import.meta.dirname, 'open-writes.ts')]

export const profiles: readonly Profile[] = [
  { name: 'production, SQLite', store: 'sqlite', writes: false, share: 30, env: production },
  { name: 'development, SQLite', store: 'sqlite', writes: true, share: 20, env: development },
  { name: 'production with open writes, SQLite', store: 'sqlite', writes: true, share: 15, env: production, args: withWrites },
  { name: 'production, memory', store: 'memory', writes: false, share: 10, env: production },
  { name: 'development, memory, recorded and traced', store: 'memory', writes: true, share: 15, env: { ...development, QUIRE_RECORD: 'workload.json', RELIABILITY_SPANS: '1' } },
  { name: 'production, Cosmos DB', store: 'cosmos', writes: false, share: 5, env: production },
  { name: 'development, Cosmos DB', store: 'cosmos', writes: true, share: 5, env: development },
]
