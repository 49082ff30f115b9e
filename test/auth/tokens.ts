// A token issuer for tests: keys, a server for the public ones, and tokens of every kind, valid and invalid.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose'

export const issuer = 'https://login.example'
export const audience = 'library'

export interface Issuer {
  readonly jwks: string
  readonly address: string
  /** How often the keys have been asked for. */
  readonly asked: () => number
  /** What the server does when it is asked. */
  answers: 'keys' | 'an error' | 'no JSON' | 'nothing'
  /** A token that is right in every way but those that are said. */
  token(claims?: Readonly<Record<string, unknown>>, options?: { key?: CryptoKey; alg?: string; kid?: string | undefined; expiresInS?: number; notBeforeInS?: number }): Promise<string>
  readonly keys: Readonly<Record<'RS256' | 'ES256' | 'PS256' | 'EdDSA' | 'other', CryptoKey>>
  readonly publicPem: string
  close(): void
}

export async function openIssuer(): Promise<Issuer> {
  const pairs = await Promise.all(['RS256', 'ES256', 'PS256', 'EdDSA'].map(async (alg) => ({ alg, ...(await generateKeyPair(alg, { extractable: true })) })))
  const other = await generateKeyPair('RS256')
  const published: JWK[] = await Promise.all(pairs.map(async ({ alg, publicKey }) => ({ ...(await exportJWK(publicKey)), kid: alg, alg, use: 'sig' })))
  let asked = 0
  const server = createServer((_, response) => {
    asked++
    if (issuing.answers === 'nothing') return void response.destroy()
    response.writeHead(issuing.answers === 'an error' ? 500 : 200, { 'content-type': 'application/json' }).end(issuing.answers === 'no JSON' ? '<html>' : JSON.stringify({ keys: published }))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
  const keys = Object.fromEntries([...pairs.map(({ alg, privateKey }) => [alg, privateKey]), ['other', other.privateKey]]) as unknown as Issuer['keys']
  const issuing: Issuer = {
    jwks: JSON.stringify({ keys: published }), address, answers: 'keys', asked: () => asked, keys, publicPem: await exportSPKI(pairs[0]!.publicKey),
    token(claims = {}, { alg = 'RS256', key = keys[alg as keyof typeof keys], kid = alg, expiresInS = 600, notBeforeInS } = {}) {
      const now = Math.floor(Date.now() / 1000)
      const payload = { iss: issuer, aud: audience, sub: 'ada', iat: now, exp: now + expiresInS, ...(notBeforeInS === undefined ? {} : { nbf: now + notBeforeInS }), ...claims }
      return new SignJWT(payload).setProtectedHeader({ alg, ...(kid === undefined ? {} : { kid }) }).sign(key)
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return issuing
}

/** A token with a header that no library would make. */
export function forged(header: object, claims: object = {}, signature = ''): string {
  const now = Math.floor(Date.now() / 1000)
  return `${part(header)}.${part({ iss: issuer, aud: audience, sub: 'ada', exp: now + 600, ...claims })}.${signature}`
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
