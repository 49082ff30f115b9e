// What a caller says about copies: where answers may come from and how old they may be. Said by a
// header for the whole request, by `@read` on an operation, or by `@read` on a field for everything
// below it; the nearest word counts.

import { getDirectiveValues, type FieldNode, type GraphQLDirective, type OperationDefinitionNode } from 'graphql'
import { badInput } from './errors.ts'

export interface ReadPolicy {
  readonly from: 'AUTO' | 'SNAPSHOT' | 'REFERENCE'
  readonly maxStaleMs: number | undefined
}

export const anyAge: ReadPolicy = { from: 'AUTO', maxStaleMs: undefined }

/** The policy that a header sets for a whole request. */
export function policyFromHeader(value: string | null): ReadPolicy {
  if (value === null) return anyAge
  if (!/^\d{1,15}$/.test(value.trim())) throw badInput(`quire-max-stale-ms is "${value.slice(0, 40)}". Give a whole number of milliseconds.`)
  return { from: 'AUTO', maxStaleMs: Number(value) }
}

/** The policy below a node that may carry `@read`. */
export function policyBelow(
  above: ReadPolicy, directive: GraphQLDirective, nodes: readonly (FieldNode | OperationDefinitionNode)[], variables: Record<string, unknown>,
): ReadPolicy {
  return nodes.reduce((policy, node) => {
    if (!node.directives?.length) return policy
    const read = getDirectiveValues(directive, node, variables)
    return read ? nearer(policy, read['from'] as ReadPolicy['from'], read['maxStaleMs'] as number | null | undefined) : policy
  }, above)
}

/** `SNAPSHOT` lifts the age that was allowed further up; the other two keep it unless they give their own. */
function nearer(above: ReadPolicy, from: ReadPolicy['from'], maxStaleMs: number | null | undefined): ReadPolicy {
  if (maxStaleMs !== undefined && maxStaleMs !== null && maxStaleMs < 0) throw badInput(`@read(maxStaleMs: ${maxStaleMs}): give 0 or more milliseconds.`)
  return { from, maxStaleMs: maxStaleMs ?? (from === 'SNAPSHOT' ? undefined : above.maxStaleMs) }
}
