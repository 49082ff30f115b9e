// Verifies the JSON Web Token in the authorization header of a request. Verified tokens are cached until they expire, so only the first request of each verifies it.

import { jwtVerify, type JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import { readClaims, type Claims } from './claims.ts'
import { invalidToken, type HeaderReader, type Identity } from './identity.ts'
import type { JwtOptions } from './jwt-identity.ts'
import { openKeys } from './signing-keys.ts'
import { tokenError } from './token-errors.ts'
import type { Viewer } from './viewer.ts'

/** Asymmetric algorithms only: never `none`, and no shared secrets, with which a verifier could forge tokens. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** How far the clocks of issuer and gateway may differ. */
const toleranceMs = 10_000

/** Memory for cached tokens: some thousands of them. */
const cacheBytes = 8 * 1024 * 1024

/** Node accepts no longer headers by default. */
const maxCharacters = 16_384

export async function verifyTokens({ jwks, issuer, audience }: JwtOptions, claims: Claims): Promise<Identity> {
  const keys = await openKeys(jwks)
  const verified = new LRUCache<string, Viewer & { readonly untilMs: number }>({ maxSize: cacheBytes, sizeCalculation: (_, token) => 500 + 2 * token.length })
  const verify = async (token: string): Promise<Viewer> => {
    let payload: JWTPayload
    try {
      payload = (await jwtVerify(token, keys, { algorithms, issuer, audience, clockTolerance: toleranceMs / 1000, requiredClaims: ['exp'] })).payload
    } catch (error) {
      throw tokenError(error)
    }
    const viewer = { ...readClaims(payload, claims), untilMs: payload.exp! * 1000 + toleranceMs }
    verified.set(token, viewer)
    return viewer
  }
  return {
    viewerOf(headers: HeaderReader) {
      const header = headers.get('authorization')
      if (header === null) return undefined
      const known = header.startsWith('Bearer ') ? verified.get(header.slice(7)) : undefined
      if (known && known.untilMs > Date.now()) return known
      return verify(tokenIn(header))
    },
  }
}

function tokenIn(header: string): string {
  const [, token] = /^bearer +([\w.~+/-]+=*) *$/i.exec(header) ?? []
  if (token === undefined || token.length > maxCharacters) throw invalidToken('the authorization header has no bearer token.')
  return token
}
