// How old a snapshot may be. Only this file decides it: what the caller demands (a header for the whole request, `@read`
// for an operation or for a field and everything below it; the closest one counts), and whether snapshots meet it. The
// choice between snapshot and lookup and the cache of plans both ask here. `feed/watermark.ts` measures freshness.

import { getDirectiveValues, type FieldNode, type GraphQLDirective, type OperationDefinitionNode } from 'graphql'
import { badInput } from '../graphql-errors.ts'

/** What the snapshots of this gateway's store are known to include. */
export interface Freshness {
  /** Max age of a snapshot; Infinity while none can be proved. */
  readonly boundMs: number
  /** Every change up to this position of the store is in every snapshot. */
  readonly watermark: number
  /** Called when a reader demands more. */
  readonly onUnmet?: (demand: FreshnessDemand) => void
}

/** The bound as people and programs are told it: null while none can be proved. */
export function provenBoundMs(boundMs: number): number | null {
  return Number.isFinite(boundMs) ? boundMs : null
}

/** What a reader demands of snapshots. */
export interface FreshnessDemand {
  /** Max age that is allowed; undefined allows any. */
  readonly maxStaleMs: number | undefined
  /** Snapshots must include every change up to this position; -Infinity demands none. */
  readonly seen: number
}

/** `TOO_OLD`: older than `maxStaleMs` allows. `UNSEEN`: without a change that the client made. */
export type Staleness = 'TOO_OLD' | 'UNSEEN'

/** Undefined when snapshots are young enough. */
export function staleness(demand: FreshnessDemand, { boundMs, watermark, onUnmet }: Freshness): Staleness | undefined {
  const { maxStaleMs, seen } = demand
  const stale = maxStaleMs !== undefined && boundMs > maxStaleMs ? 'TOO_OLD' : watermark < seen ? 'UNSEEN' : undefined
  if (stale) onUnmet?.(demand)
  return stale
}

/** The policy of a request. */
export interface ReadPolicy extends FreshnessDemand {
  readonly from: 'AUTO' | 'SNAPSHOT' | 'REFERENCE'
  /** Whether a snapshot of any age is better than an error when the store does not answer. */
  readonly orStale: boolean
}

/** The policy of a request that asks for nothing special. */
export const anyAge: ReadPolicy = { from: 'AUTO', maxStaleMs: undefined, seen: -Infinity, orStale: false }

/** The policy of one field of an operation. How old snapshots may be can be left to the request, whose headers change from one request to the next. */
export interface FieldPolicy extends Pick<ReadPolicy, 'from' | 'orStale'> {
  /** From the closest `@read` that gives one. */
  readonly maxStaleMs: number | undefined
  /** False below `@read(from: SNAPSHOT)`, which lifts what the request demands. */
  readonly heedsRequest: boolean
}

/** The policy that headers set for a whole request. */
export function policyFromHeaders(header: (name: string) => string | null): ReadPolicy {
  const [maxStale, session] = [header('quire-max-stale-ms'), header('quire-session')]
  if (maxStale === null && session === null) return anyAge
  if (maxStale !== null && !/^\d{1,15}$/.test(maxStale.trim())) throw badInput(`Invalid header quire-max-stale-ms: "${maxStale.slice(0, 40)}". Give a whole number of milliseconds.`)
  if (session !== null && !/^[0-9a-z]{1,11}$/.test(session)) throw badInput(`Invalid header quire-session: "${session.slice(0, 40)}". Send back the value that a mutation returned.`)
  return { from: 'AUTO', maxStaleMs: maxStale === null ? undefined : Number(maxStale), seen: session === null ? -Infinity : parseInt(session, 36), orStale: false }
}

/** The policy of a mutation: its answer includes what it wrote, which snapshots may not include yet. */
export function seeingOwnWrites(policy: ReadPolicy): ReadPolicy {
  return { ...policy, seen: Infinity }
}

/** The session header of a mutation's answer: a position that its writes are not after. A client that sends it back sees its own writes. */
export function sessionToken(written: number): string {
  return Math.min(Math.ceil(written), Number.MAX_SAFE_INTEGER).toString(36)
}

/** What a field demands of snapshots in a request with this policy. */
export function demandOf({ maxStaleMs, heedsRequest }: FieldPolicy, request: FreshnessDemand): FreshnessDemand {
  if (!heedsRequest) return { maxStaleMs, seen: -Infinity }
  return maxStaleMs === undefined ? request : { maxStaleMs, seen: request.seen }
}

/** The policy below nodes that may carry `@read`. */
export function policyBelow(
  above: FieldPolicy, directive: GraphQLDirective, nodes: readonly (FieldNode | OperationDefinitionNode)[], variables: Record<string, unknown>,
): FieldPolicy {
  return nodes.reduce((policy, node) => {
    if (!node.directives?.length) return policy
    const read = getDirectiveValues(directive, node, variables)
    return read ? narrowed(policy, read as unknown as Read) : policy
  }, above)
}

/** `SNAPSHOT` lifts every demand from further up; `AUTO` and `REFERENCE` keep them unless they give their own. */
function narrowed(above: FieldPolicy, { from, maxStaleMs, orStale }: Read): FieldPolicy {
  if (maxStaleMs !== undefined && maxStaleMs !== null && maxStaleMs < 0) throw badInput(`Invalid @read(maxStaleMs: ${maxStaleMs}). Give 0 or more milliseconds.`)
  if (from === 'SNAPSHOT') return { from, maxStaleMs: maxStaleMs ?? undefined, orStale, heedsRequest: false }
  return { from, maxStaleMs: maxStaleMs ?? above.maxStaleMs, orStale, heedsRequest: above.heedsRequest }
}

/** The arguments of the directive. */
interface Read {
  readonly from: ReadPolicy['from']
  readonly maxStaleMs?: number | null
  readonly orStale: boolean
}
