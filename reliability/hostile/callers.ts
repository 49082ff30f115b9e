// The sender of a hostile request: anonymous, an ordinary viewer with a valid token, or one with a broken token. Without
// authentication the headers carry secrets that must not be logged.

import { askedAs, type Hostile } from './hostile-request.ts'
import type { BrokenToken } from './issuer.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'

export interface Caller {
  /** The authorization header, or another secret one; undefined for an anonymous request. */
  readonly header: string | undefined
  /** Whether the token is valid. */
  readonly known?: boolean
  /** What is wrong with the token, if anything. */
  readonly broken?: string
}

/** Tokens for a gateway with authentication. */
export interface Tokens {
  /** An ordinary viewer, who may do anything with their own documents. */
  readonly mallory: string
  readonly broken: readonly BrokenToken[]
}

export const nobody: Caller = { header: undefined }

export function callerOf(random: Random, { sent, tokens }: Pick<World, 'sent' | 'tokens'>): Caller {
  if (tokens && random.chance(0.45)) return { header: `authorization: Bearer ${tokens.mallory}`, known: true }
  if (tokens && random.chance(0.2)) return brokenCaller(random, tokens)
  if (!random.chance(0.1)) return nobody
  const [authorization, basic] = [`authorization: Bearer ${sent.authorization.text}`, `authorization: Basic ${Buffer.from(`user:${sent.password.text}`).toString('base64')}`]
  const header = random.pick([authorization, basic, `cookie: session=${sent.cookie.text}`, `x-api-key: ${sent.authorization.text}`])
  return { header, ...(tokens && header.startsWith('authorization') ? { broken: 'no token' } : {}) }
}

/** A prepared broken token, or a valid one with something changed. */
export function brokenCaller(random: Random, { mallory, broken }: Tokens): Caller {
  if (broken.length === 0 || random.chance(0.3)) return { header: `authorization: Bearer ${changed(mallory, random)}`, broken: 'changed' }
  const { what, header } = random.pick(broken)
  return { header: `authorization: ${header}`, broken: what }
}

/** Adds the sender's header where the first headers of the request are well-formed; other requests stay anonymous. */
export function sentBy(caller: Caller, hostile: Hostile): Hostile {
  const said = caller.header === undefined ? undefined : askedAs(hostile, caller.header)
  return said ? { ...said, ...(caller.broken === undefined ? {} : { broken: caller.broken }) } : hostile
}

/** Flips bits of the payload or the signature: changing a character could leave the same bytes. */
function changed(token: string, random: Random): string {
  const parts = token.split('.')
  const which = random.below(parts.length)
  const bytes = Buffer.from(parts[which]!, 'base64url')
  const at = random.below(bytes.length)
  bytes[at] = bytes[at]! ^ (1 << random.below(8))
  const turned = parts.with(which, bytes.toString('base64url')).join('.')
  return random.pick([turned, turned, token.slice(0, random.below(token.length - 2)), `${token}${token}`, parts.toReversed().join('.')])
}
