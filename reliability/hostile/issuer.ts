// Issues tokens: a key pair made for the run, whose public key is in a file that the gateway reads; valid tokens, and broken
// tokens of every kind. All of them contain a text that must not be logged.

import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTHeaderParameters } from 'jose'
import type { Secret } from '../secret-search.ts'

/** A whole authorization header that must be rejected. */
export interface BrokenToken {
  readonly what: string
  readonly header: string
}

type Claims = Readonly<Record<string, unknown>>

const names = { iss: 'https://login.example', aud: 'hostile' }
const dayS = 24 * 60 * 60

export class Issuer {
  /** Settings with which a gateway accepts these tokens. */
  readonly env: Readonly<Record<string, string>>
  readonly secret: Secret
  readonly #key: CryptoKey
  readonly #published: JWK
  readonly #pem: string

  private constructor(file: string, secret: Secret, key: CryptoKey, published: JWK, pem: string) {
    this.env = { QUIRE_JWKS: file, QUIRE_ISSUER: names.iss, QUIRE_AUDIENCE: names.aud }
    this.secret = secret
    this.#key = key
    this.#published = published
    this.#pem = pem
  }

  static async open(folder: string, seed: string): Promise<Issuer> {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    const published = { ...(await exportJWK(publicKey)), kid: 'of-the-run', alg: 'ES256', use: 'sig' }
    const file = join(folder, 'keys.json')
    writeFileSync(file, JSON.stringify({ keys: [published] }))
    return new Issuer(file, { name: 'claims of a token', text: `canary-claim-${seed}-do-not-tell` }, privateKey, published, await exportSPKI(publicKey))
  }

  token(id: string, roles: readonly string[] = []): Promise<string> {
    return this.#signed({ sub: id, roles })
  }

  /** Each would grant everything, except for one flaw. */
  async broken(id: string, roles: readonly string[]): Promise<BrokenToken[]> {
    const claims = { sub: id, roles }
    const now = Math.floor(Date.now() / 1000)
    const other = await generateKeyPair('ES256', { extractable: true })
    const otherJwk = await exportJWK(other.publicKey)
    const [good, weak] = [await this.#signed(claims), await this.#signed({ sub: 'nobody' })]
    const unsigned = (header: object): string => `${part(header)}.${part(this.#claims(claims))}`
    const shared = unsigned({ alg: 'HS256', kid: 'of-the-run' })
    const tokens: Record<string, string> = {
      'no signature': `${unsigned({ alg: 'none' })}.`,
      'no signature, said otherwise': `${unsigned({ alg: 'nOnE', kid: 'of-the-run' })}.`,
      'no signature where one should be': `${unsigned({ alg: 'ES256', kid: 'of-the-run' })}.`,
      'a signature of zeros': `${unsigned({ alg: 'ES256', kid: 'of-the-run' })}.${Buffer.alloc(64).toString('base64url')}`,
      'the public key as a shared secret': `${shared}.${createHmac('sha256', this.#pem).update(shared).digest('base64url')}`,
      'the public key as JSON as a shared secret': `${shared}.${createHmac('sha256', JSON.stringify(this.#published)).update(shared).digest('base64url')}`,
      'the signature of another': [...good.split('.').slice(0, 2), weak.split('.')[2]].join('.'),
      expired: await this.#signed({ ...claims, exp: now - 600 }),
      'not valid yet': await this.#signed({ ...claims, nbf: now + 600 }),
      'without an end': await this.#signed({ ...claims, exp: undefined }),
      'an end that is no number': await this.#signed({ ...claims, exp: 'never' }),
      'another audience': await this.#signed({ ...claims, aud: 'others' }),
      'no audience': await this.#signed({ ...claims, aud: undefined }),
      'another issuer': await this.#signed({ ...claims, iss: 'https://evil.example' }),
      'of nobody': await this.#signed({ ...claims, sub: undefined }),
      'of a number': await this.#signed({ ...claims, sub: 1 }),
      'roles that are no list': await this.#signed({ ...claims, roles: { librarian: true } }),
      'an unknown key': await this.#signed(claims, { kid: 'another' }, other.privateKey),
      'another key by the same name': await this.#signed(claims, {}, other.privateKey),
      'the key within': await this.#signed(claims, { jwk: otherJwk }, other.privateKey),
      'the key elsewhere': await this.#signed(claims, { jku: 'http://127.0.0.1:9/keys', kid: 'another' }, other.privateKey),
      'a key by a path': await this.#signed(claims, { kid: '../../../dev/null' }, other.privateKey),
      'a key by a number': `${unsigned({ alg: 'ES256', kid: 7 })}.x`,
      'something critical that nobody knows': `${unsigned({ alg: 'ES256', kid: 'of-the-run', crit: ['x'], x: 1 })}.${good.split('.')[2]!}`,
      'a payload as it is': `${unsigned({ alg: 'ES256', kid: 'of-the-run', crit: ['b64'], b64: false })}.${good.split('.')[2]!}`,
      'a header that is a list': `${part([])}.${good.split('.').slice(1).join('.')}`,
      'a header that is nothing': `${part(null)}.${good.split('.').slice(1).join('.')}`,
      'an algorithm that is a list': `${part({ alg: ['ES256'] })}.${good.split('.').slice(1).join('.')}`,
      'four parts': `${good}.x`, 'five parts': 'a.b.c.d.e', 'two parts': good.split('.').slice(0, 2).join('.'), 'no parts': 'x', dots: '..', 'three letters': 'a.b.c', long: 'x'.repeat(9000),
    }
    const headers = { 'another scheme': `Basic ${good}`, 'no scheme': good, 'a scheme alone': 'Bearer', 'two of them': `Bearer ${weak}, Bearer ${good}`, 'in quotes': `Bearer "${good}"` }
    return [...Object.entries(tokens).map(([what, token]) => ({ what, header: `Bearer ${token}` })), ...Object.entries(headers).map(([what, header]) => ({ what, header }))]
  }

  #signed(claims: Claims, header: Partial<JWTHeaderParameters> = {}, key = this.#key): Promise<string> {
    return new SignJWT(this.#claims(claims)).setProtectedHeader({ alg: 'ES256', kid: 'of-the-run', ...header }).sign(key)
  }

  /** The secret text comes first, so that a log of the first few characters would show it too. */
  #claims(claims: Claims): Claims {
    const now = Math.floor(Date.now() / 1000)
    return { jti: this.secret.text, ...names, iat: now, exp: now + dayS, ...claims }
  }
}

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
