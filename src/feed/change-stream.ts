// Documents as they change, for subscriptions. One follower of the change feed serves all subscribers of a gateway and
// stops while there are none. It takes no lease and stores no point: a subscriber starts now, or after the cursor of the
// last event that it received.
//
// The feed has each document once, at its latest change. A subscriber that is slow, or was away, misses states in between
// and never the last one.
//
// One change wakes all subscribers, and what each of them does then is not known here. So they are woken a few at a time, with a
// turn of the event loop in between, and the follower rests in proportion to what waking them took.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Declaration } from '../relations/declaration.ts'
import { badInput } from '../graphql-errors.ts'
import type { Cursors } from '../model/keys/cursor.ts'
import { keyText } from '../model/keys/key.ts'
import type { Body } from '../model/json/json.ts'
import type { Access } from '../auth/access.ts'
import type { DocumentType } from '../model/model.ts'
import type { MaybePromise } from '../store/maybe-promise.ts'
import { outsideOperations } from '../store/operation-context.ts'
import type { FeedPoints, Store, StoredDocument } from '../store/store.ts'
import { changeForTenant, tenantOf, TenantStore } from '../store/tenants/tenant-store.ts'
import { createWorkSlice } from '../store/work-slice.ts'
import type { Clock } from './clock.ts'
import { FeedReader, type ChangeKind, type FeedPage, type FeedScope } from './feed-reader.ts'
import { PollingLoop, type PollingOptions } from './polling/polling-loop.ts'
import { Subscriber, type QueuedEvent } from './subscriber.ts'

/** How many subscribers are woken in one turn of the event loop. */
const wokenTogether = 20

/**
 * The follower rests at least this many times as long as it took to wake subscribers, so that they never take most of the processor;
 * but never for longer than when there is nothing to do, because that may have been long for a machine that slept. What it waits for
 * the store takes no processor: a store that is slow for a moment must not make events late for a minute.
 */
const restPerWaking = 3

/** Where a look costs nothing, subscribers are told of a change this many times as soon as snapshots follow it. */
const soonerThanSnapshots = 4

/**
 * A document that has changed, for subscriptions.
 *
 * @example
 * ```ts
 * const titleOf = ({ document }: ChangeEvent): unknown => document.body['title']
 * for await (const event of quire.changes.of('Post')) console.log(titleOf(event), event.cursor)
 * ```
 */
export interface ChangeEvent<B extends Body = Body> {
  readonly kind: ChangeKind
  /** Of a deleted document, what it was last. */
  readonly document: StoredDocument<B>
  /** Resumes after this event. */
  readonly cursor: string
  /** Set if the subscriber was so slow that its queue overflowed: the document was read from the feed later, at its latest change. */
  readonly behind?: true
}

export class ChangeStream {
  readonly #declaration: Declaration
  readonly #store: Store
  readonly #cursors: Cursors
  readonly #loop: PollingLoop
  readonly #shortestMs: number
  readonly #longestMs: number
  readonly #clock: Clock
  readonly #reader: FeedReader
  readonly #wholeStore: FeedScope
  readonly #subscribers = new Set<Subscriber>()
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined
  #starting: Promise<FeedPoints> | undefined
  #isFollowing = false
  /** How long it took to wake subscribers in this look. */
  #wakingMs = 0
  /** How far the follower has read. */
  #points: FeedPoints = {}

  constructor(declaration: Declaration, store: Store, cursors: Cursors, pace: PollingOptions) {
    this.#declaration = declaration
    this.#store = store
    this.#cursors = cursors
    this.#shortestMs = pace.signal ? pace.shortestMs : pace.shortestMs / soonerThanSnapshots
    this.#longestMs = pace.longestMs
    this.#loop = new PollingLoop({ look: () => this.#deliver() }, { ...pace, shortestMs: this.#shortestMs })
    this.#clock = pace.clock
    this.#reader = new FeedReader(store)
    this.#wholeStore = { store, visible: (change) => change, cursorScope: 'changes' }
  }

  /** Documents of a type as they change, until the subscriber ends the iteration. */
  of(typeName: string, after?: string | null): AsyncGenerator<ChangeEvent> {
    return this.#events(typeName, after, this.#wholeStore, false)
  }

  /** The same, with those that are deleted. */
  all(typeName: string, after?: string | null): AsyncGenerator<ChangeEvent> {
    return this.#events(typeName, after, this.#wholeStore, true)
  }

  /** The same, limited to one tenant's documents. */
  within(tenant: string): Pick<ChangeStream, 'seenBy'> {
    const scope: FeedScope = {
      store: new TenantStore(this.#store, tenant),
      visible: (change) => (tenantOf(change) === tenant ? changeForTenant(change) : undefined),
      cursorScope: JSON.stringify(['changes', tenant]),
    }
    return { seenBy: (access) => this.seenBy(access, scope) }
  }

  /** The same, limited to documents that a viewer may see. */
  seenBy(access: Access | undefined, scope = this.#wholeStore): Pick<ChangeStream, 'of' | 'all'> {
    return { of: (typeName, after) => this.#events(typeName, after, scope, false, access), all: (typeName, after) => this.#events(typeName, after, scope, true, access) }
  }

  /** How many events wait in the queues of slow subscribers. */
  get waiting(): number {
    return [...this.#subscribers].reduce((sum, subscriber) => sum + subscriber.waiting, 0)
  }

  /** Documents have changed: the next look comes after the shortest interval. */
  wake(): void {
    this.#loop.wake()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const subscriber of this.#subscribers) subscriber.wake()
    await this.#running
  }

  async *#events(typeName: string, after: string | null | undefined, scope: FeedScope, deletions: boolean, access?: Access): AsyncGenerator<ChangeEvent> {
    const { signal } = this.#stopping
    const type = this.#typeNamed(typeName)
    const subscriber = new Subscriber(type, scope)
    const sees = ({ kind, document }: ChangeEvent): boolean => (deletions || kind !== 'DELETED') && (!access || access.sees(type, document.body))
    // Subscribed before it catches up, so that no change falls in between. A document may arrive twice.
    this.#subscribers.add(subscriber)
    try {
      const from = after ? await this.#pointsAt(scope.cursorScope, after) : undefined
      const started = await this.#start()
      const position = { points: from ?? started }
      let overflowed = false
      for (let isBehind = from !== undefined; !signal.aborted; isBehind = overflowed) {
        // Events that did not fit into its queue are read from the feed again, after the last one that it received.
        if (isBehind) for await (const event of this.#catchUp(subscriber, position)) if (sees(event)) yield overflowed ? { ...event, behind: true } : event
        for (let next = subscriber.take(); next && !signal.aborted; next = subscriber.take()) {
          position.points = next.points
          if (sees(next.event)) yield next.event
        }
        overflowed = subscriber.takeOverflow()
        if (!overflowed && !signal.aborted) await subscriber.pushed()
      }
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      this.#subscribers.delete(subscriber)
    }
  }

  #typeNamed(name: string): DocumentType {
    const { model, subscribedTypes } = this.#declaration
    const type = model.documents.get(name)
    if (!type) throw new Error(`Cannot subscribe to ${name}: it is not a document type.`)
    if (!subscribedTypes.has(type)) throw new Error(`Cannot subscribe to ${name}: its changes are not in the change feed, because no field of Subscription returns a ${name}. Declare one that does.`)
    return type
  }

  /** Starts the follower if it does not run. Every change after the returned points reaches the present subscribers. */
  async #start(): Promise<FeedPoints> {
    if (this.#isFollowing) return this.#points
    if (!this.#starting) {
      const starting = Promise.withResolvers<FeedPoints>()
      this.#starting = starting.promise
      this.#running = outsideOperations(() => this.#run(starting))
    }
    return this.#starting
  }

  async #run(starting: PromiseWithResolvers<FeedPoints>): Promise<void> {
    try {
      this.#points = await this.#reader.end()
      this.#isFollowing = true
      starting.resolve(this.#points)
    } catch (error) {
      starting.reject(error)
      return
    } finally {
      this.#starting = undefined
    }
    while (this.#subscribers.size > 0 && !this.#stopping.signal.aborted) {
      this.#wakingMs = 0
      // When the store does not answer, the points stay and the next turn reads the same changes.
      const pauseMs = await this.#loop.step().then((step) => step.pauseMs, () => this.#shortestMs)
      await this.#loop.pause(Math.max(pauseMs, Math.min(this.#longestMs, restPerWaking * this.#wakingMs)), this.#stopping.signal)
    }
    // No await since the loop found no subscriber, so one that comes now starts the follower again.
    this.#isFollowing = false
  }

  /** Reads every part of the feed to its end, page by page, and queues the events for all subscribers. Returns whether there were changes. */
  async #deliver(): Promise<boolean> {
    let found = false
    const slice = createWorkSlice()
    for (const part of await this.#store.feedParts()) {
      for (let end = false; !end;) {
        const page = await this.#reader.page(part, this.#points)
        if (page.changes.length > 0) await this.#queue(page)
        this.#points = page.points
        end = page.end
        found ||= page.changes.length > 0
        await slice.next(page.changes.length)
      }
    }
    return found
  }

  /** Queues the events of a page for all subscribers. Documents are read once for all subscribers to the same type and scope. */
  async #queue(page: FeedPage): Promise<void> {
    const known = new Map<string, readonly QueuedEvent[]>()
    let woken = 0
    for (const subscriber of this.#subscribers) {
      const name = JSON.stringify([subscriber.scope.cursorScope, subscriber.type.name])
      let events = known.get(name)
      if (!events) known.set(name, (events = await this.#eventsIn(page, this.#points, subscriber)))
      if (events.length === 0) continue
      const beganMs = this.#clock.now()
      for (const event of events) subscriber.push(event)
      if (++woken % wokenTogether === 0) await nextTurn()
      this.#wakingMs += this.#clock.now() - beganMs
    }
  }

  async #eventsIn(page: FeedPage, before: FeedPoints, subscriber: Subscriber): Promise<QueuedEvent[]> {
    const { scope: { cursorScope }, type: { container } } = subscriber
    const cursorAt = (points: FeedPoints): string => this.#cursors.write(cursorScope, { value: this.#store.pointsWithin(points, container), id: '' })
    const found = await this.#reader.eventsIn(page, before, subscriber)
    // All but the last event of a page have the same points.
    const cursors = new Map([...new Set(found.map(({ points }) => points))].map((points) => [points, cursorAt(points)]))
    return found.map(({ kind, document, points }) => ({ event: { kind, document, cursor: cursors.get(points)! }, address: keyText(document.key), points }))
  }

  /** Reads the feed for one subscriber that is behind, as fast as it takes the events. */
  async *#catchUp(subscriber: Subscriber, position: { points: FeedPoints }): AsyncGenerator<ChangeEvent> {
    const slice = createWorkSlice()
    for (const part of await this.#store.feedParts()) {
      for (let end = false; !end && !this.#stopping.signal.aborted;) {
        const page = await this.#reader.page(part, position.points)
        for (const { event } of await this.#eventsIn(page, position.points, subscriber)) yield event
        position.points = page.points
        end = page.end
        await slice.next(page.changes.length)
      }
    }
  }

  #pointsAt(cursorScope: string, cursor: string): MaybePromise<FeedPoints> {
    const position = this.#cursors.read(cursorScope, cursor)
    if (!position) throw badInput('Invalid cursor: after is not the cursor of an event, or the store has been restored since. Take one from extensions.quire.cursor, or subscribe without after and read again what you need.')
    return this.#store.pointsOf(String(position.value))
  }
}
