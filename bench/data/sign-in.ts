// New keys and a token for each run: a viewer who may read portfolios and change books, authors and publishers.

import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { audience, issuer } from './issuer.ts'
import { writeCached } from './sample.ts'

export interface SignIn {
  /** The file with the public keys. */
  readonly jwks: string
  /** The headers of a signed-in request. */
  readonly headers: Record<string, string>
}

export async function signIn(): Promise<SignIn> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwks = writeCached('jwks.json', { keys: [{ ...(await exportJWK(publicKey)), kid: 'bench', alg: 'ES256', use: 'sig' }] })
  const token = await new SignJWT({ roles: ['broker', 'librarian', 'support'] })
    .setProtectedHeader({ alg: 'ES256', kid: 'bench' })
    .setIssuer(issuer).setAudience(audience).setSubject('1').setIssuedAt().setExpirationTime('1d')
    .sign(privateKey)
  return { jwks, headers: { authorization: `Bearer ${token}` } }
}
