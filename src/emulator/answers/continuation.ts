// Where a query goes on. A token names the last document that was returned, not a position, so that
// writes between two pages neither repeat nor hide others; and it names ranges of hashes, not
// physical partitions, so that it holds after a split.

import { createHash } from 'node:crypto'
import { Refusal } from '../http-messages.ts'

/** The last document returned: its values in ORDER BY, and its ordinal, which decides between equals. */
export interface Position {
  readonly values: readonly unknown[]
  readonly ordinal: number
}

/** Every partition that begins below `until` goes on after this position. */
export interface Mark {
  readonly until: string
  readonly after: Position
}

export interface Continuation {
  /** The lower end of the hashes that are not finished. */
  readonly from: string
  readonly marks: readonly Mark[]
  /** Rows returned so far, for TOP. */
  readonly taken: number
}

export const beginning: Continuation = { from: '', marks: [], taken: 0 }

export function writeToken(continuation: Continuation, query: string): string {
  return Buffer.from(JSON.stringify({ ...continuation, query: digest(query) }, keepUndefined)).toString('base64url')
}

export function readToken(token: string, query: string): Continuation {
  const parsed = decoded(token)
  if (parsed?.query !== digest(query)) throw new Refusal(400, 'The continuation token is malformed or belongs to another query.')
  return parsed
}

function decoded(token: string): (Continuation & { query: string }) | undefined {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString(), restoreUndefined) as Continuation & { query: string }
  } catch {
    return undefined
  }
}

/** JSON has no undefined, yet a document that lacks the property has a place in the order. */
const missing = '\0missing'

function keepUndefined(_name: string, value: unknown): unknown {
  return value === undefined ? missing : value
}

function restoreUndefined(this: unknown, name: string, value: unknown): unknown {
  if (value !== missing) return value
  // Returning undefined would leave a hole; assigning it keeps the list's length.
  if (Array.isArray(this)) (this as unknown[])[Number(name)] = undefined
  return undefined
}

function digest(query: string): string {
  return createHash('sha256').update(query).digest('base64url').slice(0, 16)
}
