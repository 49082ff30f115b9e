// The port that identifies viewers. Quire's own implementation verifies JSON Web Tokens; a program can bring another one.

import { GraphQLError } from 'graphql'
import { ClientVisibleError } from '../errors.ts'
import type { Viewer } from './viewer.ts'

/**
 * Tells who asks. `createJwtIdentity` makes one that verifies JSON Web Tokens; a program can bring its own.
 *
 * @example
 * ```ts
 * const identity: Identity = {
 *   viewerOf(headers) {
 *     const user = headers.get('x-user')
 *     return user === null ? undefined : { id: user, roles: new Set(['reader']), tenant: undefined }
 *   },
 * }
 * const gateway = await createGateway({ typeDefs, store: openMemoryStore, identity })
 * ```
 */
export interface Identity {
  /**
   * The viewer; undefined for a request without credentials. Synchronous if the viewer is cached, and the same object as
   * long as nothing about the viewer changed. Throws `invalidToken` for invalid credentials. `request` is the request as the
   * gateway was given it, of node:http or of fetch.
   */
  viewerOf(headers: HeaderReader, request: object): Viewer | undefined | Promise<Viewer | undefined>
}

/**
 * Reads headers by their lower-case names.
 *
 * @example
 * ```ts
 * const sessionOf = (headers: HeaderReader): string | null => headers.get('x-session')
 * ```
 */
export interface HeaderReader {
  get(name: string): string | null
}

/**
 * The error for an identity to throw if credentials are not valid: status 401 with a challenge. `why` goes into a header too, so it
must not contain quotes.
 *
 * @example
 * ```ts
 * if (headers.get('x-session') === null) throw invalidToken('the session has ended.')
 * ```
 */
export function invalidToken(why: string): GraphQLError {
  const message = `Invalid token: ${why}`
  const headers = { 'www-authenticate': `Bearer error="invalid_token", error_description="${message}"` }
  return new GraphQLError(message, { extensions: { code: 'UNAUTHENTICATED', http: { status: 401, headers } } })
}

/**
 * The error for an identity to throw if it cannot find out who asks. Requests with credentials are rejected until it can.
 *
 * @example
 * ```ts
 * throw new IdentityUnavailableError('The session store did not answer.')
 * ```
 */
export class IdentityUnavailableError extends ClientVisibleError {
  override readonly name = 'IdentityUnavailableError'
  override readonly code = 'IDENTITY_UNAVAILABLE'

  override get clientMessage(): string {
    return 'Authentication is unavailable: the key server did not answer. Try again.'
  }
}
