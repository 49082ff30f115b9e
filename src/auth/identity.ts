// Whoever finds out who asks. Quire brings one that verifies tokens; a server of your own may bring another.

import { GraphQLError } from 'graphql'
import { ToldError } from '../errors.ts'
import type { Viewer } from './viewer.ts'

export interface Identity {
  /**
   * Who asks; undefined for whoever does not say. At once where it is known, and the same object as long as nothing
   * about it has changed. Throws `notIdentified` for whoever says it wrongly.
   */
  viewerOf(headers: Headed): Viewer | undefined | Promise<Viewer | undefined>
}

/** Headers by their name in small letters. */
export interface Headed {
  get(name: string): string | null
}

/** What a request is answered with that says wrongly who asks. The words must be fit for a header: no quotes. */
export function notIdentified(message: string): GraphQLError {
  const headers = { 'www-authenticate': `Bearer error="invalid_token", error_description="${message}"` }
  return new GraphQLError(message, { extensions: { code: 'UNAUTHENTICATED', http: { status: 401, headers } } })
}

/** The keys that verify tokens could not be fetched. Requests with a token are rejected until they can. */
export class IdentityUnavailableError extends ToldError {
  override readonly name = 'IdentityUnavailableError'
  override readonly code = 'IDENTITY_UNAVAILABLE'

  override get toldMessage(): string {
    return 'Authentication is unavailable: the key server did not answer. Try again.'
  }
}
