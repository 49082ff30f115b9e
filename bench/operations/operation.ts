// An operation of the comparison: the requests that are sent in rotation, each with its expected answer. The expected answers are
// computed from the documents by hand, so that no GraphQL engine, Quire included, defines what is correct.

import type { Documents } from '../peers/documents.ts'

export interface Operation {
  readonly name: string
  readonly title: string
  /** The text that tables show: the operation, or a description of several. */
  readonly query: string
  /** For operations that Quire answers from snapshots: the same operation without snapshots, as the peers run it. */
  readonly lookedUp?: string
  /** Whether its requests carry a token. */
  readonly signedIn?: boolean
  /** Whether it writes. The last request leaves the documents as the first one found them. */
  readonly writes?: boolean
  readonly requests: (documents: Documents) => Request[]
}

export interface Request {
  readonly query: string
  readonly variables?: Record<string, unknown>
  /** Whether the variable `after` is the `endCursor` of the previous answer. */
  readonly continues?: boolean
  /** The expected `data`, when the requests are sent in order. */
  readonly expected: unknown
}

export interface Answer {
  readonly data?: unknown
  readonly errors?: unknown
}

/** `at` is the number of the request. */
export type Ask = (body: string, at: number) => Promise<Answer>

/** The bodies of these requests for one server, which needs its own cursors. */
export async function bodiesOf(requests: readonly Request[], ask: Ask): Promise<string[]> {
  const bodies: string[] = []
  let after: string | undefined
  for (const [at, { query, variables, continues }] of requests.entries()) {
    const body = JSON.stringify({ query, ...(variables || continues ? { variables: { ...variables, ...(continues ? { after } : {}) } } : {}) })
    bodies.push(body)
    if (requests[at + 1]?.continues) after = ((await ask(body, at)).data as { books: { pageInfo: { endCursor: string } } } | undefined)?.books.pageInfo.endCursor
  }
  return bodies
}

/** Cursors differ from server to server, so only their presence is compared. */
export function comparable(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer, (key, value: unknown) => (key === 'endCursor' && typeof value === 'string' ? 'a cursor' : value)))
}
