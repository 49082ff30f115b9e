// The port that identifies viewers. Quire's own implementation verifies JSON Web Tokens; a program can bring another one.

import { GraphQLError } from 'graphql'
import { ClientVisibleError } from '../errors.ts'
import type { Viewer } from './viewer.ts'

export interface Identity {
  /**
   * The viewer; undefined for a request without credentials. Synchronous if the viewer is cached, and the same object as
   * long as nothing about the viewer changed. Throws `invalidToken` for invalid credentials. `request` is the request as the
   * gateway was given it, of node:http or of fetch.
   */
  viewerOf(headers: HeaderReader, request: object): Viewer | undefined | Promise<Viewer | undefined>
}

/** Reads headers by their lower-case names. */
export interface HeaderReader {
  get(name: string): string | null
}

/** Status 401 with a challenge. `why` goes into a header too, so it must not contain quotes. */
export function invalidToken(why: string): GraphQLError {
  const message = `Invalid token: ${why}`
  const headers = { 'www-authenticate': `Bearer error="invalid_token", error_description="${message}"` }
  return new GraphQLError(message, { extensions: { code: 'UNAUTHENTICATED', http: { status: 401, headers } } })
}

/** The keys that verify tokens could not be fetched. Requests with a token are rejected until they can. */
export class IdentityUnavailableError extends ClientVisibleError {
  override readonly name = 'IdentityUnavailableError'
  override readonly code = 'IDENTITY_UNAVAILABLE'

  override get clientMessage(): string {
    return 'Authentication is unavailable: the key server did not answer. Try again.'
  }
}
