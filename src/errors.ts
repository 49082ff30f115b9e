// Every error code, and how errors get one. An error that carries no code is unexpected: clients see only that it
// happened, and the log has the rest.

import { GraphQLError, type GraphQLErrorOptions } from 'graphql'

interface CodeFacts {
  /** The HTTP status, where it is not GraphQL's own (200, or 400 before anything ran). */
  readonly status?: number
  /** GraphQL over HTTP lets the media type decide: the status holds for application/graphql-response+json alone. */
  readonly spec?: true
  /** The same request may be answered after this many seconds. */
  readonly retryAfterSeconds?: number
  /** An operator can do something about it, so it is logged. */
  readonly logged?: true
}

/** To add a code, add a line. docs/production.md explains each. */
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
  INTROSPECTION_DISABLED: {},
  UNTRUSTED_DOCUMENT: { status: 400 },
  INTERNAL_SERVER_ERROR: { logged: true },
} as const satisfies Record<string, CodeFacts>

export type ErrorCode = keyof typeof errorCodes

/** An error of a store, a deadline or the sign-in that clients are told of, in words that are fit for them. */
export abstract class ToldError extends Error {
  abstract readonly code: ErrorCode

  /** What clients read; the message itself is for the log. */
  get toldMessage(): string {
    return this.message
  }
}

/** A setting that cannot be used. The message is one line that says what to write instead. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export function badInput(message: string): GraphQLError {
  return clientError('BAD_USER_INPUT', message)
}

export function clientError(code: ErrorCode, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } })
}

/** An error whose HTTP status tells proxies and clients what to do, too. */
export function httpError(code: ErrorCode, message: string, { retryAfterSeconds, extensions, ...at }: HttpErrorOptions = {}): GraphQLError {
  return new GraphQLError(message, { ...at, extensions: { code, ...extensions, ...httpOf(code, retryAfterSeconds) } })
}

interface HttpErrorOptions extends GraphQLErrorOptions {
  /** Where it is not the code's own. */
  readonly retryAfterSeconds?: number
}

/** The code under which an error is answered. An exception in a resolver is unexpected; a mistake in the request is the client's. */
export function codeOf(error: GraphQLError): string {
  const told = toldError(error) ?? (isDeliberate(error) ? error : undefined)
  if (!told) return 'INTERNAL_SERVER_ERROR'
  return String(told.extensions['code'] ?? (error.path === undefined ? 'BAD_USER_INPUT' : 'INTERNAL_SERVER_ERROR'))
}

/** Whether an operator could do something about it, and wants to find it in the log. */
export function isLogged(code: string): boolean {
  return Object.hasOwn(errorCodes, code) && factsOf(code as ErrorCode).logged === true
}

/** What to call an error that no client sees. */
export function nameOf(error: unknown): string {
  return (toldError(error)?.extensions['code'] as string | undefined) ?? (error instanceof Error ? error.name : 'Error')
}

/** The error that clients see in place of a `ToldError`. Undefined for everything else. */
export function toldError(error: unknown): GraphQLError | undefined {
  const original = error instanceof GraphQLError ? error.originalError : error
  if (!(original instanceof ToldError)) return undefined
  const { nodes, path } = error instanceof GraphQLError ? error : {}
  return httpError(original.code, original.toldMessage, { ...(nodes ? { nodes } : {}), ...(path ? { path } : {}) })
}

function httpOf(code: ErrorCode, retryAfterSeconds = factsOf(code).retryAfterSeconds): object {
  const { status, spec } = factsOf(code)
  const headers = retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': String(retryAfterSeconds) } }
  return status === undefined ? {} : { http: { ...(spec ? { spec } : {}), status, ...headers } }
}

function factsOf(code: ErrorCode): CodeFacts {
  return errorCodes[code]
}

/** Whether it was thrown as an answer, and not by accident. */
function isDeliberate(error: Error): boolean {
  return error instanceof GraphQLError && (!error.originalError || isDeliberate(error.originalError))
}
