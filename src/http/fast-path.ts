// The fast path: a plain POST of JSON with a known operation is answered without Yoga. Every other request, and every
// error, goes on to Yoga with the body that has been read already.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { OperationRequest, FastAnswer } from '../execute/operation.ts'
import { wrapServer } from './wrap-server.ts'
import { isNestedBeyond } from './limits/nesting.ts'
import type { MaybePromise } from '../store/maybe-promise.ts'
import { isObject } from '../model/json/json.ts'

export interface FastPathOptions<R> {
  readonly path: string
  /** Requests with one of these headers go to Yoga. */
  readonly notWith: readonly string[]
  readonly maxBytes: number
  /** Requests with variables that are nested deeper go to Yoga. */
  readonly maxNesting: number
  /** Where only trusted documents run: the text of the one that a body names, by id or by text. */
  readonly textOf?: (body: object) => string | undefined
  /** Registers a request when it arrives. */
  readonly arrive: (request: IncomingMessage) => R
  /** Undefined when Yoga has to answer; Yoga also answers when it throws. */
  readonly answer: (asked: OperationRequest, request: R, message: IncomingMessage) => MaybePromise<FastAnswer | undefined>
  /** Called with the status of an answer; returns its headers, names and values in turn. */
  readonly answered: (request: R, status: number) => readonly string[]
}

/** The same server with the fast path before it, for requests of node:http. */
export function withFastPath<S extends object, R>(server: S, options: FastPathOptions<R>): S {
  return wrapServer(server, (request, response, next) => (isPlain(request, options) ? take(request, response, next, options) : next()))
}

/** Whether it is a request as most clients send it. Yoga handles all others. */
function isPlain({ method, url, headers }: IncomingMessage, { path, notWith, maxBytes }: Pick<FastPathOptions<unknown>, 'path' | 'notWith' | 'maxBytes'>): boolean {
  if (method !== 'POST' || url !== path || !jsonTypes.has(headers['content-type'] ?? '') || !accepted.has(headers.accept ?? '*/*')) return false
  const length = Number(headers['content-length'])
  return length > 0 && length <= maxBytes && notWith.every((name) => headers[name] === undefined)
}

const jsonTypes = new Set(['application/json', 'application/json; charset=utf-8', 'application/json;charset=utf-8', 'application/json; charset=UTF-8', 'application/json;charset=UTF-8'])
const accepted = new Set(['*/*', 'application/json', 'application/json, text/plain, */*', 'application/json, */*'])

function take<R>(request: IncomingMessage, response: ServerResponse, toYoga: () => unknown, options: FastPathOptions<R>): void {
  const { arrive, answer, answered } = options
  const arrived = arrive(request)
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.once('end', () => {
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    const end = (done: FastAnswer | undefined): void => {
      try {
        if (done) return send(response, done, answered(arrived, done.status ?? 200))
        // Yoga looks for a body that was read before it in `body`, where frameworks leave it.
        Object.assign(request, { body: Readable.from([body]) })
        toYoga()
      } catch (error) {
        response.destroy(error as Error)
      }
    }
    const done = answerTo(askedIn(body, options), (asked) => answer(asked, arrived, request))
    if (done instanceof Promise) void done.then(end, () => end(undefined))
    else end(done)
  })
}

/** Errors are left to Yoga, which meets the same error and reports it. */
function answerTo(asked: OperationRequest | undefined, answer: (asked: OperationRequest) => MaybePromise<FastAnswer | undefined>): MaybePromise<FastAnswer | undefined> {
  try {
    return asked && answer(asked)
  } catch {
    return undefined
  }
}

/** Headers are a list: node:http writes it as it is, without building an object of it. */
function send(response: ServerResponse, { body, status = 200, headers = {} }: FastAnswer, more: readonly string[]): void {
  const bytes = Buffer.byteLength(body)
  const own = Object.entries(headers).flat()
  response.writeHead(status, [...more, ...own, 'content-type', 'application/json; charset=utf-8', 'content-length', String(bytes)])
  // As many bytes as characters means ASCII, which is the same in Latin-1 and faster to write so.
  response.end(body, bytes === body.length ? 'latin1' : 'utf8')
}

/** Undefined unless the body is an operation with its variables and nothing else. */
function askedIn(body: Buffer, { maxNesting, textOf }: Pick<FastPathOptions<unknown>, 'maxNesting' | 'textOf'>): OperationRequest | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(body.toString())
  } catch {
    return undefined
  }
  if (!isObject(parsed)) return undefined
  const { query: given, variables, operationName, ...rest } = parsed
  const query = textOf ? textOf(parsed) : given
  for (const name in rest) if (!textOf || !namesOfDocument.has(name)) return undefined
  if (typeof query !== 'string' || !(isNothing(operationName) || typeof operationName === 'string') || !(isNothing(variables) || isObject(variables))) return undefined
  const { extensions } = rest
  if (!(isNothing(extensions) || isObject(extensions)) || isNestedBeyond(variables, maxNesting) || isNestedBeyond(extensions, maxNesting)) return undefined
  return { query, operationName: operationName ?? undefined, variables: variables ?? {} }
}

/** The properties that may name a trusted document. */
const namesOfDocument = new Set(['documentId', 'extensions'])

function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined
}
