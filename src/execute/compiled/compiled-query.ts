// One query that its compiled plan answers, from the fast path or from Yoga. If the plan gives up, GraphQL.js executes the
// query with the same reads, so that nothing is read twice.

import type { ExecutionResult } from 'graphql'
import type { Access } from '../../auth/access.ts'
import type { Viewer } from '../../auth/viewer.ts'
import type { Observed } from '../../observe/observers.ts'
import { rowsIn, type Plan, type PlanNode, type RelationRows } from '../../plan/plan.ts'
import { CallLog } from '../../read/call-log.ts'
import type { Strategy } from '../../read/loader.ts'
import { Reads } from '../../read/reads.ts'
import type { MaybePromise } from '../../store/maybe-promise.ts'
import { DeadlineError, HungUpError, type OperationContext } from '../../store/operation-context.ts'
import { StoreOverloadedError, StoreUnavailableError } from '../../store/store-errors.ts'
import { AnswerSize } from '../answer/answer-size.ts'
import { AnswerTooLarge, type AnswerLimits } from '../answer/answer-too-large.ts'
import type { PreparedQuery } from '../operation-cache.ts'
import { observedAround, withDeadline, type Operation } from '../operation.ts'
import { resolverContext, type RequestContext } from '../resolvers.ts'
import type { TenantScope } from '../tenant-scope.ts'

export interface QueryCircumstances {
  readonly scope: TenantScope
  readonly strategy: Strategy
  readonly access: Access | undefined
  readonly viewer: Viewer | undefined
  readonly observed: Observed | undefined
  readonly operationContext: OperationContext
  readonly limits: AnswerLimits
}

export class CompiledQuery {
  readonly #prepared: PreparedQuery
  /** What the schema's own resolvers find in the context beside Quire's. */
  readonly #context: object
  readonly #in: QueryCircumstances
  readonly #reads: Reads
  // Calls and rows are counted only for an observer.
  readonly #calls: CallLog | undefined
  readonly #counts: Map<PlanNode, number> | undefined
  /** Set where the answer is too large, which GraphQL.js need not find out again. */
  #tooLarge: AnswerTooLarge | undefined
  /** The plan that GraphQL.js has executed, where it had to. */
  #executed: Plan | undefined

  constructor(prepared: PreparedQuery, context: object, circumstances: QueryCircumstances) {
    const { scope, strategy, access, observed } = circumstances
    this.#prepared = prepared
    this.#context = context
    this.#in = circumstances
    this.#calls = observed?.isTold ? new CallLog() : undefined
    this.#counts = observed?.countsRows ? new Map() : undefined
    this.#reads = new Reads(scope.store, strategy, undefined, this.#calls, access)
  }

  /** The whole answer; undefined when GraphQL.js has to answer. */
  run(): MaybePromise<string | undefined> {
    const { observed } = this.#in
    return observed?.around ? observed.around(() => this.#answer()) : this.#answer()
  }

  /** Tells the observer how it ended. */
  end(result: ExecutionResult): undefined {
    const { observed } = this.#in
    if (!observed?.isTold) return undefined
    const { errors = [] } = result
    // The data of a compiled plan is a text, which would have to be parsed to be looked at; it has all of it, or an error.
    const answered = this.#executed ? Boolean(result.data) : errors.length === 0
    observed.end({ rows: () => this.#rows(), calls: this.#calls!.calls, errors, answered, costReport: undefined })
    return undefined
  }

  #rows(): Iterable<RelationRows> {
    return this.#executed ? this.#executed.rows() : this.#counts ? rowsIn(this.#counts) : []
  }

  /** The same for Yoga, which runs the compiled plan first unless it has given up already. */
  forYoga(hasGivenUp: boolean): Operation {
    const { scope, viewer, observed, operationContext, limits } = this.#in
    // GraphQL.js notes in a plan where it is and what it has resolved, so it gets a copy.
    const plan = this.#prepared.planned.plan.copy()
    return {
      ...observedAround(observed),
      withDeadline: withDeadline(operationContext, this.#prepared.planned.plan, limits),
      context: resolverContext(scope, viewer, plan, this.#reads, new AnswerSize({ limits, plan, reads: this.#reads, stop: (error) => operationContext.stop(error) })),
      compiled: async () => {
        const body = hasGivenUp ? undefined : await this.#answer()
        if (this.#tooLarge) throw this.#tooLarge
        if (body !== undefined) return body
        this.#executed = plan
        this.#reads.byLevel = false
        return undefined
      },
      end: (result) => this.end(result),
    }
  }

  #answer(): MaybePromise<string | undefined> {
    const { planned: { plan, custom } } = this.#prepared
    // Only the schema's own resolvers look at more than the reads.
    const context = custom ? Object.assign(this.#context, resolverContext(this.#in.scope, this.#in.viewer, plan, this.#reads)) : { quire: { plan, reads: this.#reads } }
    return answerQuery(this.#prepared, context, this.#counts, (error) => (this.#tooLarge = error))
  }
}

/** What the compiled plan writes; undefined when it gives up. */
export function answerQuery(prepared: PreparedQuery, context: RequestContext, counts: Map<PlanNode, number> | undefined, onTooLarge?: (error: AnswerTooLarge) => void): MaybePromise<string | undefined> {
  try {
    const data = prepared.run({ context, variables: prepared.variables, counts })
    return data instanceof Promise ? data.then((text) => answered(prepared, text)).catch((error: unknown) => gaveUp(prepared, error, onTooLarge)) : answered(prepared, data)
  } catch (error) {
    return gaveUp(prepared, error, onTooLarge)
  }
}

function answered({ planned }: PreparedQuery, data: string): string {
  planned.gaveUp = 0
  return `{"data":${data}}`
}

function gaveUp({ planned }: PreparedQuery, error: unknown, onTooLarge: ((error: AnswerTooLarge) => void) | undefined): undefined {
  if (error instanceof AnswerTooLarge || isInvalidLength(error)) onTooLarge?.(error instanceof AnswerTooLarge ? error : new AnswerTooLarge(undefined, 'bytes'))
  // GraphQL.js meets the same problem and reports it. Errors of the store and deadlines say nothing about the code.
  else if (!(error instanceof StoreUnavailableError || error instanceof StoreOverloadedError || error instanceof DeadlineError || error instanceof HungUpError)) planned.gaveUp++
}

/** V8 has a limit of its own for strings, which several large fields of one row can reach together. */
function isInvalidLength(error: unknown): boolean {
  return error instanceof RangeError && error.message === 'Invalid string length'
}
