// What a plan depends on beside the text of its operation: variables in `@skip`, `@include` and `@read`, and
// whether copies are young enough for what is allowed, and what rules decide for whoever asks, but not who that is.
// Requests that agree on it share a plan.

import { Kind, visit, type DocumentNode, type ValueNode } from 'graphql'
import type { Freshness } from './choice.ts'
import type { Access } from '../auth/access.ts'
import type { ReadPolicy } from './read-policy.ts'

export interface PlanInputs {
  /** The variables that decide. */
  readonly variables: readonly string[]
  /** The ages that `@read` allows, as numbers or by the name of their variable. */
  readonly ages: readonly (number | string)[]
}

export function planInputsIn(document: DocumentNode): PlanInputs {
  const variables = new Set<string>()
  const ages = new Set<number | string>()
  visit(document, {
    [Kind.DIRECTIVE]({ name, arguments: given = [] }) {
      if (!['skip', 'include', 'read'].includes(name.value)) return
      for (const argument of given) {
        if (argument.value.kind === Kind.VARIABLE) variables.add(argument.value.name.value)
        if (argument.name.value === 'maxStaleMs') ages.add(ageOf(argument.value))
      }
    },
  })
  return { variables: [...variables], ages: [...ages] }
}

/** Equal for requests that one plan serves. */
export function planKey(deciding: PlanInputs, variables: Record<string, unknown>, policy: ReadPolicy, { boundMs, watermark }: Freshness, access?: Access): string {
  const { maxStaleMs, seenMs, from, orStale } = policy
  const tooOld = (ms: unknown): boolean => typeof ms === 'number' && boundMs > ms
  const plain = deciding.variables.length === 0 && deciding.ages.length === 0 && maxStaleMs === undefined
  const who = access?.name ?? ''
  if (plain && seenMs <= watermark) return who + from
  return who + JSON.stringify([
    from, orStale, seenMs > watermark, maxStaleMs === undefined ? null : tooOld(maxStaleMs),
    deciding.variables.map((name) => variables[name]),
    deciding.ages.map((age) => tooOld(typeof age === 'string' ? variables[age] : age)),
  ])
}

function ageOf(value: ValueNode): number | string {
  if (value.kind === Kind.VARIABLE) return value.name.value
  return value.kind === Kind.INT ? Number(value.value) : Infinity
}
