// One address for a gateway that is exchanged while it serves. A request is answered to its end by the
// gateway that it came to; an old gateway is closed when it has answered all of its requests.
// Subscriptions would never end, so they are ended: whoever subscribes again is served by the new one.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Gateway } from './gateway.ts'

/** How often it is looked whether only subscriptions are left. */
const lookEveryMs = 20

export class Exchange {
  #served: Served
  readonly #retiring = new Set<Promise<void>>()

  constructor(gateway: Gateway) {
    this.#served = new Served(gateway)
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    this.#served.answer(request, response)
  }

  /** From here on requests go to this one. */
  put(gateway: Gateway): void {
    const old = this.#served
    this.#served = new Served(gateway)
    const retired: Promise<void> = old.retire().finally(() => this.#retiring.delete(retired))
    this.#retiring.add(retired)
  }

  async close(): Promise<void> {
    await Promise.all([this.#served.retire(), ...this.#retiring])
  }
}

class Served {
  readonly #gateway: Gateway
  readonly #open = new Set<ServerResponse>()

  constructor(gateway: Gateway) {
    this.#gateway = gateway
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    this.#open.add(response)
    response.once('close', () => this.#open.delete(response))
    // Yoga answers every request itself, so there is nothing to wait for here.
    void this.#gateway(request, response)
  }

  async retire(): Promise<void> {
    while ([...this.#open].some((response) => !isStream(response))) await pause(lookEveryMs)
    await this.#gateway.dispose()
    for (const response of this.#open) response.destroy()
  }
}

/** Begun and not ended, for a client that takes events: any other answer is written as a whole. */
function isStream(response: ServerResponse): boolean {
  return response.headersSent && !response.writableEnded && (response.req.headers.accept?.includes('text/event-stream') ?? false)
}
