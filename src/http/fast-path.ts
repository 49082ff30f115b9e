// The fast path: a plain POST of JSON with a query or mutation is answered without Yoga. It does for its requests what
// Yoga's plugins do for theirs: identity, admission, log, metrics, headers. Every other request, and every error, goes on
// to Yoga with the body that has been read already.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { requestState, fromNode, isHost, type IncomingRequest } from '../auth/request-state.ts'
import type { FastAnswer, OperationRequest } from '../execute/operation.ts'
import { isNestedBeyond, isObject } from '../model/json/json.ts'
import type { Observation } from '../observe/create-observers.ts'
import { whenReady, type MaybePromise } from '../store/maybe-promise.ts'
import type { ServerParts } from './create-server.ts'
import type { HttpSettings } from './http-options.ts'
import type { Admission } from './admission/admission.ts'
import { overloaded, overloadedAnswer } from './admission/overload.ts'
import { documentReader } from './limits/read-document.ts'
import { answerHeaders } from './plugins/use-answer-headers.ts'
import { originHeaders } from './plugins/use-origins.ts'
import { withStep, type FrameworkRequest, type Listener } from './listener.ts'

/** The same listener with the fast path before it. */
export function withFastPath(listener: Listener, { schema, operations, observation, site }: ServerParts, settings: HttpSettings, admission: Admission<OperationRequest>): Listener {
  const { identity, limits, origins } = settings
  const headers = Object.entries({ 'content-type': 'application/json; charset=utf-8', ...answerHeaders, ...originHeaders(origins) }).flat()
  // Traced and compressed requests go to Yoga, and cross-origin ones where any are allowed.
  const notWith = ['quire-trace', 'content-encoding', ...(origins.length > 0 ? ['origin'] : [])]

  const read = documentReader(schema, settings)
  const answer = (asked: OperationRequest, request: IncomingRequest, message: IncomingMessage): MaybePromise<FastAnswer | undefined> => {
    if (!identity) return operations.answer(asked, request, message, read)
    return whenReady(identity.viewerOf(request.headers, message), (viewer) => {
      requestState(request).viewer = viewer
      return operations.answer(asked, request, message, read)
    })
  }

  const refuse = (request: IncomingRequest): FastAnswer => {
    observation.observers.refuse({ request, errors: [overloaded()] })
    return overloadedAnswer
  }

  return withStep(listener, (message, response, toYoga) => {
    if (!isPlain(message, notWith, limits.bodyBytes)) return toYoga()
    const request = fromNode(message)
    return readJson(message, (json, body) => {
      const asked = askedIn(json, settings)
      const end = (done: FastAnswer | undefined): void => {
        try {
          if (!done) return continueInYoga(message, requestState(request).id, body, toYoga)
          const { status = 200 } = done
          site.countFastAnswer(status !== 200)
          countAnswer(observation, request, status)
          send(response, done, ['x-request-id', requestState(request).id, ...headers])
        } catch (error) {
          response.destroy(error as Error)
        }
      }
      const done = asked && unlessItThrows(() => admission.within(() => answer(asked, request, message), () => refuse(request), true, asked))
      if (done instanceof Promise) void done.then(end, () => end(undefined))
      else end(done)
    })
  })
}

/** For answers that Yoga's plugins do not see. */
export function countAnswer({ requestLog, metrics }: Observation, request: IncomingRequest, status: number): void {
  requestLog?.answered(request, status)
  metrics?.answered(request, status)
}

/** Whether it is a request as most clients send it. Yoga handles all others. */
function isPlain({ method, url, headers }: IncomingMessage, notWith: readonly string[], maxBytes: number): boolean {
  if (method !== 'POST' || !isReadableHost(headers.host) || !(url === '/graphql' || graphqlPath.test(url!)) || !jsonTypes.has(headers['content-type'] ?? '') || !accepted.has(headers.accept ?? '*/*')) return false
  for (const name of notWith) if (headers[name] !== undefined) return false
  const length = Number(headers['content-length'])
  return length > 0 && length <= maxBytes
}

/** Most requests name the same host. */
let lastHost: string | undefined

/** Yoga's listener refuses an invalid one (request-url.ts). */
function isReadableHost(host: string | undefined): boolean {
  if (host === undefined || host === '' || host === lastHost) return true
  if (!isHost(host)) return false
  lastHost = host
  return true
}

/** At the root or below the path that the gateway is mounted at. */
const graphqlPath = /^(?:\/[\w.~-]+)*\/graphql$/
const jsonTypes = new Set(['application/json', 'application/json; charset=utf-8', 'application/json;charset=utf-8', 'application/json; charset=UTF-8', 'application/json;charset=UTF-8'])
const accepted = new Set(['*/*', 'application/json', 'application/json, text/plain, */*', 'application/json, */*'])

/** Undefined for what is not JSON. The bytes are there only if they were read here, and not by a framework. */
function readJson(message: FrameworkRequest, then: (json: unknown, body?: Buffer) => void): void {
  if (message.body !== undefined || message.readableDidRead) return then(message.body)
  const chunks: Buffer[] = []
  message.on('data', (chunk: Buffer) => chunks.push(chunk))
  message.on('end', () => {
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    then(parsed(body), body)
  })
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** Yoga looks for a body that was read before it in `body`, where frameworks leave it. */
function continueInYoga(message: FrameworkRequest, id: string, body: Buffer | undefined, toYoga: () => void): void {
  // Where Yoga's plugins find it.
  message.headers['x-request-id'] = id
  if (body) message.body = Readable.from([body])
  toYoga()
}

/** Errors are left to Yoga, which meets the same error and reports it. */
function unlessItThrows(answer: () => MaybePromise<FastAnswer | undefined>): MaybePromise<FastAnswer | undefined> {
  try {
    return answer()
  } catch {
    return undefined
  }
}

/** Headers are a list: node:http writes it as it is, without building an object of it. */
function send(response: ServerResponse, { body, status = 200, headers }: FastAnswer, list: string[]): void {
  const bytes = Buffer.byteLength(body)
  list.push('content-length', String(bytes))
  for (const name in headers) list.push(name, headers[name]!)
  response.writeHead(status, list)
  // As many bytes as characters means ASCII, which is the same in Latin-1 and faster to write so.
  response.end(body, bytes === body.length ? 'latin1' : 'utf8')
}

/** Undefined unless the body is an operation with its variables and nothing else. */
function askedIn(json: unknown, { limits: { nesting }, trusted }: HttpSettings): OperationRequest | undefined {
  if (!isObject(json)) return undefined
  for (const name in json) if (!namesOfOperation.has(name) && !(trusted && namesOfDocument.has(name))) return undefined
  const { variables, operationName, extensions } = json
  const query = trusted ? trusted.textOf(json) : json['query']
  if (typeof query !== 'string' || !(isNothing(operationName) || typeof operationName === 'string') || !(isNothing(variables) || isObject(variables))) return undefined
  if (!(isNothing(extensions) || isObject(extensions)) || isNestedBeyond(variables, nesting) || isNestedBeyond(extensions, nesting)) return undefined
  return { query, operationName: operationName ?? undefined, variables: variables ?? {} }
}

const namesOfOperation = new Set(['query', 'variables', 'operationName'])

/** The properties that may name a trusted document. */
const namesOfDocument = new Set(['documentId', 'extensions'])

function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined
}
