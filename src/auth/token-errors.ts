// What is wrong with a token, in words that say which rule it breaks and nothing of what is in it.

import type { GraphQLError } from 'graphql'
import { errors } from 'jose'
import { IdentityUnavailableError, notIdentified } from './identity.ts'

/** Whatever is not known to be the token's fault is ours. */
export function tokenError(error: unknown): GraphQLError | IdentityUnavailableError {
  const words = error instanceof errors.JOSEError ? wordsFor(error) : undefined
  return words === undefined ? new IdentityUnavailableError(error instanceof Error ? reasonOf(error) : String(error), { cause: error }) : notIdentified(words)
}

function wordsFor(error: errors.JOSEError): string | undefined {
  switch (error.code) {
    case 'ERR_JWT_EXPIRED': return 'The token has expired.'
    case 'ERR_JWT_CLAIM_VALIDATION_FAILED': return claimWords(error as errors.JWTClaimValidationFailed)
    case 'ERR_JOSE_ALG_NOT_ALLOWED': case 'ERR_JOSE_NOT_SUPPORTED': return 'The token is signed in a way that is not accepted here.'
    case 'ERR_JWKS_NO_MATCHING_KEY': return 'The token is signed with a key that is not known here.'
    case 'ERR_JWKS_MULTIPLE_MATCHING_KEYS': return 'The token does not say which key it is signed with.'
    case 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED': return 'The signature of the token is wrong.'
    case 'ERR_JWS_INVALID': case 'ERR_JWT_INVALID': return 'The token is no JSON Web Token.'
    default: return undefined
  }
}

function claimWords({ claim, reason }: errors.JWTClaimValidationFailed): string {
  if (reason === 'missing') return missingWords[claim] ?? 'The token lacks something that has to be in it.'
  return wrongWords[claim] ?? 'The token says something that is not accepted here.'
}

const missingWords: Readonly<Record<string, string>> = {
  exp: 'The token does not say when it expires.', aud: 'The token does not say whom it is for.', iss: 'The token does not say who issued it.',
}

const wrongWords: Readonly<Record<string, string>> = {
  nbf: 'The token is not valid yet.', aud: 'The token is for another audience.', iss: 'The token is from another issuer.',
}

/** `fetch` keeps what happened in the cause. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message
}
