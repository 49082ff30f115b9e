// Every error code, and the errors that need no GraphQL: the store room and the entries for other programs never load it.
// An error without a code is unexpected: production shows clients only that it happened, and the log has the rest.

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
  ABORTED: {},
  ATOMIC_UNSUPPORTED: {},
  DOCUMENT_INVALID: { logged: true },
  UNAUTHENTICATED: {},
  FORBIDDEN: {},
  IDENTITY_UNAVAILABLE: { status: 503, retryAfterSeconds: 5, logged: true },
  STORE_UNAVAILABLE: { logged: true },
  STORE_MIGRATING: { status: 503, retryAfterSeconds: 1 },
  CATCHING_UP: {},
  STALE_FILTER: {},
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
  ANSWER_TOO_LARGE: { status: 400, spec: true },
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
 * Settings that cannot be used. The message says what to write instead, in a line for each.
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

/** Whether errors with this code are logged. */
export function isLogged(code: string): boolean {
  return Object.hasOwn(errorCodes, code) && factsOf(code as ErrorCode).logged === true
}

export function factsOf(code: ErrorCode): CodeFacts {
  return errorCodes[code]
}
