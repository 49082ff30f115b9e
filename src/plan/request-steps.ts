// The steps of one request before it runs: each token, node and value that is visited while it is parsed, measured, validated,
// coerced and planned takes one. All of these share one max, so none of them can go on when the others have had enough, whatever
// it finds. What a document has taken is noted for it, and a plan has what is left after it: later work goes on from there.

import type { ASTNode, DocumentNode, GraphQLError } from 'graphql'
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

  /** As many as are left here. */
  copy(): RequestSteps {
    return new RequestSteps(this.#max, this.#left)
  }

  /** Notes what was taken for a document, for all who go on with it. */
  noteFor(document: DocumentNode): void {
    noted.set(document, this.copy())
  }

  /** As many as are left after the document was read; all of them, if it comes from Quire itself. */
  static after(document: DocumentNode): RequestSteps {
    return noted.get(document)?.copy() ?? new RequestSteps()
  }

  #exceeded(node: ASTNode | undefined): GraphQLError {
    return httpError('LIMIT_EXCEEDED', stepsExceeded(this.#max), node ? { nodes: [node] } : {})
  }
}

const noted = new WeakMap<DocumentNode, RequestSteps>()
