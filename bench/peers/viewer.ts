// Who asks: the token in the authorization header, verified against the same keys as Quire's. As in Quire, verified tokens are
// remembered, so only the first request of each one is verified.

import { readFileSync } from 'node:fs'
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose'
import { audience, issuer } from '../data/issuer.ts'

export interface Viewer {
  readonly id: string
  readonly roles: readonly string[]
}

const file = process.env['BENCH_JWKS']
const keys = file ? createLocalJWKSet(JSON.parse(readFileSync(file, 'utf8')) as JSONWebKeySet) : undefined
const verified = new Map<string, Viewer & { readonly untilMs: number }>()

/** Answers at once without a token and for a remembered one. */
export function viewerOf(authorization: string | null | undefined): Viewer | undefined | Promise<Viewer> {
  if (!authorization?.startsWith('Bearer ')) return undefined
  const token = authorization.slice(7)
  const known = verified.get(token)
  return known && known.untilMs > Date.now() ? known : verify(token)
}

async function verify(token: string): Promise<Viewer> {
  if (!keys) throw new Error('Cannot verify a token: set BENCH_JWKS to a file with the keys.')
  const { payload } = await jwtVerify(token, keys, { issuer, audience, requiredClaims: ['exp'] })
  const viewer = { id: String(payload.sub), roles: payload['roles'] as string[], untilMs: payload.exp! * 1000 }
  verified.set(token, viewer)
  return viewer
}

export function requireRole(viewer: Viewer | undefined, role: string): void {
  if (!viewer?.roles.includes(role)) throw new Error(`Forbidden: this requires role ${role}.`)
}
