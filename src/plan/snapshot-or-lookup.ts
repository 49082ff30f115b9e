// Snapshot or lookup? Decided for one relation of an operation from the fields that it selects, the fields that are
// copied, and what the caller allows. The reason is kept, because the cost report and `quire explain` show it.

import type { Relation } from '../relations/kind.ts'
import type { Staleness, FieldPolicy } from './freshness.ts'

export interface Choice {
  readonly from: 'SNAPSHOT' | 'REFERENCE'
  readonly because: string
  /** Whether the lookup must not start from anything that is a copy itself, such as a stored list of ids. */
  readonly fresh?: boolean
  /** Whether the snapshot may answer after all if the store does not. */
  readonly orStale?: boolean
}

export interface Choosing {
  readonly relation: Relation
  /** The fields that are selected of its target. */
  readonly selected: ReadonlySet<string>
  /** The fields that its list is filtered and ordered by, where it is; `unknown` where a variable decides which. */
  readonly asked?: ReadonlySet<string> | 'unknown' | undefined
  readonly policy: FieldPolicy
  /** Undefined when snapshots are young enough for the policy. */
  readonly staleness: Staleness | undefined
  readonly naive: boolean
  /** Whether the viewer may see only some of the documents that are copied. */
  readonly hidden: boolean
}

export function choose({ relation, selected, asked, policy, staleness, naive, hidden }: Choosing): Choice {
  const { copied, fresh } = relation
  if (!copied) return lookUp(relation.lookupReason)
  const needed = asked && asked !== 'unknown' ? new Set([...selected, ...asked]) : selected
  const missing = [...needed].filter((field) => !copied.has(field) && field !== '__typename')
  const tooOld = relation.incompleteReason ?? (staleness && tooOldTexts[staleness])
  const orStale = policy.orStale && missing.length === 0 && asked !== 'unknown' && !relation.incompleteReason && !hidden
  if (fresh && tooOld) return { ...lookUp(tooOld, orStale), fresh: true }
  if (naive) return lookUp('the naive strategy looks everything up')
  if (hidden) return lookUp('you may see only your own documents, and a snapshot does not say whose they are')
  if (policy.from === 'REFERENCE') return lookUp('the request says from: REFERENCE', orStale)
  if (missing.length > 0) return lookUp(`${listed(missing)} not copied`)
  if (asked === 'unknown') return lookUp('a variable decides what it is filtered or ordered by')
  if (tooOld) return lookUp(tooOld, orStale)
  return { from: 'SNAPSHOT', because: whyCovered(needed, copied) }
}

export const tooOldTexts: Record<Staleness, string> = {
  TOO_OLD: 'the snapshot may be older than maxStaleMs allows',
  UNSEEN: 'the snapshot may not include what this client wrote',
}

function whyCovered(selected: ReadonlySet<string>, copied: ReadonlySet<string>): string {
  if (selected.size === 0) return copied.size === 0 ? 'the count is stored' : 'no field of it is selected'
  const used = [...selected].filter((field) => !['id', 'nodeId', '__typename'].includes(field))
  return used.length > 0 ? `${listed(used)} copied` : 'the reference itself holds the id'
}

function lookUp(because: string, orStale = false): Choice {
  return orStale ? { from: 'REFERENCE', because, orStale } : { from: 'REFERENCE', because }
}

/** "name is", "name and year are", "a, b and c are". */
export function listed(names: readonly string[]): string {
  const last = names.at(-1)
  return names.length === 1 ? `${last} is` : `${names.slice(0, -1).join(', ')} and ${last} are`
}
