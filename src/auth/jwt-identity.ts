// Identifies viewers by a JSON Web Token in the authorization header: signed with one of the issuer's keys, for this
// audience, and not expired. The library that verifies tokens is loaded only here.

import { defaultClaims, type Claims } from './claims.ts'
import type { Identity } from './identity.ts'

/**
 * An identity for `createGateway` that verifies the JSON Web Token of each request.
 *
 * @example
 * ```ts
 * import { createGateway, createJwtIdentity } from 'quire-graphql'
 *
 * const identity = await createJwtIdentity({ jwks: 'https://login.example/keys.json', issuer: 'https://login.example', audience: 'shop' })
 * const gateway = await createGateway({ typeDefs, store: openMemoryStore, identity })
 * ```
 */
export async function createJwtIdentity({ claims, ...options }: JwtOptions): Promise<Identity> {
  return (await import('./verify-tokens.ts')).verifyTokens(options, { ...defaultClaims, ...claims })
}

/**
 * Which tokens are valid, and what their claims mean.
 *
 * @example
 * ```ts
 * const options: JwtOptions = { jwks: 'keys.json', issuer: 'https://login.example', audience: 'shop', claims: { roles: 'realm_access.roles' } }
 * ```
 */
export interface JwtOptions {
  /** The URL or file of the JWKS with the issuer's public keys. */
  readonly jwks: string
  readonly issuer: string
  readonly audience: string
  /** Where the claims are, if not in `sub` and `roles`. A tenant is read only if its claim is named. */
  readonly claims?: Partial<Claims>
}
