// What a rule means for a viewer, as far as that is known before any document is read.

import type { Rule } from '../model/rule.ts'
import type { Viewer } from './viewer.ts'

/** All documents, only those that the viewer owns, or none. */
export type Verdict = 'free' | 'own' | 'refused'

export function verdictOf({ by, roles, owner }: Rule, viewer: Viewer | undefined): Verdict {
  if (by === 'PUBLIC') return 'free'
  if (!viewer) return 'refused'
  if (by === 'SIGNED_IN' || roles.some((role) => viewer.roles.has(role))) return 'free'
  return owner === undefined ? 'refused' : 'own'
}

/** The stricter of two verdicts, where both rules apply. */
export function narrower(one: Verdict, other: Verdict): Verdict {
  return one === 'refused' || other === 'refused' ? 'refused' : one === 'own' ? one : other
}
