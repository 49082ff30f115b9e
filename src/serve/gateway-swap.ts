// Replaces the gateway behind one address while it serves. The gateway that received a request answers it; an old gateway
// closes when it has answered all of its requests. Subscriptions would never end, so it ends them: clients that subscribe
// again reach the new gateway.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Gateway } from '../http/gateway-server.ts'

/** How often to check whether only subscriptions are left. */
const pollMs = 20

/** How long an old gateway waits for the rest of a request that has not arrived in full. */
const maxArrivingMs = 3000

/** How long requests that have begun may take before `putAfter` stops waiting for them. */
const maxIdlingMs = 1000

/** How long sending the last event to subscribers may take. */
const maxFarewellMs = 1000

export class GatewaySwap {
  #served: Served
  readonly #retiring = new Set<Promise<void>>()
  readonly #all = new Set<Served>()
  #isLeaving = false
  /** Requests that wait for the next gateway. */
  #waiting: (() => void)[] | undefined

  constructor(gateway: Gateway) {
    this.#served = this.#serve(gateway)
  }

  /** How many requests are not answered in full. */
  get open(): number {
    return [...this.#all].reduce((sum, { open }) => sum + open.size, this.#waiting?.length ?? 0)
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.#waiting) return void this.#waiting.push(() => this.answer(request, response))
    if (this.#isLeaving) response.setHeader('connection', 'close')
    this.#served.answer(request, response)
  }

  /** From now on, this gateway receives the requests. */
  put(gateway: Gateway): void {
    const old = this.#served
    this.#served = this.#serve(gateway)
    this.#retire(old)
  }

  /**
   * The same, for a gateway whose documents have to be prepared first: meanwhile no request is answered, because neither
   * schema fits the documents. New requests wait for it; those that have begun get some time to end.
   */
  async putAfter(prepare: () => Promise<void>, gateway: Gateway): Promise<void> {
    const waiting = (this.#waiting = [] as (() => void)[])
    try {
      await this.#served.idle(maxIdlingMs)
      await prepare()
      this.put(gateway)
    } finally {
      this.#waiting = undefined
      for (const answer of waiting) answer()
    }
  }

  /** Whether every response closes its connection from now on. */
  leave(leaves: boolean): void {
    this.#isLeaving = leaves
    if (leaves) for (const { open } of this.#all) for (const response of open) if (!response.headersSent) response.setHeader('connection', 'close')
  }

  async close(): Promise<void> {
    this.#retire(this.#served)
    await Promise.all(this.#retiring)
  }

  #serve(gateway: Gateway): Served {
    const served = new Served(gateway)
    this.#all.add(served)
    return served
  }

  #retire(old: Served): void {
    const retired: Promise<void> = old.retire().finally(() => {
      this.#retiring.delete(retired)
      this.#all.delete(old)
    })
    this.#retiring.add(retired)
  }
}

class Served {
  readonly open = new Set<ServerResponse>()
  readonly #gateway: Gateway
  /** One listener for all responses, each of which closes once. */
  readonly #onClose: (this: ServerResponse) => void

  constructor(gateway: Gateway) {
    this.#gateway = gateway
    const { open } = this
    this.#onClose = function () {
      open.delete(this)
    }
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    this.open.add(response)
    response.on('close', this.#onClose)
    this.#gateway(request, response)
  }

  /** Resolves when only subscriptions are left, or after this long. */
  async idle(maxMs: number): Promise<void> {
    for (const untilMs = performance.now() + maxMs; ![...this.open].every(isStream) && performance.now() < untilMs;) await pause(pollMs)
  }

  async retire(): Promise<void> {
    const beganMs = performance.now()
    const isWaitedFor = (response: ServerResponse): boolean => !isStream(response) && (response.req.complete || performance.now() - beganMs < maxArrivingMs)
    while ([...this.open].some(isWaitedFor)) await pause(pollMs)
    await this.#gateway.dispose()
    // Subscribers receive a last event, so that they can tell the end from a lost connection.
    for (const untilMs = performance.now() + maxFarewellMs; this.open.size > 0 && performance.now() < untilMs;) await pause(pollMs)
    for (const response of this.open) response.destroy()
  }
}

/** A response that has begun and not ended, to a client that accepts events. Any other response is written at once. */
function isStream(response: ServerResponse): boolean {
  return response.headersSent && !response.writableEnded && (response.req.headers.accept?.includes('text/event-stream') ?? false)
}
