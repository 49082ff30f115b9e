// The gateways to attack: production and development, on every store, with and without authentication, and with everything
// open that could leak: logs, metrics, pages, spans, the recorded workload.

import { join } from 'node:path'

export interface Profile {
  readonly name: string
  readonly store: 'sqlite' | 'memory' | 'cosmos'
  /** Who passes the schema's rules: viewers by their tokens, nobody, or everyone. */
  readonly who: 'tokens' | 'nobody' | 'everyone'
  /** Whether any attacker may write. */
  readonly writes: boolean
  readonly env: Readonly<Record<string, string>>
  /** Its share of all requests. */
  readonly share: number
  /** Arguments of node instead of `quire start`. */
  readonly args?: readonly string[]
}

/** No client is left at the end, so shutdown need not drain. */
const open = { QUIRE_METRICS: 'open', QUIRE_PAGES: 'open', QUIRE_LOG: 'debug', QUIRE_DRAIN_MS: '0' }
const production = { ...open, NODE_ENV: 'production' }
const development = { ...open, NODE_ENV: 'development' }
const traced = { QUIRE_RECORD: 'workload.json', RELIABILITY_SPANS: '1' }

export const profiles: readonly Profile[] = [
  { name: 'production, SQLite', store: 'sqlite', who: 'tokens', writes: true, share: 32, env: production },
  { name: 'production, memory', store: 'memory', who: 'tokens', writes: true, share: 10, env: production },
  { name: 'production, SQLite, recorded and traced', store: 'sqlite', who: 'tokens', writes: true, share: 10, env: { ...production, ...traced } },
  { name: 'production, Cosmos DB', store: 'cosmos', who: 'tokens', writes: true, share: 4, env: production },
  { name: 'production without identity, SQLite', store: 'sqlite', who: 'nobody', writes: false, share: 10, env: production },
  // Here requests that rules would reject take the fast path.
  { name: 'production with everything open, SQLite', store: 'sqlite', who: 'everyone', writes: true, share: 10, env: production, args: [join(import.meta.dirname, '../servers/everything-open.ts')] },
  { name: 'development, SQLite', store: 'sqlite', who: 'everyone', writes: true, share: 10, env: development },
  { name: 'development, memory, recorded and traced', store: 'memory', who: 'everyone', writes: true, share: 10, env: { ...development, ...traced } },
  { name: 'development, Cosmos DB', store: 'cosmos', who: 'everyone', writes: true, share: 4, env: development },
]
