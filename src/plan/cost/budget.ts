// Refuses operations that could cost more than the budget, before anything is read. The cost of a plan depends on its page
// sizes, the lookups of its filters and the number of documents that it writes (max-cost.ts), so it is computed once for each combination of them.

import { getVariableValues, Kind, OperationTypeNode, visit, type DocumentNode, type GraphQLError } from 'graphql'
import { requestState, type IncomingRequest } from '../../auth/request-state.ts'
import { httpError } from '../../graphql-errors.ts'
import { clampedPageSize, pageSizeArguments } from '../field-arguments.ts'
import { FilterLookups } from './filter-lookups.ts'
import { inputsName } from './many-inputs.ts'
import { operationCost, type CostOptions, type OperationCost, type PlannedOperation } from './max-cost.ts'

/**
 * The maximum cost of one operation.
 *
 * @example
 * ```ts
 * const budget: Partial<Budget> = { requestCharge: 500 }
 * ```
 */
export interface Budget {
  readonly roundTrips: number
  /** In RU. */
  readonly requestCharge: number
}

/** The default in production: enough for hundreds of full pages, far too little for a full scan. */
export const defaultBudget: Budget = { roundTrips: 100, requestCharge: 10_000 }

export const noBudget: Budget = { roundTrips: Infinity, requestCharge: Infinity }

/** Max combinations of page sizes that are remembered for each plan. */
const maxRemembered = 64

export class CostGuard {
  readonly #options: CostOptions & { readonly lookups: FilterLookups }
  readonly #budget: Budget
  /** The charge of a document's latest plan for each combination of page sizes, whatever its filters look up. */
  readonly #charges = new WeakMap<DocumentNode, Map<string, number>>()
  readonly #sizeVariables = new WeakMap<DocumentNode, readonly string[]>()

  constructor(options: CostOptions, budget: Budget) {
    this.#options = { ...options, lookups: new FilterLookups(options.declaration) }
    this.#budget = budget
  }

  /** Whether an operation is within the budget, given coerced variables. Notes its cost in the request. */
  admits(planned: PlannedOperation, coerced: Record<string, unknown>, request: IncomingRequest): boolean {
    const cost = this.costOf(planned, coerced)
    requestState(request).cost = cost.requestCharge
    return this.#isWithin(cost)
  }

  /** The same, given variables as the request gives them. Throws if the operation is over the budget. */
  admit(planned: PlannedOperation, given: Record<string, unknown>, request: IncomingRequest): void {
    const { coerced } = getVariableValues(this.#options.schema, planned.operation.variableDefinitions ?? [], given, { maxErrors: 1 })
    // GraphQL.js will report variables that do not fit.
    if (!coerced || this.admits(planned, coerced, request)) return
    throw tooCostly(this.costOf(planned, coerced), this.#budget)
  }

  costOf(planned: PlannedOperation, coerced: Record<string, unknown>): OperationCost {
    const pages = this.#sizesIn(planned.document, coerced)
    const { plan, operation } = planned
    const sizes = pages + (operation.operation === OperationTypeNode.MUTATION ? inputsName(this.#options.declaration.model, plan.roots.values(), coerced) : this.#options.lookups.name(plan, coerced))
    const known = planned.plan.costs.get(sizes)
    if (known) return known
    const cost = operationCost(this.#options, planned, coerced)
    remember(planned.plan.costs, sizes, cost)
    const charges = this.#charges.get(planned.document) ?? new Map<string, number>()
    if (charges.size === 0) this.#charges.set(planned.document, charges)
    remember(charges, pages, cost.requestCharge)
    return cost
  }

  /** The max charge of an operation that was planned before. `given` are variables as the request has them: where a default is used, the largest that is known. */
  knownCharge(document: DocumentNode, given: Record<string, unknown>): number | undefined {
    const charges = this.#charges.get(document)
    return charges && (charges.get(this.#sizesIn(document, given)) ?? Math.max(...charges.values()))
  }

  #isWithin({ roundTrips, requestCharge }: OperationCost): boolean {
    return roundTrips <= this.#budget.roundTrips && requestCharge <= this.#budget.requestCharge
  }

  /** Equal for requests whose pages have the same sizes everywhere. */
  #sizesIn(document: DocumentNode, variables: Record<string, unknown>): string {
    let names = this.#sizeVariables.get(document)
    if (!names) this.#sizeVariables.set(document, (names = sizeVariablesIn(document)))
    return names.length === 0 ? '' : names.map((name) => (variables[name] === undefined ? '' : clampedPageSize(variables[name], this.#options.pageSizes))).join()
  }
}

function remember<Value>(remembered: Map<string, Value>, name: string, value: Value): void {
  if (remembered.size >= maxRemembered) remembered.delete(remembered.keys().next().value!)
  remembered.set(name, value)
}

/** The variables that are page sizes. */
function sizeVariablesIn(document: DocumentNode): readonly string[] {
  if (!document.definitions.some((node) => node.kind === Kind.OPERATION_DEFINITION && node.variableDefinitions?.length)) return []
  const names = new Set<string>()
  visit(document, {
    [Kind.ARGUMENT]({ name, value }) {
      if (pageSizeArguments.includes(name.value) && value.kind === Kind.VARIABLE) names.add(value.name.value)
    },
  })
  return [...names]
}

function tooCostly({ roundTrips, requestCharge, dearest }: OperationCost, budget: Budget): GraphQLError {
  const over = [
    ...(requestCharge > budget.requestCharge ? [`${requestCharge} RU (max ${budget.requestCharge})`] : []),
    ...(roundTrips > budget.roundTrips ? [`${roundTrips} round trips (max ${budget.roundTrips})`] : []),
  ].join(' and ')
  const advice = dearest ? `Most of it is ${dearest.field} at ${dearest.at} with ${dearest.requestCharge} RU: ask for smaller pages there or above it, or for less below it.` : 'Ask for less at a time.'
  return httpError('QUERY_TOO_COSTLY', `Budget exceeded: the operation can cost ${over}. ${advice}`, {
    ...(dearest ? { nodes: [dearest.node] } : {}),
    extensions: {
      cost: { roundTrips, requestCharge },
      // Only what is limited.
      budget: Object.fromEntries(Object.entries(budget).filter(([, max]) => max !== Infinity)),
      ...(dearest ? { dearest: { field: dearest.field, at: dearest.at } } : {}),
    },
  })
}
