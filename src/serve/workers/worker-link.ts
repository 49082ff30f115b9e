// A worker's connection to the other workers of its address: the rate limit, slots for subscriptions, metrics, and the news
// that documents were written. Everything goes through the primary (worker-hub.ts).

import type { FeedSiblings } from '../../feed/siblings/feed-siblings.ts'
import type { SharedLimits } from '../../http/shared-limits.ts'
import type { NoPlace } from '../../http/subscriptions/open-subscriptions.ts'
import type { MetricsOfAll, MetricValues } from '../../observe/metrics.ts'
import type { Supervision } from '../listen.ts'
import type { FromWorker, ToWorker } from './messages.ts'

export interface Wire {
  send(message: FromWorker, sent?: () => void): void
  onMessage(receive: (message: ToWorker) => void): void
}

/** How long charges wait to be told together. A caller can spend too much on other workers for about as long. */
const chargesEveryMs = 100

/** How often the others are told of writes at most. */
const writtenEveryMs = 50

export class WorkerLink implements Supervision {
  readonly #wire: Wire
  readonly #waiting = new Map<number, (answer: never) => void>()
  #nextId = 0
  #spend: ((caller: string, cost: number) => void) | undefined
  #charges = new Map<string, number>()
  #wake: (() => void) | undefined
  #isWritten = false
  #isTellingWritten = false
  #appoint: ((owner: string | undefined) => void) | undefined
  #owner: string | undefined
  #own: () => Promise<MetricValues> = async () => []
  #end: Parameters<Supervision['onEnd']>[0] | undefined

  constructor(wire: Wire) {
    this.#wire = wire
    wire.onMessage((message) => this.#receive(message))
  }

  readonly limits: SharedLimits = {
    subscriptions: {
      take: (caller) => this.#ask<NoPlace | undefined>((id) => ({ kind: 'subscribe', id, caller })),
      leave: (caller) => this.#wire.send({ kind: 'unsubscribed', caller }),
    },
    charged: (caller, cost) => {
      if (this.#charges.size === 0) setTimeout(() => this.#tellCharges(), chargesEveryMs).unref()
      this.#charges.set(caller, (this.#charges.get(caller) ?? 0) + cost)
    },
    onCharged: (spend) => (this.#spend = spend),
  }

  readonly feed: FeedSiblings = {
    tell: () => {
      this.#isWritten = true
      if (!this.#isTellingWritten) this.#tellWritten()
    },
    onTold: (wake) => (this.#wake = wake),
    onAppointed: (appoint) => {
      this.#appoint = appoint
      appoint(this.#owner)
    },
  }

  readonly metrics: MetricsOfAll = {
    offer: (own) => (this.#own = own),
    collect: () => this.#ask<readonly MetricValues[]>((id) => ({ kind: 'collect', id })),
  }

  ready(address: string): void {
    this.#wire.send({ kind: 'ready', address })
  }

  failing(reason: string): void {
    this.#wire.send({ kind: 'failing', reason })
  }

  async failed(why: string): Promise<void> {
    await this.#sent({ kind: 'failed', why })
  }

  async leave(): Promise<void> {
    await this.#sent({ kind: 'metrics', id: undefined, values: await this.#own() })
  }

  onEnd(end: Parameters<Supervision['onEnd']>[0]): void {
    this.#end = end
  }

  #receive(message: ToWorker): void {
    switch (message.kind) {
      case 'shut-down': return this.#end?.shutDown(message.reason)
      case 'retire': return this.#end?.retire()
      case 'follow':
        this.#owner = message.owner
        return this.#appoint?.(message.owner)
      case 'written': return this.#wake?.()
      case 'charged': return message.charges.forEach(([caller, cost]) => this.#spend?.(caller, cost))
      case 'place': return this.#answer(message.id, message.noPlace)
      case 'collected': return this.#answer(message.id, message.all)
      case 'measure': return void this.#own().then((values) => this.#wire.send({ kind: 'metrics', id: message.id, values }))
    }
  }

  #sent(message: FromWorker): Promise<void> {
    return new Promise((resolve) => this.#wire.send(message, resolve))
  }

  #ask<Answer>(question: (id: number) => FromWorker): Promise<Answer> {
    const id = this.#nextId++
    const { promise, resolve } = Promise.withResolvers<Answer>()
    this.#waiting.set(id, resolve)
    this.#wire.send(question(id))
    return promise
  }

  #answer(id: number, answer: unknown): void {
    this.#waiting.get(id)?.(answer as never)
    this.#waiting.delete(id)
  }

  #tellCharges(): void {
    this.#wire.send({ kind: 'charged', charges: [...this.#charges] })
    this.#charges = new Map()
  }

  /** At once, and once more at the end of the interval if there were further writes: the last one is always told. */
  #tellWritten(): void {
    this.#isTellingWritten = this.#isWritten
    if (!this.#isWritten) return
    this.#isWritten = false
    this.#wire.send({ kind: 'written' })
    setTimeout(() => this.#tellWritten(), writtenEveryMs).unref()
  }
}
