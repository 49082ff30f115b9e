// An existing database, for commands that derive a schema from it: its containers and documents, as another program stored them. Everything here only
// reads. A store that Quire serves is opened through open-store.ts instead.

import type { Body } from '../../model/json/json.ts'
import { scalarsAt } from '../conditions.ts'
import type { Path, Scalar } from '../query.ts'

export interface ExistingDatabase {
  readonly containers: readonly ExistingContainer[]
  /** Whether Quire can serve the documents where they are. Others have to be copied into a store first. */
  readonly isServable: boolean
  /** The documents of a container, some at a time: at most `max`, spread over the container where that costs no more. */
  pages(container: string, max: number): AsyncGenerator<readonly Body[]>
  /** The documents with these ids that exist. */
  find(container: string, ids: readonly string[]): Promise<readonly Body[]>
  /** The number of documents (of a type) for each of several values of a property; `'*'` in the path is any element of a list. Empty if counting would cost too much. */
  countEach(selection: ExistingSelection, path: Path, values: readonly Scalar[]): Promise<readonly number[]>
  /** What could not be read, a sentence each. */
  problems?(): readonly string[]
  /** What reading has cost so far. */
  spent(): Spent
  close(): Promise<void>
}

/** Documents of a container, or only those with that `type`. */
export interface ExistingSelection {
  readonly container: string
  readonly type?: string | undefined
}

/** Counts documents that come page by page, for databases that cannot. */
export async function countInPages(pages: AsyncIterable<readonly Body[]>, { type }: ExistingSelection, path: Path, values: readonly Scalar[]): Promise<readonly number[]> {
  const counts = new Map<Scalar, number>(values.map((value) => [value, 0]))
  for await (const page of pages) {
    for (const document of page) {
      if (type !== undefined && document['type'] !== type) continue
      for (const value of new Set(scalarsAt(path, document))) if (counts.has(value)) counts.set(value, counts.get(value)! + 1)
    }
  }
  return values.map((value) => counts.get(value)!)
}

export interface ExistingContainer {
  readonly name: string
  /** How many documents it has; undefined if only reading all of them would tell. */
  readonly documents: number | undefined
  /** Undefined if the database does not say. */
  readonly partitionKey?: readonly Path[] | undefined
  /** The property that the ids were taken from, where documents had no `id`; `''` if the ids are numbers that count them. */
  readonly idFrom?: string
  /** What its documents do not have of what was found, a sentence each. */
  readonly leftOut?: readonly string[]
  /** Whether another program has written them, so that nothing in them is Quire's. */
  readonly isForeign?: boolean
  /** Whether several tenants share it. The partition key is then without the tenant. */
  readonly isTenanted?: boolean
  /** Whether the database has an index over a property; undefined if it does not say. */
  readonly isIndexed?: ((path: Path) => boolean) | undefined
}

export interface Spent {
  readonly requests: number
  /** As the database reports it; undefined where requests cost nothing. */
  readonly requestCharge?: number
  /** Whether all requests that were allowed have been sent, so that something may be missing. */
  readonly isUsedUp?: boolean
}

/** The reading would take more requests than were allowed. */
export class TooManyRequestsError extends Error {
  override readonly name = 'TooManyRequestsError'
}
