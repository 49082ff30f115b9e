// What is wrong with a token, without quoting anything from it.

import type { GraphQLError } from 'graphql'
import { errors } from 'jose'
import { IdentityUnavailableError, invalidToken } from './identity.ts'

/** Every error that is not known to be the token's fault means that keys could not be fetched. */
export function tokenError(error: unknown): GraphQLError | IdentityUnavailableError {
  const reason = error instanceof errors.JOSEError ? reasonFor(error) : undefined
  return reason === undefined ? new IdentityUnavailableError(error instanceof Error ? withCause(error) : String(error), { cause: error }) : invalidToken(reason)
}

function reasonFor(error: errors.JOSEError): string | undefined {
  switch (error.code) {
    case 'ERR_JWT_EXPIRED': return 'it has expired. Get a new one.'
    case 'ERR_JWT_CLAIM_VALIDATION_FAILED': return claimReason(error as errors.JWTClaimValidationFailed)
    case 'ERR_JOSE_ALG_NOT_ALLOWED': case 'ERR_JOSE_NOT_SUPPORTED': return 'its signature algorithm is not accepted.'
    case 'ERR_JWKS_NO_MATCHING_KEY': return 'it is signed with an unknown key.'
    case 'ERR_JWKS_MULTIPLE_MATCHING_KEYS': return 'it does not name its key (kid), and several keys match.'
    case 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED': return 'its signature is wrong.'
    case 'ERR_JWS_INVALID': case 'ERR_JWT_INVALID': return 'it is not a JSON Web Token.'
    default: return undefined
  }
}

function claimReason({ claim, reason }: errors.JWTClaimValidationFailed): string {
  if (reason === 'missing') return missingReasons[claim] ?? 'a required claim is missing.'
  return wrongReasons[claim] ?? 'a claim is not accepted.'
}

const missingReasons: Readonly<Record<string, string>> = {
  exp: 'it has no expiry (exp).', aud: 'it has no audience (aud).', iss: 'it has no issuer (iss).',
}

const wrongReasons: Readonly<Record<string, string>> = {
  nbf: 'it is not valid yet (nbf).', aud: 'it is for another audience (aud).', iss: 'it is from another issuer (iss).',
}

/** `fetch` puts the actual failure into the cause. */
function withCause({ message, cause }: Error): string {
  return cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message
}
