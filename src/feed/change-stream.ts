// Documents as they change, for subscriptions. One follower of the change feed serves all subscribers of a gateway and
// stops while there are none. It takes no lease and stores no point: a subscriber starts now, or after the cursor of the
// last event that it received.
//
// The feed has each document once, at its latest change. A subscriber that is slow, or was away, misses states in between
// and never the last one.

import type { Declaration } from '../relations/declaration.ts'
import { badInput } from '../graphql-errors.ts'
import type { Cursors } from '../model/keys/cursor.ts'
import type { Body } from '../model/json/json.ts'
import type { Access } from '../auth/access.ts'
import type { DocumentType } from '../model/model.ts'
import { outsideOperations } from '../store/operation-context.ts'
import type { Store, StoredDocument } from '../store/store.ts'
import { changeForTenant, tenantOf, TenantStore } from '../store/tenants/tenant-store.ts'
import { createWorkSlice } from '../store/work-slice.ts'
import { FeedReader, type FeedEvent, type FeedScope, type Points } from './feed-reader.ts'
import { PacedLoop, type PaceOptions } from './pace/paced-loop.ts'
import { Subscriber } from './subscriber.ts'

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
  readonly document: StoredDocument<B>
  /** Resumes after this event. */
  readonly cursor: string
}

export class ChangeStream {
  readonly #declaration: Declaration
  readonly #store: Store
  readonly #cursors: Cursors
  readonly #loop: PacedLoop
  readonly #shortestMs: number
  readonly #reader: FeedReader
  readonly #wholeStore: FeedScope
  readonly #subscribers = new Set<Subscriber>()
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined
  #starting: Promise<Points> | undefined
  #isFollowing = false
  /** How far the follower has read. */
  #points: Points = {}

  constructor(declaration: Declaration, store: Store, cursors: Cursors, pace: PaceOptions) {
    this.#declaration = declaration
    this.#store = store
    this.#cursors = cursors
    this.#loop = new PacedLoop({ look: () => this.#deliver() }, pace)
    this.#shortestMs = pace.shortestMs
    this.#reader = new FeedReader(store)
    this.#wholeStore = { store, visible: (change) => change, cursorScope: 'changes' }
  }

  /** Documents of a type as they change, until the subscriber ends the iteration. */
  async *of(typeName: string, after?: string | null, scope = this.#wholeStore): AsyncGenerator<ChangeEvent> {
    const { signal } = this.#stopping
    const subscriber = new Subscriber(this.#typeNamed(typeName), scope)
    // Subscribed before it catches up, so that no change falls in between. A document may arrive twice.
    this.#subscribers.add(subscriber)
    try {
      const from = after ? this.#pointsAt(scope.cursorScope, after) : undefined
      const started = await this.#start()
      const position = { points: from ?? started }
      for (let isBehind = from !== undefined; !signal.aborted; isBehind = subscriber.takeOverflow()) {
        // Events that did not fit into its queue are read from the feed again, after the last one that it received.
        for await (const { document, points } of isBehind ? this.#catchUp(subscriber, position) : subscriber.events(signal)) {
          position.points = points
          yield { document, cursor: this.#cursors.write(scope.cursorScope, { value: JSON.stringify(points), id: '' }) }
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      this.#subscribers.delete(subscriber)
    }
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
  seenBy(access: Access | undefined, scope = this.#wholeStore): Pick<ChangeStream, 'of'> {
    return { of: (typeName, after) => (access ? this.#seen(access, typeName, after, scope) : this.of(typeName, after, scope)) }
  }

  async *#seen(access: Access, typeName: string, after: string | null | undefined, scope: FeedScope): AsyncGenerator<ChangeEvent> {
    const type = this.#typeNamed(typeName)
    for await (const event of this.of(typeName, after, scope)) if (access.sees(type, event.document.body)) yield event
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
    await this.#running
  }

  #typeNamed(name: string): DocumentType {
    const { model, subscribedTypes } = this.#declaration
    const type = model.documents.get(name)
    if (!type) throw new Error(`Cannot subscribe to ${name}: it is not a document type.`)
    if (!subscribedTypes.has(type)) throw new Error(`Cannot subscribe to ${name}: its changes are not in the change feed, because no field of Subscription returns a ${name}. Declare one that does.`)
    return type
  }

  /** Starts the follower if it does not run. Every change after the returned points reaches the present subscribers. */
  async #start(): Promise<Points> {
    if (this.#isFollowing) return this.#points
    if (!this.#starting) {
      const starting = Promise.withResolvers<Points>()
      this.#starting = starting.promise
      this.#running = outsideOperations(() => this.#run(starting))
    }
    return this.#starting
  }

  async #run(starting: PromiseWithResolvers<Points>): Promise<void> {
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
      // When the store does not answer, the points stay and the next turn reads the same changes.
      const pauseMs = await this.#loop.step().then((step) => step.pauseMs, () => this.#shortestMs)
      await this.#loop.pause(pauseMs, this.#stopping.signal)
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
        // Documents are read once for all subscribers to the same type and scope.
        const events = new Map<string, Promise<readonly FeedEvent[]>>()
        for (const subscriber of this.#subscribers) {
          const name = JSON.stringify([subscriber.scope.cursorScope, subscriber.type.name])
          if (!events.has(name)) events.set(name, this.#reader.eventsIn(page, this.#points, subscriber))
          for (const event of await events.get(name)!) subscriber.push(event)
        }
        this.#points = page.points
        end = page.end
        found ||= page.changes.length > 0
        await slice.next(page.changes.length)
      }
    }
    return found
  }

  /** Reads the feed for one subscriber that is behind, as fast as it takes the events. */
  async *#catchUp(subscriber: Subscriber, position: { points: Points }): AsyncGenerator<FeedEvent> {
    const slice = createWorkSlice()
    for (const part of await this.#store.feedParts()) {
      for (let end = false; !end && !this.#stopping.signal.aborted;) {
        const page = await this.#reader.page(part, position.points)
        yield* await this.#reader.eventsIn(page, position.points, subscriber)
        position.points = page.points
        end = page.end
        await slice.next(page.changes.length)
      }
    }
  }

  #pointsAt(cursorScope: string, cursor: string): Points {
    const position = this.#cursors.read(cursorScope, cursor)
    if (!position) throw badInput('Invalid cursor: after is not the cursor of an event. Take one from extensions.quire.cursor.')
    return JSON.parse(String(position.value)) as Points
  }
}
