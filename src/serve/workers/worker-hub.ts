// Connects the workers of one address, in their primary process: it passes charges and news of writes from one worker to the others, counts
// subscriptions, collects metrics, and appoints the worker that runs the propagator. supervisor.ts starts and replaces the processes.

import { randomUUID } from 'node:crypto'
import { OpenSubscriptions, type NoPlace, type SubscriptionLimits } from '../../http/subscriptions/open-subscriptions.ts'
import type { MetricValues } from '../../observe/metrics.ts'
import type { SharedMessage, ToWorker } from './messages.ts'
import { RetainedMetrics } from './retained-metrics.ts'

/** A worker, as the exchange sees it. */
export interface HubWorker {
  send(message: ToWorker): void
}

export class WorkerHub {
  readonly #members = new Set<HubWorker>()
  /** Those that may carry changes, in the order in which they came. */
  readonly #candidates = new Set<HubWorker>()
  readonly #subscriptions: OpenSubscriptions
  /** Whose subscriptions each worker has open. */
  readonly #subscribers = new Map<HubWorker, (string | undefined)[]>()
  readonly #retained = new RetainedMetrics<HubWorker>()
  readonly #collections = new Map<number, Collection>()
  #nextCollection = 0
  /** The same for every worker, so that the next one has the leases of the last. */
  readonly #owner = randomUUID()
  #follower: HubWorker | undefined

  /** The limits are those of all workers together. */
  constructor(limits: SubscriptionLimits) {
    this.#subscriptions = new OpenSubscriptions(limits)
  }

  set limits(limits: SubscriptionLimits) {
    this.#subscriptions.limits = limits
  }

  /** The worker serves requests. The first one carries changes. */
  join(member: HubWorker): void {
    this.#members.add(member)
    this.#candidates.add(member)
    this.#appoint()
  }

  /** The worker serves its last requests. If it carries changes, another one does from now on. */
  retire(member: HubWorker): void {
    this.#candidates.delete(member)
    if (this.#follower === member) member.send({ kind: 'follow', owner: undefined })
    this.#appoint()
  }

  /** The process has ended. */
  leave(member: HubWorker): void {
    this.#members.delete(member)
    this.#candidates.delete(member)
    for (const caller of this.#subscribers.get(member) ?? []) this.#subscriptions.leave(caller)
    this.#subscribers.delete(member)
    this.#retained.end(member)
    for (const collection of this.#collections.values()) collection.answered(member)
    this.#appoint()
  }

  receive(from: HubWorker, message: SharedMessage): void {
    switch (message.kind) {
      case 'written':
      case 'charged':
        for (const member of this.#members) if (member !== from) member.send(message)
        break
      case 'subscribe':
        from.send({ kind: 'place', id: message.id, noPlace: this.#takePlace(from, message.caller) })
        break
      case 'unsubscribed':
        this.#leavePlace(from, message.caller)
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

  #takePlace(member: HubWorker, caller: string | undefined): NoPlace | undefined {
    const noPlace = this.#subscriptions.take(caller)
    if (noPlace) return noPlace
    const subscribers = this.#subscribers.get(member)
    if (subscribers) subscribers.push(caller)
    else this.#subscribers.set(member, [caller])
    return undefined
  }

  #leavePlace(member: HubWorker, caller: string | undefined): void {
    const subscribers = this.#subscribers.get(member) ?? []
    const at = subscribers.indexOf(caller)
    if (at < 0) return
    subscribers.splice(at, 1)
    this.#subscriptions.leave(caller)
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
  readonly #waitsFor: Set<HubWorker>
  readonly #end: () => void

  constructor(members: Iterable<HubWorker>) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended = promise
    this.#end = resolve
    this.#waitsFor = new Set(members)
  }

  answered(member: HubWorker): void {
    if (this.#waitsFor.delete(member) && this.#waitsFor.size === 0) this.#end()
  }
}
