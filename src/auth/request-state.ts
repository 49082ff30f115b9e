// What Quire knows of an HTTP request besides the request itself: its id, when it arrived, its viewer and its cost.

import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Viewer } from './viewer.ts'

/**
 * The part of a request that observers need: a fetch Request has it, and `fromNode` makes one of a node:http request.
 *
 * @example
 * ```ts
 * const pathOf = ({ url }: IncomingRequest): string => new URL(url).pathname
 * ```
 */
export interface IncomingRequest {
  readonly method: string
  readonly url: string
  readonly headers: { get(name: string): string | null; keys(): Iterable<string> }
  /** Requests made by `fromNode` carry their state; that of fetch requests is kept in a WeakMap. @internal */
  readonly state?: RequestState
}

export class RequestState {
  readonly id: string
  /** On the clock of `performance.now()`. */
  readonly startMs = performance.now()
  /** Whether an operation of the request has begun. */
  begun = false
  /** Set once the token is verified; undefined for a request without one. */
  viewer: Viewer | undefined = undefined
  /** The max cost of its operation in RU, once planned; for a subscription, of each event. */
  cost: number | undefined = undefined
  /** What the request log says of its operation. */
  logged: object | undefined = undefined

  /** Keeps the client's id if it is short and safe in logs and headers. */
  constructor(sentId: string | null) {
    this.id = sentId !== null && /^[\w.:=+/-]{1,128}$/.test(sentId) ? sentId : newId()
  }
}

const states = new WeakMap<IncomingRequest, RequestState>()

export function requestState(request: IncomingRequest): RequestState {
  const known = request.state ?? states.get(request)
  if (known) return known
  const state = new RequestState(request.headers.get('x-request-id'))
  states.set(request, state)
  return state
}

/** A request that goes on as another object, from the fast path to Yoga, keeps its state. */
export function continueRequest(from: IncomingRequest, as: IncomingRequest): void {
  states.set(as, requestState(from))
}

/** Wraps a node:http request that has just arrived. */
export function fromNode(message: IncomingMessage): IncomingRequest {
  return new NodeRequest(message)
}

class NodeRequest implements IncomingRequest {
  readonly #headers: IncomingMessage['headers']
  readonly method: string
  readonly url: string
  readonly state: RequestState

  constructor({ method = '', url = '', headers }: IncomingMessage) {
    this.#headers = headers
    this.method = method
    this.url = urlOf(url)
    this.state = new RequestState(headers['x-request-id']?.toString() ?? null)
  }

  get headers(): this {
    return this
  }

  /** The id is there, whether the client sent one or not. */
  get(name: string): string | null {
    return name === 'x-request-id' ? this.state.id : this.#headers[name]?.toString() ?? null
  }

  keys(): string[] {
    return Object.keys(this.#headers)
  }
}

/** A random prefix per process and a counter: as unique as random ids, and far cheaper. */
function newId(): string {
  return `${thisProcess}-${(++requests).toString(36).padStart(8, '0')}`
}
const thisProcess = randomBytes(9).toString('base64url')
let requests = 0

/** Most requests ask for the same URL: it is made, and cut, once for all of them. */
function urlOf(target: string): string {
  if (target !== lastTarget) [lastTarget, lastUrl] = [target, `http://node${target}`]
  return lastUrl
}
let lastTarget = ''
let lastUrl = 'http://node'

/** The path without the query, which may hold variables, and without anything before an @, which may be a name and password. */
export function pathOf({ url }: IncomingRequest): string {
  if (url !== lastRead) [lastRead, lastPath] = [url, pathIn(url)]
  return lastPath
}
let lastRead = ''
let lastPath = '/'

function pathIn(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const path = start < 0 ? '/' : url.slice(start).split(/[?#]/, 1)[0]!
  return path.includes('@') || path.includes('%40') ? path.replaceAll(/[^/]*(@|%40)/g, '[hidden]@') : path
}

/** The end of the path: a gateway serves the same wherever it is mounted. */
export function routeOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Whether a text is a host with an optional port, and nothing else. */
export function isHost(text: string): boolean {
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d{0,5})?$/i.test(text) && URL.canParse(`http://${text}`)
}
