// What a rule means for somebody who asks, as far as that can be said before any document is looked at.

import type { Rule } from '../model/rule.ts'
import type { Viewer } from './viewer.ts'

/** Free to see all of it, only what is their own, or nothing. */
export type Standing = 'free' | 'own' | 'refused'

export function standingOf({ by, roles, owner }: Rule, viewer: Viewer | undefined): Standing {
  if (by === 'PUBLIC') return 'free'
  if (!viewer) return 'refused'
  if (by === 'SIGNED_IN' || roles.some((role) => viewer.roles.has(role))) return 'free'
  return owner === undefined ? 'refused' : 'own'
}

/** What is left where several rules hold at once. */
export function narrower(one: Standing, other: Standing): Standing {
  return one === 'refused' || other === 'refused' ? 'refused' : one === 'own' ? one : other
}
