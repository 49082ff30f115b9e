// One address for a gateway that is exchanged while it serves. A request is answered to its end by the
// gateway that it came to; an old gateway is closed when it has answered all of its requests.
// Subscriptions would never end, so they are ended: whoever subscribes again is served by the new one.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Gateway } from '../gateway.ts'

/** How often it is looked whether only subscriptions are left. */
const lookEveryMs = 20

/** For how long a gateway that goes waits for the rest of a request that has not arrived in full. */
const mostArrivingMs = 3000

/** How long the last words to subscribers may take. */
const lastWordsMs = 1000

export class GatewaySwap {
  #served: Served
  readonly #retiring = new Set<Promise<void>>()
  readonly #all = new Set<Served>()
  #isLeaving = false

  constructor(gateway: Gateway) {
    this.#served = this.#serve(gateway)
  }

  /** How many requests have not been answered in full. */
  get open(): number {
    return [...this.#all].reduce((sum, { open }) => sum + open.size, 0)
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isLeaving) response.setHeader('connection', 'close')
    this.#served.answer(request, response)
  }

  /** From here on requests go to this one. */
  put(gateway: Gateway): void {
    const old = this.#served
    this.#served = this.#serve(gateway)
    this.#retire(old)
  }

  /** From here on every answer says that it is the last on its connection. */
  leave(): void {
    this.#isLeaving = true
    for (const { open } of this.#all) for (const response of open) if (!response.headersSent) response.setHeader('connection', 'close')
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

  constructor(gateway: Gateway) {
    this.#gateway = gateway
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    this.open.add(response)
    response.once('close', () => this.open.delete(response))
    // Yoga answers every request itself, so there is nothing to wait for here.
    void this.#gateway(request, response)
  }

  async retire(): Promise<void> {
    const beganMs = performance.now()
    const isWaitedFor = (response: ServerResponse): boolean => !isStream(response) && (response.req.complete || performance.now() - beganMs < mostArrivingMs)
    while ([...this.open].some(isWaitedFor)) await pause(lookEveryMs)
    await this.#gateway.dispose()
    // Subscribers are told that it was the end, so that they know it was no accident.
    for (const untilMs = performance.now() + lastWordsMs; this.open.size > 0 && performance.now() < untilMs;) await pause(lookEveryMs)
    for (const response of this.open) response.destroy()
  }
}

/** Begun and not ended, for a client that takes events: any other answer is written as a whole. */
function isStream(response: ServerResponse): boolean {
  return response.headersSent && !response.writableEnded && (response.req.headers.accept?.includes('text/event-stream') ?? false)
}
