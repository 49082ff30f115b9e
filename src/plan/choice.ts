// Copy or lookup? Decided for a relation in an operation, from what is asked for, what is copied,
// and what the caller allows. The reason is kept, because a choice nobody can explain is a bug.

import type { Relation } from '../relations/kind.ts'
import type { ReadPolicy } from './read-policy.ts'

export interface Choice {
  readonly from: 'SNAPSHOT' | 'REFERENCE'
  readonly because: string
  /** Whether even the lookup must not start from anything that is kept. */
  readonly fresh?: boolean
  /** Whether the copy may answer after all if the store does not. */
  readonly orStale?: boolean
}

/** What the copies of this gateway's store have seen. */
export interface Freshness {
  /** How old they can be at most. */
  readonly boundMs: number
  /** Every change before this moment has reached them. */
  readonly watermark: number
}

/** `hidden` where a viewer may see only some of what is copied. */
export function choose(relation: Relation, asked: ReadonlySet<string>, policy: ReadPolicy, freshness: Freshness, naive: boolean, hidden = false): Choice {
  const { copied, fresh } = relation
  if (!copied) return lookUp(relation.because)
  const beyond = [...asked].filter((field) => !copied.has(field) && field !== '__typename')
  const tooOld = relation.notYet ?? whyTooOld(policy, freshness)
  const orStale = policy.orStale && beyond.length === 0 && !relation.notYet && !hidden
  if (fresh && tooOld) return { ...lookUp(tooOld, orStale), fresh: true }
  if (naive) return lookUp('the naive way looks everything up')
  if (hidden) return lookUp('only your own may be shown, and copies do not tell whose they are')
  if (policy.from === 'REFERENCE') return lookUp('the request says from: REFERENCE', orStale)
  if (beyond.length > 0) return lookUp(`${listed(beyond)} not copied`)
  if (tooOld) return lookUp(tooOld, orStale)
  return { from: 'SNAPSHOT', because: reason(asked, copied) }
}

function whyTooOld({ maxStaleMs, seenMs }: ReadPolicy, { boundMs, watermark }: Freshness): string | undefined {
  if (maxStaleMs !== undefined && boundMs > maxStaleMs) return `copies may be ${boundMs} ms old and at most ${maxStaleMs} ms are allowed`
  return watermark < seenMs ? 'copies may not have seen what this client wrote' : undefined
}

function reason(asked: ReadonlySet<string>, copied: ReadonlySet<string>): string {
  if (asked.size === 0) return copied.size === 0 ? 'the count is stored' : 'nothing of it is asked for'
  const used = [...asked].filter((field) => !['id', 'nodeId', '__typename'].includes(field))
  return used.length > 0 ? `${listed(used)} copied` : 'the reference itself holds the id'
}

function lookUp(because: string, orStale = false): Choice {
  return orStale ? { from: 'REFERENCE', because, orStale } : { from: 'REFERENCE', because }
}

/** "name is", "name and year are", "a, b and c are". */
function listed(names: readonly string[]): string {
  const last = names.at(-1)
  return names.length === 1 ? `${last} is` : `${names.slice(0, -1).join(', ')} and ${last} are`
}
