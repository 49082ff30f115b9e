// Copy or lookup? Decided for a relation in an operation, from what is asked for, what is copied,
// and what the caller allows. The reason is kept, because a choice nobody can explain is a bug.

import type { Relation } from './relations/kind.ts'
import type { ReadPolicy } from './read-policy.ts'

export interface Choice {
  readonly from: 'SNAPSHOT' | 'REFERENCE'
  readonly because: string
}

/** How old the copies of this gateway's store can be at most, right now. */
export type StalenessBound = number

export function choose(relation: Relation, asked: ReadonlySet<string>, policy: ReadPolicy, boundMs: StalenessBound, naive: boolean): Choice {
  const { copied } = relation
  if (!copied) return lookUp(relation.because)
  if (naive) return lookUp('the naive way looks everything up')
  if (policy.from === 'REFERENCE') return lookUp('the request says from: REFERENCE')
  const beyond = [...asked].filter((field) => !copied.has(field) && field !== '__typename')
  if (beyond.length > 0) return lookUp(`${listed(beyond)} not copied`)
  if (policy.maxStaleMs !== undefined && boundMs > policy.maxStaleMs) {
    return lookUp(`copies may be ${boundMs} ms old and at most ${policy.maxStaleMs} ms are allowed`)
  }
  return { from: 'SNAPSHOT', because: reason(asked, copied) }
}

function reason(asked: ReadonlySet<string>, copied: ReadonlySet<string>): string {
  if (asked.size === 0) return copied.size === 0 ? 'the count is stored' : 'nothing of it is asked for'
  const used = [...asked].filter((field) => !['id', 'nodeId', '__typename'].includes(field))
  return used.length > 0 ? `${listed(used)} copied` : 'the reference itself holds the id'
}

function lookUp(because: string): Choice {
  return { from: 'REFERENCE', because }
}

/** "name is", "name and year are", "a, b and c are". */
function listed(names: readonly string[]): string {
  const last = names.at(-1)
  return names.length === 1 ? `${last} is` : `${names.slice(0, -1).join(', ')} and ${last} are`
}
