// Known queries, answered by their compiled plans: what the short way and Yoga's own both do with them.

import type { Freshness } from '../choice.ts'
import type { Reads } from '../loaders/reads.ts'
import type { ReadPolicy } from '../read-policy.ts'
import type { RequestContext } from '../resolvers.ts'
import type { CompiledPlan, KnownOperation, KnownOperations } from './known-operations.ts'
import { mostGivenUp } from './known-operations.ts'

export interface QuicklyOptions {
  readonly known: KnownOperations
  readonly freshness: () => Freshness
  readonly createReads: () => Reads
}

/** A query that is about to be answered. */
export interface Prepared {
  readonly planned: CompiledPlan
  readonly reads: Reads
  readonly variables: Record<string, unknown>
}

export class Quickly {
  readonly #options: QuicklyOptions

  constructor(options: QuicklyOptions) {
    this.#options = options
  }

  /** Undefined when its variables do not fit; throws what is wrong with its `@read`. */
  prepare(operation: KnownOperation, given: Record<string, unknown>, policy: ReadPolicy): Prepared | undefined {
    const { known, freshness, createReads } = this.#options
    const variables = known.variables(operation, given)
    return variables && { planned: known.planned(operation, variables, policy, freshness()), reads: createReads(), variables: variables.coerced }
  }

  /** The whole answer as text; undefined when GraphQL.js has to answer. */
  async answer({ planned, variables }: Prepared, context: RequestContext): Promise<string | undefined> {
    if (!planned.answer || planned.gaveUp >= mostGivenUp) return undefined
    try {
      const data = await planned.answer({ context, variables })
      planned.gaveUp = 0
      return `{"data":${data}}`
    } catch {
      // Whatever it was, GraphQL.js comes upon it too, and knows how to say it.
      planned.gaveUp++
      return undefined
    }
  }
}
