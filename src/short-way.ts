// The short way in: a plain POST of JSON whose operation is known is answered here, without Yoga. Whatever
// is not plain, not known or not right goes on to Yoga as it came, with the body that has been read already.

import { IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { isHost } from './readable-address.ts'
import { isNestedBeyond } from './limits/nested.ts'
import type { OrLater } from './store/or-later.ts'

export interface Asked {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Record<string, unknown>
}

export interface ShortAnswer {
  /** As text, or as the bytes of that. */
  readonly body: string | Buffer
  /** 200, unless it says otherwise. */
  readonly status?: number
  readonly headers?: Record<string, string>
}

export interface ShortWayOptions<R> {
  readonly path: string
  /** Requests with one of these headers are not plain. */
  readonly notWith: readonly string[]
  readonly mostBytes: number
  /** Variables that are nested deeper are not plain either. */
  readonly mostNested: number
  /** Where only some documents run: the text of the one that a body wants, by its id or by its text. */
  readonly textOf?: (wanted: object) => string | undefined
  /** The request as others want to see it, from the moment it is here. */
  readonly arrive: (request: IncomingMessage) => R
  /** Undefined when the long way has to be taken, and so when it fails. */
  readonly answer: (asked: Asked, request: R, message: IncomingMessage) => OrLater<ShortAnswer | undefined>
  /** It is answered: what its headers say, names and values in turn. */
  readonly answered: (request: R, status: number) => readonly string[]
}

type Server = (...given: unknown[]) => unknown

/**
 * The same server, which takes the short way for requests of node:http where it can. Called it is a function
 * of ours, also by the `apply` that node:http uses; everything else about it is the server's.
 */
export function withShortWay<S extends object, R>(server: S, options: ShortWayOptions<R>): S {
  const serve = (...given: unknown[]): unknown => {
    const [request, response] = given
    const longWay = (): unknown => (server as unknown as Server)(...given)
    return request instanceof IncomingMessage && isPlain(request, options) ? take(request, response as ServerResponse, longWay, options) : longWay()
  }
  return new Proxy(serve, {
    has: (_, name) => Reflect.has(server, name),
    get: (own, name) => Reflect.get(name === 'apply' || name === 'call' || name === 'bind' ? own : server, name) as unknown,
  }) as unknown as S
}

/** What most clients send. Everything else about HTTP is Yoga's business. */
function isPlain({ method, url, headers }: IncomingMessage, { path, notWith, mostBytes }: Pick<ShortWayOptions<unknown>, 'path' | 'notWith' | 'mostBytes'>): boolean {
  if (method !== 'POST' || url !== path || !jsonTypes.has(headers['content-type'] ?? '') || !accepted.has(headers.accept ?? '*/*')) return false
  const length = Number(headers['content-length'])
  return length > 0 && length <= mostBytes && notWith.every((name) => headers[name] === undefined)
}

const jsonTypes = new Set(['application/json', 'application/json; charset=utf-8', 'application/json;charset=utf-8', 'application/json; charset=UTF-8', 'application/json;charset=UTF-8'])
const accepted = new Set(['*/*', 'application/json', 'application/json, text/plain, */*', 'application/json, */*'])

function take<R>(request: IncomingMessage, response: ServerResponse, longWay: () => unknown, options: ShortWayOptions<R>): void {
  const { arrive, answer, answered } = options
  const arrived = arrive(request)
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.once('end', () => {
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    const end = (done: ShortAnswer | undefined): void => {
      try {
        if (done) return send(response, done, answered(arrived, done.status ?? 200))
        // Where a framework leaves a body that it has read; Yoga looks for it there.
        Object.assign(request, { body: Readable.from([body]) })
        longWay()
      } catch (error) {
        response.destroy(error as Error)
      }
    }
    const done = answerTo(askedIn(body, options), (asked) => answer(asked, arrived, request))
    if (done instanceof Promise) void done.then(end, () => end(undefined))
    else end(done)
  })
}

/** What fails goes the long way, which comes upon the same and knows how to say it. */
function answerTo(asked: Asked | undefined, answer: (asked: Asked) => OrLater<ShortAnswer | undefined>): OrLater<ShortAnswer | undefined> {
  try {
    return asked && answer(asked)
  } catch {
    return undefined
  }
}

/** With headers as a list, of which node:http makes nothing before it writes them. */
function send(response: ServerResponse, { body, status = 200, headers = {} }: ShortAnswer, more: readonly string[]): void {
  const bytes = Buffer.byteLength(body)
  const own = Object.entries(headers).flat()
  response.writeHead(status, [...more, ...own, 'content-type', 'application/json; charset=utf-8', 'content-length', String(bytes)])
  // As many bytes as characters: nothing in it is different in Latin-1, which is quicker to write.
  response.end(body, bytes === body.length ? 'latin1' : 'utf8')
}

/** What resolvers find in the context of Yoga, as far as there is any use for it; the request of fetch is made when someone looks. */
export function contextOf(message: IncomingMessage, asked: Asked): object {
  let request: Request | undefined
  return {
    req: message,
    params: asked,
    get request() {
      const { host = '' } = message.headers
      const headers = Object.entries(message.headersDistinct).flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value]))
      request ??= new Request(`http://${isHost(host) ? host : 'localhost'}${message.url}`, { method: 'POST', headers, body: JSON.stringify(asked) })
      return request
    },
  }
}

/** Undefined for anything that is not just a query with its variables. */
function askedIn(body: Buffer, { mostNested, textOf }: Pick<ShortWayOptions<unknown>, 'mostNested' | 'textOf'>): Asked | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(body.toString())
  } catch {
    return undefined
  }
  if (!isObject(parsed)) return undefined
  const { query: given, variables, operationName, ...rest } = parsed
  const query = textOf ? textOf(parsed) : given
  for (const name in rest) if (!textOf || !naming.has(name)) return undefined
  if (typeof query !== 'string' || !(isNothing(operationName) || typeof operationName === 'string') || !(isNothing(variables) || isObject(variables))) return undefined
  const { extensions } = rest
  if (!(isNothing(extensions) || isObject(extensions)) || isNestedBeyond(variables, mostNested) || isNestedBeyond(extensions, mostNested)) return undefined
  return { query, operationName: operationName ?? undefined, variables: variables ?? {} }
}

/** What may name a document. */
const naming = new Set(['documentId', 'extensions'])

function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
