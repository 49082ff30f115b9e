// A request that nobody in their right mind sends, as bytes, and what has to be true of the answer.

import type { Profile } from './profiles.ts'
import type { Random } from './random.ts'
import type { Answer } from './http-answer.ts'
import type { Sending } from './wire.ts'
import type { World } from './world.ts'

export interface Hostile extends Sending {
  /** `graphql`: every answer is as GraphQL over HTTP says, and every error has a code. `http`: any page or refusal will do. */
  readonly answered: 'graphql' | 'http'
  /** What is wrong with the token that it brings, where something is: then there is no data for it. */
  readonly broken?: string
  /** What else has to be so, asked of the same gateway; answers with what is not. */
  readonly afterwards?: (answer: Answer, ask: Ask) => Promise<readonly string[]>
}

/** One more operation, as plain as they come. */
export type Ask = (query: string, variables?: object) => Promise<{ data?: Record<string, unknown> | null; errors?: { message: string; extensions?: { code?: string } }[] }>

/** A sort of hostile request: how they are made, and how many there are beside the others. */
export interface HostileClass {
  readonly name: string
  readonly weight: number
  /** Which gateways it is of any use for; without, all of them. */
  readonly suits?: (profile: Profile) => boolean
  readonly make: (random: Random, world: World) => Hostile
}

export type Headers = Readonly<Record<string, string>>

/** A request whose HTTP is in order. */
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

/** The same with one more header, which comes before all others of its name; undefined where there is no place for it. */
export function askedAs(hostile: Hostile, header: string): Hostile | undefined {
  const [found] = /^[^\r]+ HTTP\/1\.1\r\nhost: (127\.0\.0\.1|x)\r\n/.exec(hostile.bytes.toString('latin1', 0, 20_000)) ?? []
  if (found === undefined) return undefined
  return { ...hostile, bytes: Buffer.concat([hostile.bytes.subarray(0, found.length), Buffer.from(`${header}\r\n`), hostile.bytes.subarray(found.length)]) }
}

/** Bytes that may be anything. An answer, if there is one, may be nothing but a status. */
export function raw(bytes: string | Buffer, { answers = 0, ends = true }: Partial<Pick<Sending, 'answers' | 'ends'>> = {}): Hostile {
  return { bytes: Buffer.from(bytes), answers, ends, alone: true, hasBody: true, answered: 'http' }
}
