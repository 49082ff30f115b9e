// A hostile request as bytes, and what must be true of its answer.

import type { Profile } from './profiles.ts'
import type { Random } from './random.ts'
import type { Answer } from './http-answer.ts'
import type { Sending } from './wire.ts'
import type { World } from './world.ts'

export interface Hostile extends Sending {
  /** `graphql`: every answer is as GraphQL over HTTP says, and every error has a code. `http`: any page or refusal will do. */
  readonly answered: 'graphql' | 'http'
  /** The flaw of its token, if any: then the answer must have no data. */
  readonly broken?: string
  /** Checks further facts at the same gateway and returns what is wrong. */
  readonly afterwards?: (answer: Answer, ask: Ask) => Promise<readonly string[]>
}

/** Sends an ordinary operation. */
export type Ask = (query: string, variables?: object) => Promise<{ data?: Record<string, unknown> | null; errors?: { message: string; extensions?: { code?: string } }[] }>

/** A class of hostile requests: how to make one, and its weight among the others. */
export interface HostileClass {
  readonly name: string
  readonly weight: number
  /** The gateways it applies to; default all. */
  readonly suits?: (profile: Profile) => boolean
  readonly make: (random: Random, world: World) => Hostile
}

export type Headers = Readonly<Record<string, string>>

/** A request with well-formed HTTP. */
export function asked(method: string, target: string, headers: Headers, body: string | Buffer = '', answered: Hostile['answered'] = 'graphql'): Hostile {
  const bytes = Buffer.from(body)
  const all = { host: '127.0.0.1', ...headers, ...(bytes.length > 0 || method === 'POST' ? { 'content-length': String(bytes.length) } : {}) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return { bytes: Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines}\r\n`, 'latin1'), bytes]), answers: 1, ends: false, alone: false, hasBody: method !== 'HEAD', answered }
}

/** A body that claims to be JSON. */
export function posted(body: string | Buffer, headers: Headers = {}): Hostile {
  return asked('POST', '/graphql', { 'content-type': 'application/json', accept: 'application/json', ...headers }, body)
}

export function operation(query: string, variables?: object, headers?: Headers): Hostile {
  return posted(JSON.stringify({ query, ...(variables ? { variables } : {}) }), headers)
}

/** The same with one more header, before others of its name; undefined where the request has no room for it. */
export function askedAs(hostile: Hostile, header: string): Hostile | undefined {
  const [found] = /^[^\r]+ HTTP\/1\.1\r\nhost: (127\.0\.0\.1|x)\r\n/.exec(hostile.bytes.toString('latin1', 0, 20_000)) ?? []
  if (found === undefined) return undefined
  return { ...hostile, bytes: Buffer.concat([hostile.bytes.subarray(0, found.length), Buffer.from(`${header}\r\n`), hostile.bytes.subarray(found.length)]) }
}

/** Arbitrary bytes. The answer, if any, may be only a status. */
export function raw(bytes: string | Buffer, { answers = 0, ends = true }: Partial<Pick<Sending, 'answers' | 'ends'>> = {}): Hostile {
  return { bytes: Buffer.from(bytes), answers, ends, alone: true, hasBody: true, answered: 'http' }
}
