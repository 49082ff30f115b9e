// Every error code, and how errors get one. An error without a code is unexpected: production shows clients only that it
// happened, and the log has the rest.

import { GraphQLError, type GraphQLErrorOptions } from 'graphql'

export interface CodeFacts {
  /** The HTTP status, unless it is GraphQL's own (200, or 400 before anything ran). */
  readonly status?: number
  /** The status is sent only to clients that accept application/graphql-response+json, as GraphQL over HTTP defines it. */
  readonly spec?: true
  /** After how many seconds the client may try again. */
  readonly retryAfterSeconds?: number
  /** Logged, because an operator can do something about it. */
  readonly logged?: true
}

/** To add a code, add a line here and a row in docs/mutate.md. */
export const errorCodes = {
  BAD_USER_INPUT: {},
  NOT_FOUND: {},
  REFERENCE_MISSING: {},
  REFERENCED: {},
  CONFLICT: {},
  UNAUTHENTICATED: {},
  FORBIDDEN: {},
  IDENTITY_UNAVAILABLE: { status: 503, retryAfterSeconds: 5, logged: true },
  STORE_UNAVAILABLE: { logged: true },
  DEADLINE_EXCEEDED: { status: 504 },
  HUNG_UP: { status: 499 },
  OVERLOADED: { status: 503, retryAfterSeconds: 1 },
  RATE_LIMITED: { status: 429 },
  BAD_REQUEST: { status: 400 },
  REQUEST_ENTITY_TOO_LARGE: { status: 413 },
  UNSUPPORTED_MEDIA_TYPE: { status: 415 },
  PREFLIGHT_REQUIRED: { status: 403 },
  LIMIT_EXCEEDED: { status: 400, spec: true },
  QUERY_TOO_COSTLY: { status: 400, spec: true },
  INTROSPECTION_DISABLED: { status: 400, spec: true },
  UNTRUSTED_DOCUMENT: { status: 400 },
  INTERNAL_SERVER_ERROR: { logged: true },
} as const satisfies Record<string, CodeFacts>

/**
 * The `extensions.code` of an error; docs/mutate.md explains each.
 *
 * @example
 * ```ts
 * const code: ErrorCode = 'NOT_FOUND'
 * ```
 */
export type ErrorCode = keyof typeof errorCodes

/**
 * An error of the store, a deadline or authentication that clients may see, with a message written for them.
 *
 * @example
 * ```ts
 * const messageOf = (error: unknown): string => (error instanceof ClientVisibleError ? error.clientMessage : 'Try again later.')
 * ```
 */
export abstract class ClientVisibleError extends Error {
  abstract readonly code: ErrorCode

  /** What clients see. `message` is for the log. */
  get clientMessage(): string {
    return this.message
  }
}

/**
 * A setting that cannot be used. The message is one line that says what to write instead.
 *
 * @example
 * ```ts
 * createGateway(options).catch((error: unknown) => {
 *   if (error instanceof ConfigError) console.error(error.message)
 *   else throw error
 * })
 * ```
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

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
  return String(visible.extensions['code'] ?? (error.path === undefined ? 'BAD_USER_INPUT' : 'INTERNAL_SERVER_ERROR'))
}

/** Whether errors with this code are logged. */
export function isLogged(code: string): boolean {
  return Object.hasOwn(errorCodes, code) && factsOf(code as ErrorCode).logged === true
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

function factsOf(code: ErrorCode): CodeFacts {
  return errorCodes[code]
}

/** Whether a GraphQLError was thrown on purpose, rather than wrapped around an exception. */
function isDeliberate(error: Error): boolean {
  return error instanceof GraphQLError && (!error.originalError || isDeliberate(error.originalError))
}
