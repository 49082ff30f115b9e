// How errors get a code: GraphQL errors to throw, and the code of any error.

import { GraphQLError, isValueNode, type GraphQLErrorOptions } from 'graphql'
import { ClientVisibleError, factsOf, type ErrorCode } from './errors.ts'

/**
 * An error for resolvers to throw: the client sent something that cannot be used, and sees the message.
 *
 * @example
 * ```ts
 * if (input.text.trim() === '') throw badInput('text is empty. Write a comment.')
 * ```
 */
export function badInput(message: string): GraphQLError {
  return clientError('BAD_USER_INPUT', message)
}

/**
 * An error with a code of your choice for resolvers to throw; the client sees the code and the message.
 *
 * @example
 * ```ts
 * throw clientError('CONFLICT', 'The article was published already.')
 * ```
 */
export function clientError(code: ErrorCode, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } })
}

/** An error with the HTTP status and headers of its code. */
export function httpError(code: ErrorCode, message: string, { retryAfterSeconds, extensions, ...at }: HttpErrorOptions = {}): GraphQLError {
  return new GraphQLError(message, { ...at, extensions: { code, ...extensions, ...httpOf(code, retryAfterSeconds) } })
}

interface HttpErrorOptions extends GraphQLErrorOptions {
  /** Overrides the code's own. */
  readonly retryAfterSeconds?: number
}

/** The code of an error in an answer. An exception in a resolver is an internal error; an invalid request is bad input. */
export function codeOf(error: GraphQLError): string {
  const visible = visibleError(error) ?? (isDeliberate(error) ? error : undefined)
  if (!visible) return 'INTERNAL_SERVER_ERROR'
  return String(visible.extensions['code'] ?? (error.path === undefined || isAboutArgument(error) ? 'BAD_USER_INPUT' : 'INTERNAL_SERVER_ERROR'))
}

/** Whether GraphQL.js made it when it read an argument, such as a variable that is null where a value is required. */
function isAboutArgument({ nodes, originalError }: GraphQLError): boolean {
  const [node] = (originalError instanceof GraphQLError ? originalError.nodes : nodes) ?? []
  return node !== undefined && isValueNode(node)
}

/** A name for an error in logs and spans. */
export function nameOf(error: unknown): string {
  return (visibleError(error)?.extensions['code'] as string | undefined) ?? (error instanceof Error ? error.name : 'Error')
}

/** The error that clients see in place of a `ClientVisibleError`, or of a GraphQLError of another copy of graphql. Undefined for every other error. */
export function visibleError(error: unknown): GraphQLError | undefined {
  const original = error instanceof GraphQLError ? error.originalError : error
  const { nodes, path } = error instanceof GraphQLError ? error : {}
  const at = { ...(nodes ? { nodes } : {}), ...(path ? { path } : {}) }
  if (isOfOtherCopy(original)) return new GraphQLError(original.message, { ...at, extensions: original.extensions })
  return original instanceof ClientVisibleError ? httpError(original.code, original.clientMessage, at) : undefined
}

/**
 * Whether a resolver threw it on purpose, with a class that only looks like GraphQLError: test runners and bundlers load
 * graphql's ES module for the application, while Node loads its CommonJS module for Quire.
 */
function isOfOtherCopy(error: unknown): error is GraphQLError {
  return error instanceof Error && error.name === 'GraphQLError' && !(error instanceof GraphQLError) && (error as GraphQLError).originalError === undefined
}

function httpOf(code: ErrorCode, retryAfterSeconds = factsOf(code).retryAfterSeconds): object {
  const { status, spec } = factsOf(code)
  const headers = retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': String(retryAfterSeconds) } }
  return status === undefined ? {} : { http: { ...(spec ? { spec } : {}), status, ...headers } }
}

/** Whether a GraphQLError was thrown on purpose, rather than wrapped around an exception. */
function isDeliberate(error: Error): boolean {
  return error instanceof GraphQLError && (!error.originalError || isDeliberate(error.originalError))
}
