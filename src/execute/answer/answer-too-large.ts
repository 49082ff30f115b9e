// The answer of an operation has grown beyond its limits while it was made. The operation ends there, and is answered with
// this error alone: half an answer would look like a whole one.

import type { GraphQLError } from 'graphql'
import { httpError } from '../../graphql-errors.ts'
import type { Plan, PlanNode } from '../../plan/plan.ts'

/** How large an answer may become. */
export interface AnswerLimits {
  /** Max length of its JSON, in characters. */
  readonly bytes: number
  /** Max documents that references show, each counted wherever it is shown. GraphQL.js, which takes far more memory for each, counts all objects in lists. */
  readonly rows: number
}

/** `node` is the field whose values grew; undefined where fields of the root are too much together. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge'
  readonly node: PlanNode | undefined
  readonly exceeds: keyof AnswerLimits

  constructor(node: PlanNode | undefined, exceeds: keyof AnswerLimits) {
    super('The answer is too large.')
    this.node = node
    this.exceeds = exceeds
  }
}

/** `written` says that the operation is a mutation, which has written by now. */
export function answerTooLarge({ node, exceeds }: AnswerTooLarge, plan: Plan, limits: AnswerLimits, written: boolean): GraphQLError {
  const at = node && plan.pathTo(node)?.join('.')
  const amount = exceeds === 'bytes' ? `${limits.bytes} bytes` : `${limits.rows} rows`
  const grown = node ? ` Most of it is ${node.coordinate}${at === undefined ? '' : ` at ${at}`}.` : ''
  const advice = written ? 'The mutation was written; query its documents instead.' : 'Ask for less below it, for smaller pages above it, or for documents by their ids.'
  return httpError('ANSWER_TOO_LARGE', `The answer has more than ${amount}.${grown} ${advice}`, {
    ...(node ? { nodes: node.written } : {}),
    extensions: { max: { [exceeds]: limits[exceeds] }, ...(node ? { field: node.coordinate, ...(at === undefined ? {} : { at }) } : {}) },
  })
}

/**
 * The texts of the rows that one node shows. Every row that a run writes is shown at least once, so the answer is at least as
 * long as all of them together. It belongs to the code of the node, so runs that take turns forget what the others wrote.
 */
export class Growth {
  readonly #node: PlanNode | undefined
  readonly #maxBytes: number
  #run = 0
  #bytes = 0

  constructor(node: PlanNode | undefined, maxBytes: number) {
    this.#node = node
    this.#maxBytes = maxBytes
  }

  /** Adds the text of a row. Throws `AnswerTooLarge`. */
  add(text: string, { number }: { readonly number: number }): string {
    if (this.#run !== number) {
      this.#run = number
      this.#bytes = 0
    }
    if ((this.#bytes += text.length) > this.#maxBytes) throw new AnswerTooLarge(this.#node, 'bytes')
    return text
  }
}
