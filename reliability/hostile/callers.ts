// Who sends a hostile request: nobody, someone like everyone else who is known by a token, or someone whose token is
// broken. Where no rules hold, whoever says something says what nobody may write down.

import { askedAs, type Hostile } from './hostile-request.ts'
import type { BrokenToken } from './issuer.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'

export interface Caller {
  /** The authorization header, or another that is as secret; undefined for nobody. */
  readonly header: string | undefined
  /** Whether it says who asks, and that is so. */
  readonly known?: boolean
  /** What is wrong with it, where something is. */
  readonly broken?: string
}

/** What a gateway that knows people is asked with. */
export interface Tokens {
  /** Of somebody who may do what everyone may, and whatever they like with what is their own. */
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

/** One of those that were made, or a good one with something changed. */
export function brokenCaller(random: Random, { mallory, broken }: Tokens): Caller {
  if (broken.length === 0 || random.chance(0.3)) return { header: `authorization: Bearer ${changed(mallory, random)}`, broken: 'changed' }
  const { what, header } = random.pick(broken)
  return { header: `authorization: ${header}`, broken: what }
}

/** A request that is in order as far as its first headers is sent by somebody; the others by nobody. */
export function sentBy(caller: Caller, hostile: Hostile): Hostile {
  const said = caller.header === undefined ? undefined : askedAs(hostile, caller.header)
  return said ? { ...said, ...(caller.broken === undefined ? {} : { broken: caller.broken }) } : hostile
}

/** Bits of what is signed or of what signs it: a character alone may stand for the same bytes. */
function changed(token: string, random: Random): string {
  const parts = token.split('.')
  const which = random.below(parts.length)
  const bytes = Buffer.from(parts[which]!, 'base64url')
  const at = random.below(bytes.length)
  bytes[at] = bytes[at]! ^ (1 << random.below(8))
  const turned = parts.with(which, bytes.toString('base64url')).join('.')
  return random.pick([turned, turned, token.slice(0, random.below(token.length - 2)), `${token}${token}`, parts.toReversed().join('.')])
}
