// The gateways that are attacked: in production and in development, on every store, knowing who asks and not, and
// everything open that can tell something: logs, metrics, pages, spans, the recorded workload.

import { join } from 'node:path'

export interface Profile {
  readonly name: string
  readonly store: 'sqlite' | 'memory' | 'cosmos'
  /** Who may do what the rules of the schema are about: whom its tokens let, nobody at all, or everyone. */
  readonly who: 'tokens' | 'nobody' | 'everyone'
  /** Whether there is anybody among the attackers who may write something. */
  readonly writes: boolean
  readonly env: Readonly<Record<string, string>>
  /** What share of all requests it gets. */
  readonly share: number
  /** What node runs instead of `quire start`. */
  readonly args?: readonly string[]
}

/** When it is told to end nobody is there any more who would have to hear of it. */
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
  // All that the rules keep others from takes the short way there.
  { name: 'production with everything open, SQLite', store: 'sqlite', who: 'everyone', writes: true, share: 10, env: production, args: [join(import.meta.dirname, '../servers/everything-open.ts')] },
  { name: 'development, SQLite', store: 'sqlite', who: 'everyone', writes: true, share: 10, env: development },
  { name: 'development, memory, recorded and traced', store: 'memory', who: 'everyone', writes: true, share: 10, env: { ...development, ...traced } },
  { name: 'development, Cosmos DB', store: 'cosmos', who: 'everyone', writes: true, share: 4, env: development },
]
