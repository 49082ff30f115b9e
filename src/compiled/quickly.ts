// Known queries, answered by their compiled plans: what the short way and Yoga's own both do with them.

import { OperationTypeNode } from 'graphql'
import type { Freshness } from '../choice.ts'
import type { PlanNode } from '../plan.ts'
import type { ReadPolicy } from '../read-policy.ts'
import type { RequestContext } from '../resolvers.ts'
import { DeadlineError, HungUpError } from '../store/errand.ts'
import { StoreUnavailableError } from '../store/store.ts'
import { mostGivenUp, type CompiledPlan, type KnownOperation, type KnownOperations } from './known-operations.ts'

/** A query that is about to be answered. */
export interface Prepared {
  readonly planned: CompiledPlan
  readonly variables: Record<string, unknown>
}

export class Quickly {
  readonly #known: KnownOperations
  readonly #freshness: () => Freshness

  constructor(known: KnownOperations, freshness: () => Freshness) {
    this.#known = known
    this.#freshness = freshness
  }

  /** Undefined when there is no code for it, or its variables do not fit; throws what is wrong with its `@read`. */
  prepare(operation: KnownOperation, given: Record<string, unknown>, policy: ReadPolicy): Prepared | undefined {
    if (operation.operation.operation !== OperationTypeNode.QUERY) return undefined
    const variables = this.#known.variables(operation, given)
    const planned = variables && this.#known.planned(operation, variables, policy, this.#freshness())
    return planned?.answer && planned.gaveUp < mostGivenUp ? { planned, variables: variables!.coerced } : undefined
  }

  /** The whole answer as text, and how many rows of each relation it took; undefined when GraphQL.js has to answer. */
  async answer({ planned, variables }: Prepared, context: RequestContext, counts: Map<PlanNode, number> | undefined): Promise<string | undefined> {
    try {
      const data = await planned.answer!({ context, variables, counts, weight: 1 })
      planned.gaveUp = 0
      return `{"data":${data}}`
    } catch (error) {
      // Whatever it was, GraphQL.js comes upon it too, and knows how to say it. What has to do with the store or with time says nothing about the code.
      if (!(error instanceof StoreUnavailableError || error instanceof DeadlineError || error instanceof HungUpError)) planned.gaveUp++
      return undefined
    }
  }
}
