// What the workers of one address share, in their primary: it passes on charges and news of writes, counts subscriptions,
// collects metrics, and appoints the worker that carries changes. Which processes there are is decided in supervisor.ts.

import { randomUUID } from 'node:crypto'
import type { MetricValues } from '../../observe/metrics.ts'
import type { SharedMessage, ToWorker } from './messages.ts'
import { RetainedMetrics } from './retained-metrics.ts'

/** A worker, as the exchange sees it. */
export interface Member {
  send(message: ToWorker): void
}

export class Exchange {
  /** The max number of open subscriptions, of all workers together. */
  maxSubscriptions: number
  readonly #members = new Set<Member>()
  /** Those that may carry changes, in the order in which they came. */
  readonly #candidates = new Set<Member>()
  readonly #subscriptions = new Map<Member, number>()
  readonly #retained = new RetainedMetrics<Member>()
  readonly #collections = new Map<number, Collection>()
  #nextCollection = 0
  /** The same for every worker, so that the next one has the leases of the last. */
  readonly #owner = randomUUID()
  #follower: Member | undefined

  constructor(maxSubscriptions: number) {
    this.maxSubscriptions = maxSubscriptions
  }

  /** The worker serves requests. The first one carries changes. */
  join(member: Member): void {
    this.#members.add(member)
    this.#candidates.add(member)
    this.#appoint()
  }

  /** The worker serves its last requests. If it carries changes, another one does from now on. */
  retire(member: Member): void {
    this.#candidates.delete(member)
    if (this.#follower === member) member.send({ kind: 'follow', owner: undefined })
    this.#appoint()
  }

  /** The process has ended. */
  leave(member: Member): void {
    this.#members.delete(member)
    this.#candidates.delete(member)
    this.#subscriptions.delete(member)
    this.#retained.end(member)
    for (const collection of this.#collections.values()) collection.answered(member)
    this.#appoint()
  }

  receive(from: Member, message: SharedMessage): void {
    switch (message.kind) {
      case 'written':
      case 'charged':
        for (const member of this.#members) if (member !== from) member.send(message)
        break
      case 'subscribe':
        from.send({ kind: 'place', id: message.id, taken: this.#takePlace(from) })
        break
      case 'unsubscribed':
        this.#subscriptions.set(from, (this.#subscriptions.get(from) ?? 0) - 1)
        break
      case 'collect':
        void this.#collect().then((all) => from.send({ kind: 'collected', id: message.id, all }))
        break
      case 'metrics':
        this.#retained.set(from, message.values)
        if (message.id !== undefined) this.#collections.get(message.id)?.answered(from)
        break
    }
  }

  #appoint(): void {
    if (this.#follower && this.#candidates.has(this.#follower)) return
    const [next] = this.#candidates
    this.#follower = next
    next?.send({ kind: 'follow', owner: this.#owner })
  }

  #takePlace(member: Member): boolean {
    const open = [...this.#subscriptions.values()].reduce((sum, count) => sum + count, 0)
    if (open >= this.maxSubscriptions) return false
    this.#subscriptions.set(member, (this.#subscriptions.get(member) ?? 0) + 1)
    return true
  }

  /** Waits for every worker that lives: without the counts of one, the sums would fall, and look like a restart. */
  async #collect(): Promise<readonly MetricValues[]> {
    const id = this.#nextCollection++
    const collection = new Collection(this.#members)
    this.#collections.set(id, collection)
    for (const member of this.#members) member.send({ kind: 'measure', id })
    await collection.ended
    this.#collections.delete(id)
    return this.#retained.all()
  }
}

/** Resolves when each of the workers has answered or ended. */
class Collection {
  readonly ended: Promise<void>
  readonly #waitsFor: Set<Member>
  readonly #end: () => void

  constructor(members: Iterable<Member>) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended = promise
    this.#end = resolve
    this.#waitsFor = new Set(members)
  }

  answered(member: Member): void {
    if (this.#waitsFor.delete(member) && this.#waitsFor.size === 0) this.#end()
  }
}
