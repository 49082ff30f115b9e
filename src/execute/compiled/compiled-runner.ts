// Known queries, answered by their compiled plans: what the short way and Yoga's own both do with them.

import { OperationTypeNode } from 'graphql'
import type { Freshness } from '../../plan/freshness.ts'
import type { Access } from '../../auth/access.ts'
import type { PlanNode } from '../../plan/plan.ts'
import type { ReadPolicy } from '../../plan/read-policy.ts'
import type { RequestContext } from '../resolvers.ts'
import type { AnswerBody, Answers } from './remembered-answers.ts'
import { DeadlineError, HungUpError } from '../../store/operation-context.ts'
import type { MaybePromise } from '../../store/maybe-promise.ts'
import { StoreUnavailableError } from '../../store/store.ts'
import { maxGivenUp, type CompiledPlan, type KnownOperation, type KnownOperations } from '../known-operations.ts'

/** A query that is about to be answered. */
export interface Prepared {
  readonly planned: CompiledPlan
  /** As they came. */
  readonly given: Record<string, unknown>
  readonly viewer: string | undefined
  readonly variables: Record<string, unknown>
  /** Whose documents it is answered from, where tenants share the store. */
  readonly tenant: string | undefined
  /** Under which name its answer is remembered, if under any, once that was asked. */
  answerName?: { readonly name: string | undefined }
}

export class CompiledRunner {
  readonly #known: KnownOperations
  readonly #answers: Answers
  readonly #freshness: () => Freshness

  constructor(known: KnownOperations, answers: Answers, freshness: () => Freshness) {
    this.#known = known
    this.#answers = answers
    this.#freshness = freshness
  }

  /** Undefined when there is no code for it, or its variables do not fit; throws what is wrong with its `@read`. */
  prepare(operation: KnownOperation, given: Record<string, unknown>, policy: ReadPolicy, access: Access | undefined, tenant: string | undefined): Prepared | undefined {
    if (operation.operation.operation !== OperationTypeNode.QUERY) return undefined
    const variables = this.#known.variables(operation, given)
    const planned = variables && this.#known.planned(operation, { variables, policy, freshness: this.#freshness(), access })
    return planned?.answer && planned.gaveUp < maxGivenUp ? { planned, given, viewer: access?.viewer?.id, tenant, variables: variables! } : undefined
  }

  /** The whole answer, where it was made before and is still true. */
  again(prepared: Prepared): AnswerBody | undefined {
    return this.#answers.find(prepared, false)?.body
  }

  /** The whole answer, and how many rows of each relation it took; undefined when GraphQL.js has to answer. */
  answer(prepared: Prepared, context: RequestContext, counts: Map<PlanNode, number> | undefined): MaybePromise<AnswerBody | undefined> {
    const { planned, variables } = prepared
    const known = this.#answers.find(prepared, counts !== undefined)
    if (known) {
      for (const [place, rows] of known.counts ?? []) counts?.set(place, rows)
      return known.body
    }
    const since = this.#answers.moment()
    const answered = (data: string): string => {
      planned.gaveUp = 0
      const text = `{"data":${data}}`
      this.#answers.keep(prepared, text, counts, context.quire.reads, since)
      return text
    }
    const gaveUp = (error: unknown): undefined => {
      // Whatever it was, GraphQL.js comes upon it too, and knows how to say it. What has to do with the store or with time says nothing about the code.
      if (!(error instanceof StoreUnavailableError || error instanceof DeadlineError || error instanceof HungUpError)) planned.gaveUp++
    }
    try {
      const data = planned.answer!({ context, variables, counts })
      return data instanceof Promise ? data.then(answered).catch(gaveUp) : answered(data)
    } catch (error) {
      return gaveUp(error)
    }
  }
}
