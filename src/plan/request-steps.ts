// The steps of one request before it runs: each token, node and value that is visited while it is parsed, measured, validated,
// coerced and planned takes one. All of these share one max, so none of them can go on when the others have had enough, whatever
// it finds. What a document has taken is noted with it, and what a plan has taken with the plan: later work goes on from there.

import type { ASTNode, GraphQLError } from 'graphql'
import { httpError } from '../graphql-errors.ts'

export const defaultMaxSteps = 200_000

export function stepsExceeded(max: number): string {
  return `To check and plan the request takes more than ${max} steps. Ask for less at a time.`
}

export class RequestSteps {
  readonly #max: number
  #left: number

  constructor(max = defaultMaxSteps, left = max) {
    this.#max = max
    this.#left = left
  }

  get taken(): number {
    return this.#max - this.#left
  }

  /** Throws `LIMIT_EXCEEDED` when there are no more; `node` is where. */
  take(steps: number, node?: ASTNode): void {
    if ((this.#left -= steps) < 0) throw this.#exceeded(node)
  }

  /** Notes what was taken for a document or plan, for all who go on with it. */
  noteFor(made: object): void {
    noted.set(made, new RequestSteps(this.#max, this.#left))
  }

  /** As many as are left after this document or plan was made; all of them, if Quire has made it by itself. */
  static after(made: object): RequestSteps {
    const before = noted.get(made)
    return before ? new RequestSteps(before.#max, before.#left) : new RequestSteps()
  }

  #exceeded(node: ASTNode | undefined): GraphQLError {
    return httpError('LIMIT_EXCEEDED', stepsExceeded(this.#max), node ? { nodes: [node] } : {})
  }
}

const noted = new WeakMap<object, RequestSteps>()
