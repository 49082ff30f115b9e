// What one operation may cost. Whatever could cost more is refused before anything is read, with the figures and
// the place that costs most.

import type { GraphQLError } from 'graphql'
import { httpError } from '../../errors.ts'
import { arrivalOf, type IncomingRequest } from '../../auth/request-state.ts'
import type { Costs, OperationCost, Planned } from './cost.ts'

export interface Budget {
  readonly roundTrips: number
  /** In request units. */
  readonly requestCharge: number
}

/** What production has unless it is told otherwise: hundreds of full pages, and nowhere near a full scan. */
export const defaultBudget: Budget = { roundTrips: 100, requestCharge: 10_000 }

export const noBudget: Budget = { roundTrips: Infinity, requestCharge: Infinity }

/** Knows what operations cost, tells it to their requests, and lets through what is within the budget. */
export class CostGuard {
  readonly #costs: Costs
  readonly #budget: Budget

  constructor(costs: Costs, budget: Budget) {
    this.#costs = costs
    this.#budget = budget
  }

  /** For variables as they came. Throws what is too much. */
  admit(planned: Planned, given: Record<string, unknown>, request: IncomingRequest): void {
    const cost = this.#costs.costOfGiven(planned, given)
    if (!cost) return
    arrivalOf(request).cost = cost.requestCharge
    if (!this.#isWithin(cost)) throw tooCostly(cost, this.#budget)
  }

  /** For variables with their defaults. False for what is too much. */
  admits(planned: Planned, coerced: Record<string, unknown>, request: IncomingRequest): boolean {
    const cost = this.#costs.costOf(planned, coerced)
    arrivalOf(request).cost = cost.requestCharge
    return this.#isWithin(cost)
  }

  #isWithin({ roundTrips, requestCharge }: OperationCost): boolean {
    return roundTrips <= this.#budget.roundTrips && requestCharge <= this.#budget.requestCharge
  }
}

function tooCostly({ roundTrips, requestCharge, dearest }: OperationCost, budget: Budget): GraphQLError {
  const over = [
    ...(requestCharge > budget.requestCharge ? [`${requestCharge} request units, and ${budget.requestCharge} are allowed`] : []),
    ...(roundTrips > budget.roundTrips ? [`${roundTrips} round trips, and ${budget.roundTrips} are allowed`] : []),
  ].join('; ')
  const where = dearest ? ` Most of it is ${dearest.field} at ${dearest.at}, with ${dearest.requestCharge} request units: ask for smaller pages there or above it, or for less below it.` : ' Ask for less at a time.'
  return httpError('QUERY_TOO_COSTLY', `This operation can take ${over}.${where}`, {
    ...(dearest ? { nodes: [dearest.node] } : {}),
    extensions: {
      cost: { roundTrips, requestCharge },
      // What is not limited is left out.
      budget: Object.fromEntries(Object.entries(budget).filter(([, most]) => most !== Infinity)),
      ...(dearest ? { dearest: { field: dearest.field, at: dearest.at } } : {}),
    },
  })
}
