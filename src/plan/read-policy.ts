// What a caller says about copies: where answers may come from and how old they may be. Said by a
// header for the whole request, by `@read` on an operation, or by `@read` on a field for everything
// below it; the closest one counts.

import { getDirectiveValues, type FieldNode, type GraphQLDirective, type OperationDefinitionNode } from 'graphql'
import { badInput } from '../errors.ts'

export interface ReadPolicy {
  readonly from: 'AUTO' | 'SNAPSHOT' | 'REFERENCE'
  readonly maxStaleMs: number | undefined
  /** Copies must have seen everything up to this moment: what this client has written, above all. */
  readonly seenMs: number
  /** Whether a copy of any age is better than no answer. */
  readonly orStale: boolean
}

/** What holds when nothing is said. */
export const anyAge: ReadPolicy = { from: 'AUTO', maxStaleMs: undefined, seenMs: 0, orStale: false }

/** The policy that headers set for a whole request. */
export function policyFromHeaders(header: (name: string) => string | null): ReadPolicy {
  const [maxStale, session] = [header('quire-max-stale-ms'), header('quire-session')]
  if (maxStale === null && session === null) return anyAge
  if (maxStale !== null && !/^\d{1,15}$/.test(maxStale.trim())) throw badInput(`quire-max-stale-ms is "${maxStale.slice(0, 40)}". Give a whole number of milliseconds.`)
  if (session !== null && !/^[0-9a-z]{1,11}$/.test(session)) throw badInput(`quire-session is "${session.slice(0, 40)}". Send back what a mutation answered with.`)
  return { from: 'AUTO', maxStaleMs: maxStale === null ? undefined : Number(maxStale), seenMs: session === null ? 0 : parseInt(session, 36), orStale: false }
}

/** What a client sends back to see what it has written: the moment by which it was. */
export function sessionToken(writtenMs: number): string {
  return Math.ceil(writtenMs).toString(36)
}

/** The policy below a node that may carry `@read`. */
export function policyBelow(
  above: ReadPolicy, directive: GraphQLDirective, nodes: readonly (FieldNode | OperationDefinitionNode)[], variables: Record<string, unknown>,
): ReadPolicy {
  return nodes.reduce((policy, node) => {
    if (!node.directives?.length) return policy
    const read = getDirectiveValues(directive, node, variables)
    return read ? nearer(policy, read as unknown as Read) : policy
  }, above)
}

/** `SNAPSHOT` lifts the age that was allowed further up; the other two keep it unless they give their own. */
function nearer(above: ReadPolicy, { from, maxStaleMs, orStale }: Read): ReadPolicy {
  if (maxStaleMs !== undefined && maxStaleMs !== null && maxStaleMs < 0) throw badInput(`@read(maxStaleMs: ${maxStaleMs}): give 0 or more milliseconds.`)
  if (from === 'SNAPSHOT') return { from, maxStaleMs: maxStaleMs ?? undefined, seenMs: 0, orStale }
  return { from, maxStaleMs: maxStaleMs ?? above.maxStaleMs, seenMs: above.seenMs, orStale }
}

/** The arguments of the directive. */
interface Read {
  readonly from: ReadPolicy['from']
  readonly maxStaleMs?: number | null
  readonly orStale: boolean
}
