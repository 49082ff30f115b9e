// One run of a compiled query: from its code to the text of `data`. `compile/` makes the code; it need not be read to
// follow a run.
//
//   run.ts          synchronous reads or waves?
//   field-writer.ts a field of all rows of a level: from the rows, by one batch of lookups, or by a resolver
//   json-writer.ts  values, lists and objects as JSON
//   row-cache.ts    the text of a row, kept as long as its document is the same
//
// The same query has code for both kinds of reads. With synchronous reads, a document that a row points at is looked up
// in the store's memory while the row is written. In waves, the documents for all rows of a level are read in one batch:
// that is for every other store, and for runs whose rows are counted. A synchronous run that misses a document starts
// again in waves, which brings the document into memory. So the next run tries synchronous reads again; each further miss
// doubles the number of runs before the next try, since a store with more documents than memory would miss every time.

import type { DocumentType } from '../../model/model.ts'
import type { PlanNode } from '../../plan/plan.ts'
import { whenReady, type MaybePromise } from '../../store/maybe-promise.ts'
import type { StoredDocument } from '../../store/store.ts'
import { notSynchronous } from '../../store/synchronous-reads.ts'
import type { RequestContext } from '../resolvers.ts'
import { writeAll, type Writer } from './json-writer.ts'

/** What is answered. */
export interface CompiledRequest {
  readonly context: RequestContext
  /** Coerced, with their defaults. */
  readonly variables: Record<string, unknown>
  /** Counts the rows of each relation, where an observer wants to know. */
  readonly counts: Map<PlanNode, number> | undefined
}

export interface Run extends CompiledRequest {
  /** Another one for each run. */
  readonly number: number
  /** Looks documents up by their ids, one function for each target of the code. */
  readonly lookups: readonly LookupById[]
  /** Must be called after every wait: documents may have changed meanwhile. */
  readonly renewLookups: () => void
  /** How many times the row that is being written is shown. */
  weight: number
}

export type LookupById = (id: string) => StoredDocument | undefined

/** How many times each of several rows is shown: equal rows are written once. Undefined means once each. */
export type Weights = readonly number[] | undefined

/** The code of a query for one kind of reads. */
export interface QueryCode {
  readonly root: Writer
  /** Whether it asks the store for one thing at a time (compile/one-at-a-time.ts). */
  readonly oneAtATime: boolean
  /** The types of the documents that it looks up while it writes a row; none in waves. */
  readonly targets: readonly DocumentType[]
}

/** Writes the `data` of an answer, or gives up (json-writer.ts). */
export type CompiledQueryRun = (request: CompiledRequest) => MaybePromise<string>

/** Max runs in waves before synchronous reads are tried again. */
const maxRunsInWaves = 64

/** Each kind of code is made when it is first needed: most queries need only one. */
export function createRun(makeSynchronous: () => QueryCode, makeInWaves: () => QueryCode): CompiledQueryRun {
  let synchronous: QueryCode | undefined
  let inWaves: QueryCode | undefined
  let [runsInWavesLeft, nextRunsInWaves] = [0, 1]
  const runInWaves = (request: CompiledRequest): MaybePromise<string> => run((inWaves ??= makeInWaves()), request, [])
  return (request) => {
    if (request.counts || runsInWavesLeft-- > 0) return runInWaves(request)
    runsInWavesLeft = 0
    synchronous ??= makeSynchronous()
    const lookups = synchronous.targets.length > 0 && synchronous.oneAtATime ? lookupsOf(synchronous, request) : undefined
    if (!lookups) return runInWaves(request)
    const orInWaves = (error: unknown): MaybePromise<string> => {
      if (error !== notSynchronous) throw error
      runsInWavesLeft = nextRunsInWaves
      nextRunsInWaves = Math.min(2 * nextRunsInWaves, maxRunsInWaves)
      return runInWaves(request)
    }
    try {
      const written = run(synchronous, request, lookups)
      if (written instanceof Promise) return written.catch(orInWaves)
      nextRunsInWaves = 1
      return written
    } catch (error) {
      return orInWaves(error)
    }
  }
}

function run(code: QueryCode, request: CompiledRequest, lookups: readonly LookupById[]): MaybePromise<string> {
  request.context.quire.reads.oneAtATime = code.oneAtATime
  const running: Run = {
    ...request, number: ++runs, lookups, weight: 1,
    renewLookups: () => Object.assign(running, { number: ++runs, lookups: lookupsOf(code, request) ?? throwNotSynchronous() }),
  }
  return whenReady(writeAll(code.root, [undefined], running, undefined), ([text]) => text!)
}

let runs = 0

/** Undefined unless the store can look up every target synchronously. */
function lookupsOf({ targets }: QueryCode, { context: { quire: { reads } } }: CompiledRequest): LookupById[] | undefined {
  const lookups: LookupById[] = []
  for (const target of targets) {
    const lookup = reads.lookFor(target)
    if (!lookup) return undefined
    lookups.push(lookup)
  }
  return lookups
}

function throwNotSynchronous(): never {
  throw notSynchronous
}

/** Counts the row that is being written. */
export function count({ counts, weight }: Run, node: PlanNode): void {
  counts?.set(node, (counts.get(node) ?? 0) + weight)
}

/** Counts rows that were resolved together. */
export function countAll({ counts }: Run, node: PlanNode, rows: number, weights: Weights): void {
  if (counts && node.choice) counts.set(node, (counts.get(node) ?? 0) + (weights ? weights.reduce((sum, each) => sum + each, 0) : rows))
}
