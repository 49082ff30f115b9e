// One run of a compiled query: from its code to the text of `data`. `compile/` makes the code; it need not be read to
// follow a run.
//
//   field-writer.ts a field of all rows of a level: from the rows, by one batch of lookups, or by a resolver
//   json-writer.ts  values, lists and objects as JSON
//   row-cache.ts    the text of a row, kept as long as its document is the same
//
// The same query has code for two kinds of stores. Where the store has its documents in this process, a row's code looks up
// the documents that the row points at. For every other store, the documents for all rows of a
// level are read in one batch. What an observer is told is the same for both.

import type { PlanNode } from '../../plan/plan.ts'
import type { LookupById, LookupTally, LookupTarget } from '../../read/in-process-lookups.ts'
import { whenRead, type MaybePromise } from '../../store/maybe-promise.ts'
import { lookupMiss } from '../../store/store.ts'
import { AnswerTooLarge, type AnswerLimits } from '../answer/answer-too-large.ts'
import type { RequestContext } from '../resolvers.ts'
import { writeAll, type Writer } from './json-writer.ts'
import type { Counts } from './row-cache.ts'

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
  readonly targets: readonly LookupTarget[]
  /** Looks documents up by their ids, one function for each target of the code. */
  lookups: readonly LookupById[]
  /** How often something had been waited for when the lookups were made. */
  lookedAt: number
  /** Counts what is looked up, where an observer wants to know. */
  readonly tallies: readonly LookupTally[] | undefined
  /** Rows of each relation so far, by its number in the code; undefined where they are not counted, as while a cached row is checked. */
  counting: Counts | undefined
  /** What counting begins with; undefined if no observer wants to know. */
  readonly zeros: Counts | undefined
  /** How many times the row that is being written is shown. */
  weight: number
  /** How many documents are shown so far behind references of the row that is being written. */
  rows: number
  readonly maxRows: number
}

/** How many times each of several rows is shown: equal rows are written once. Undefined means once each. */
export type Weights = readonly number[] | undefined

/** The code of a query for one kind of store. */
export interface QueryCode {
  readonly root: Writer
  /** What rows' code looks up; nothing in code for waves. */
  readonly targets: readonly LookupTarget[]
  /** Whether documents that are looked up may be read in waves as well. Then all are read in waves, each once. */
  readonly mixed: boolean
  /** The relations whose rows the rows' code counts. */
  readonly counted: readonly PlanNode[]
  readonly limits: AnswerLimits
}

/** Writes the `data` of an answer, or gives up (json-writer.ts). */
export type CompiledQueryRun = (request: CompiledRequest) => MaybePromise<string>

/** Each kind of code is made when it is first needed: most queries need only one. */
export function createRun(makeWithLookups: () => QueryCode, makeInWaves: () => QueryCode, isOneCall: boolean): CompiledQueryRun {
  let withLookups: QueryCode | undefined
  let inWaves: QueryCode | undefined
  const runInWaves: CompiledQueryRun = (request) => run((inWaves ??= makeInWaves()), request, [])
  /** Starts again in waves if too many documents are not in memory: one batch reads them all, and the next run finds them. */
  const afterMiss = (error: unknown, request: CompiledRequest): MaybePromise<string> => {
    if (error !== lookupMiss) throw error
    request.counts?.clear()
    return runInWaves(request)
  }
  const attempt: CompiledQueryRun = (request) => {
    withLookups ??= makeWithLookups()
    const lookups = withLookups.mixed ? undefined : request.context.quire.reads.lookups(withLookups.targets)
    if (!lookups) return runInWaves(request)
    try {
      const written = run(withLookups, request, lookups)
      return written instanceof Promise ? written.catch((error: unknown) => afterMiss(error, request)) : written
    } catch (error) {
      return afterMiss(error, request)
    }
  }
  return isOneCall ? attempt : (request) => atOneMoment(request, attempt, maxAttempts)
}

/**
 * An answer of several calls shows one moment of the store: if anything was written between the first and the last, it is made
 * again. Within one turn of the event loop only other processes write, and rarely twice in so short a time. An answer that had
 * to wait is made again once: it may wait long, and others write all the time.
 */
function atOneMoment(request: CompiledRequest, attempt: CompiledQueryRun, attemptsLeft: number): MaybePromise<string> {
  const { reads } = request.context.quire
  const moment = reads.moment()
  if (moment === undefined) return attempt(request)
  const again = (left: number) => (text: string): MaybePromise<string> => {
    if (left === 0 || reads.moment() === moment) return text
    reads.forget()
    request.counts?.clear()
    return atOneMoment(request, attempt, left)
  }
  // The last attempt is not checked afterwards, so each of its reads is checked by itself.
  const text = attemptsLeft > 1 ? reads.asOfMoment(() => attempt(request)) : attempt(request)
  return text instanceof Promise ? text.then(again(Math.min(1, attemptsLeft - 1))) : again(attemptsLeft - 1)(text)
}

const maxAttempts = 4

function run({ root, targets, counted, limits }: QueryCode, { context, variables, counts }: CompiledRequest, lookups: readonly LookupById[]): MaybePromise<string> {
  const { reads } = context.quire
  const observed = targets.length > 0 ? reads.observedLookups(targets) : undefined
  const zeros = counts && counted.map(() => 0)
  const counting = zeros?.slice()
  const running: Run = { counting, zeros, context, variables, counts, number: ++runs, targets, lookups, lookedAt: reads.waits, tallies: observed?.tallies, weight: 1, rows: 0, maxRows: limits.rows }
  return reads.run(() => whenRead(writeAll(root, [undefined], running, undefined), ([text]) => {
    if (observed) reads.logLookups(observed)
    if (counting) for (const [at, node] of counted.entries()) counts!.set(node, (counts!.get(node) ?? 0) + counting[at]!)
    if (text!.length > limits.bytes) throw new AnswerTooLarge(undefined, 'bytes')
    return text!
  }))
}

/** To be called when something has arrived that may have been waited for: documents may have changed meanwhile. */
export function renewLookups(running: Run): void {
  const { reads } = running.context.quire
  if (running.targets.length === 0 || running.lookedAt === reads.waits) return
  running.lookedAt = reads.waits
  running.lookups = reads.lookups(running.targets)!
}

let runs = 0

/** Adds documents that `node` shows. Throws `AnswerTooLarge`. */
export function addRows(running: Run, rows: number, node: PlanNode | undefined): void {
  if ((running.rows += rows) > running.maxRows) throw new AnswerTooLarge(node, 'rows')
}

/** Counts the row that is being written. */
export function count({ counts, weight }: Run, node: PlanNode): void {
  counts?.set(node, (counts.get(node) ?? 0) + weight)
}

/** Counts rows that were resolved together. */
export function countAll({ counts }: Run, node: PlanNode, rows: number, weights: Weights): void {
  if (counts && node.choice) counts.set(node, (counts.get(node) ?? 0) + (weights ? weights.reduce((sum, each) => sum + each, 0) : rows))
}
