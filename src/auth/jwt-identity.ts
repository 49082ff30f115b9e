// Who asks, by a JSON Web Token in the authorization header: signed with one of the issuer's keys, for this
// audience, and not expired. Tokens that have been verified are remembered until they expire, so that all but
// the first request of each cost a look into a map.

import { jwtVerify, type JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import { readClaims, type Claims } from './claims.ts'
import { notIdentified, type Headed, type Identity } from './identity.ts'
import { openKeys } from './signing-keys.ts'
import { tokenError } from './token-errors.ts'
import type { Viewer } from './viewer.ts'

export interface JwtSetting {
  /** Where the issuer's public keys are: the address of a JWKS, or a file of one. */
  readonly jwks: string
  readonly issuer: string
  readonly audience: string
  readonly claims: Claims
}

/** Only keys that cannot be made by whoever verifies: never `none`, and nothing with a shared secret. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** How far clocks may be apart. */
const toleranceMs = 10_000

/** How much memory tokens may take: some thousand of them. */
const rememberedBytes = 8 * 1024 * 1024

/** Longer than any header that a server takes by default. */
const mostCharacters = 16_384

export async function createJwtIdentity({ jwks, issuer, audience, claims }: JwtSetting): Promise<Identity> {
  const keys = await openKeys(jwks)
  const remembered = new LRUCache<string, Viewer & { readonly untilMs: number }>({ maxSize: rememberedBytes, sizeCalculation: (_, token) => 500 + 2 * token.length })
  const verify = async (token: string): Promise<Viewer> => {
    let payload: JWTPayload
    try {
      payload = (await jwtVerify(token, keys, { algorithms, issuer, audience, clockTolerance: toleranceMs / 1000, requiredClaims: ['exp'] })).payload
    } catch (error) {
      throw tokenError(error)
    }
    const viewer = { ...readClaims(payload, claims), untilMs: payload.exp! * 1000 + toleranceMs }
    remembered.set(token, viewer)
    return viewer
  }
  return {
    viewerOf(headers: Headed) {
      const header = headers.get('authorization')
      if (header === null) return undefined
      const known = header.startsWith('Bearer ') ? remembered.get(header.slice(7)) : undefined
      if (known && known.untilMs > Date.now()) return known
      return verify(tokenIn(header))
    },
  }
}

function tokenIn(header: string): string {
  const [, token] = /^bearer +([\w.~+/-]+=*) *$/i.exec(header) ?? []
  if (token === undefined || token.length > mostCharacters) throw notIdentified('The authorization header holds no bearer token.')
  return token
}
