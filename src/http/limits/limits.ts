// How large, deep and repetitive a request may be. All of it is looked at before anything is planned or
// read, and costs no more than the text of the request is long.

import type { GraphQLError, GraphQLErrorOptions } from 'graphql'
import { httpError } from '../../errors.ts'

export interface Limits {
  /** Bytes of a body. */
  readonly bodyBytes: number
  /** Names, numbers, strings and punctuation of a document. */
  readonly tokens: number
  /** Fields below each other, fragments seen through. */
  readonly depth: number
  /** Anything within anything: braces, brackets, fragments in fragments, lists and objects in variables. Keeps every walk on the stack. */
  readonly nesting: number
  /** Fields of an operation, each fragment counted wherever it is spread. */
  readonly fields: number
  /** Fields under another name, counted likewise. */
  readonly aliases: number
  /** How often the same field may be asked for at one place of the answer. All of them have to be compared with each other. */
  readonly repeats: number
  /** Directives in a document. */
  readonly directives: number
}

/** Several times what people write by hand, and what clients compile from their components. */
export const defaultLimits: Limits = { bodyBytes: 100_000, tokens: 5000, depth: 30, nesting: 100, fields: 2000, aliases: 200, repeats: 100, directives: 100 }

/** For operations of one's own. The stack is as deep as ever. */
export const noLimits: Limits = { bodyBytes: Infinity, tokens: Infinity, depth: Infinity, nesting: defaultLimits.nesting, fields: Infinity, aliases: Infinity, repeats: Infinity, directives: Infinity }

/** A request that is too much. By its media types GraphQL over HTTP says whether that is a 400. */
export function beyondLimit(message: string, at: Pick<GraphQLErrorOptions, 'nodes' | 'source' | 'positions'> = {}): GraphQLError {
  return httpError('LIMIT_EXCEEDED', message, at)
}
