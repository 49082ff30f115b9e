// The short way in: a plain POST of JSON whose operation is known is answered here, without Yoga. Whatever
// is not plain, not known or not right goes on to Yoga as it came, with the body that has been read already.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Asked, FastAnswer } from '../execute/operation.ts'
import { wrapServer } from './wrap-server.ts'
import { isNestedBeyond } from './limits/nesting.ts'
import type { MaybePromise } from '../store/maybe-promise.ts'
import { isObject } from '../model/json/json.ts'

export interface FastPathOptions<R> {
  readonly path: string
  /** Requests with one of these headers are not plain. */
  readonly notWith: readonly string[]
  readonly maxBytes: number
  /** Variables that are nested deeper are not plain either. */
  readonly maxNesting: number
  /** Where only some documents run: the text of the one that a body wants, by its id or by its text. */
  readonly textOf?: (wanted: object) => string | undefined
  /** The request as others want to see it, from the moment it is here. */
  readonly arrive: (request: IncomingMessage) => R
  /** Undefined when the long way has to be taken, and so when it fails. */
  readonly answer: (asked: Asked, request: R, message: IncomingMessage) => MaybePromise<FastAnswer | undefined>
  /** It is answered: what its headers say, names and values in turn. */
  readonly answered: (request: R, status: number) => readonly string[]
}

/** The same server, which takes the fast path for requests of node:http where it can. */
export function withFastPath<S extends object, R>(server: S, options: FastPathOptions<R>): S {
  return wrapServer(server, (request, response, next) => (isPlain(request, options) ? take(request, response, next, options) : next()))
}

/** What most clients send. Everything else about HTTP is Yoga's business. */
function isPlain({ method, url, headers }: IncomingMessage, { path, notWith, maxBytes }: Pick<FastPathOptions<unknown>, 'path' | 'notWith' | 'maxBytes'>): boolean {
  if (method !== 'POST' || url !== path || !jsonTypes.has(headers['content-type'] ?? '') || !accepted.has(headers.accept ?? '*/*')) return false
  const length = Number(headers['content-length'])
  return length > 0 && length <= maxBytes && notWith.every((name) => headers[name] === undefined)
}

const jsonTypes = new Set(['application/json', 'application/json; charset=utf-8', 'application/json;charset=utf-8', 'application/json; charset=UTF-8', 'application/json;charset=UTF-8'])
const accepted = new Set(['*/*', 'application/json', 'application/json, text/plain, */*', 'application/json, */*'])

function take<R>(request: IncomingMessage, response: ServerResponse, longWay: () => unknown, options: FastPathOptions<R>): void {
  const { arrive, answer, answered } = options
  const arrived = arrive(request)
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.once('end', () => {
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    const end = (done: FastAnswer | undefined): void => {
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
function answerTo(asked: Asked | undefined, answer: (asked: Asked) => MaybePromise<FastAnswer | undefined>): MaybePromise<FastAnswer | undefined> {
  try {
    return asked && answer(asked)
  } catch {
    return undefined
  }
}

/** With headers as a list, of which node:http makes nothing before it writes them. */
function send(response: ServerResponse, { body, status = 200, headers = {} }: FastAnswer, more: readonly string[]): void {
  const bytes = Buffer.byteLength(body)
  const own = Object.entries(headers).flat()
  response.writeHead(status, [...more, ...own, 'content-type', 'application/json; charset=utf-8', 'content-length', String(bytes)])
  // As many bytes as characters: nothing in it is different in Latin-1, which is quicker to write.
  response.end(body, bytes === body.length ? 'latin1' : 'utf8')
}

/** Undefined for anything that is not just a query with its variables. */
function askedIn(body: Buffer, { maxNesting, textOf }: Pick<FastPathOptions<unknown>, 'maxNesting' | 'textOf'>): Asked | undefined {
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
  if (!(isNothing(extensions) || isObject(extensions)) || isNestedBeyond(variables, maxNesting) || isNestedBeyond(extensions, maxNesting)) return undefined
  return { query, operationName: operationName ?? undefined, variables: variables ?? {} }
}

/** What may name a document. */
const naming = new Set(['documentId', 'extensions'])

function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined
}
