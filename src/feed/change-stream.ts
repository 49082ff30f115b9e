// Documents as they change, for whoever subscribes. One follower of the change feed serves all
// subscribers of a gateway, and rests while there are none. It holds no lease and keeps no point: a
// subscriber is told from now on, or from behind the cursor of the last event it has seen.
//
// The feed tells of each document once, as it is now. So a subscriber that is slow, or was away, misses
// states in between and never the last one. Only so much waits for it: beyond that nothing does, and it is
// told from the feed itself, at its own pace, until it has caught up.

import { setTimeout as pause } from 'node:timers/promises'
import type { Declaration } from '../relations/declaration.ts'
import { badInput } from '../errors.ts'
import type { Cursors } from '../model/keys/cursor.ts'
import type { Access } from '../auth/access.ts'
import { keyText } from '../model/keys/key.ts'
import { isOfType } from '../read/selection.ts'
import type { DocumentType } from '../model/model.ts'
import { outsideOperations } from '../store/operation-context.ts'
import type { Change, Store, StoredDocument } from '../store/store.ts'
import { shownChange, tenantOf, TenantStore } from '../store/tenants/tenant-store.ts'

export interface ChangeEvent {
  readonly document: StoredDocument
  /** Everything up to this event is behind it. */
  readonly cursor: string
}

/** Where each part of the feed has been read to. */
type Points = Readonly<Record<string, string | undefined>>

/** An event, and where its subscriber is when it has been told. */
interface Event {
  readonly document: StoredDocument
  readonly points: Points
}

interface Page {
  readonly changes: readonly Change[]
  readonly points: Points
  readonly end: boolean
}

/** What a subscriber is told of: all that changes, or what is a tenant's. */
interface Told {
  readonly store: Store
  /** The change as he sees it, if he does. */
  readonly seen: (change: Change) => Change | undefined
  /** Of cursors: nobody goes on where somebody else has stopped. */
  readonly scope: string
}

const pageSize = 100
/** How many events may wait for one subscriber. */
const mostWaiting = 1000

export class ChangeStream {
  readonly #declaration: Declaration
  readonly #store: Store
  readonly #cursors: Cursors
  readonly #everyMs: number
  readonly #everything: Told
  readonly #subscribers = new Set<Subscriber>()
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined
  #starting: Promise<Points> | undefined
  #isFollowing = false
  /** Where the follower is. */
  #points: Points = {}

  constructor(declaration: Declaration, store: Store, cursors: Cursors, everyMs: number) {
    this.#declaration = declaration
    this.#store = store
    this.#cursors = cursors
    this.#everyMs = everyMs
    this.#everything = { store, seen: (change) => change, scope: 'changes' }
  }

  /** The same of one tenant's documents only. */
  within(tenant: string): Pick<ChangeStream, 'seenBy'> {
    const told: Told = {
      store: new TenantStore(this.#store, tenant),
      seen: (change) => (tenantOf(change) === tenant ? shownChange(change) : undefined),
      scope: JSON.stringify(['changes', tenant]),
    }
    return { seenBy: (access) => this.seenBy(access, told) }
  }

  /** Documents of a type as they change, until whoever listens has had enough. */
  async *of(typeName: string, after?: string | null, told = this.#everything): AsyncGenerator<ChangeEvent> {
    const { signal } = this.#stopping
    const subscriber = new Subscriber(this.#typeNamed(typeName), told)
    // Listening first, catching up second: nothing falls in between. A document may be told twice.
    this.#subscribers.add(subscriber)
    try {
      const from = after ? this.#pointsAt(told.scope, after) : undefined
      const started = await this.#start()
      const place = { points: from ?? started }
      for (let isBehind = from !== undefined; !signal.aborted; isBehind = subscriber.hasLost()) {
        // Whatever it had to let go of while it was busy is in the feed, behind what it has been told.
        for await (const { document, points } of isBehind ? this.#pages(subscriber, place) : subscriber.events(signal)) {
          place.points = points
          yield { document, cursor: this.#cursors.write(told.scope, { value: JSON.stringify(points), id: '' }) }
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      this.#subscribers.delete(subscriber)
    }
  }

  /** The same of what is there for whoever has this access. */
  seenBy(access: Access | undefined, told = this.#everything): Pick<ChangeStream, 'of'> {
    return { of: (typeName, after) => (access ? this.#seen(access, typeName, after, told) : this.of(typeName, after, told)) }
  }

  async *#seen(access: Access, typeName: string, after: string | null | undefined, told: Told): AsyncGenerator<ChangeEvent> {
    const type = this.#typeNamed(typeName)
    for await (const event of this.of(typeName, after, told)) if (access.sees(type, event.document.body)) yield event
  }

  /** How many events wait for those who are slow to take them. */
  get waiting(): number {
    return [...this.#subscribers].reduce((sum, subscriber) => sum + subscriber.waiting, 0)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  #typeNamed(name: string): DocumentType {
    const { model, told } = this.#declaration
    const type = model.documents.get(name)
    if (!type) throw new Error(`${name} is no type of documents, so nothing can be told of its changes.`)
    if (!told.has(type)) throw new Error(`Changes of ${name} are not in the change feed, because no field of Subscription is a ${name} or answers with one. Declare one that does.`)
    return type
  }

  /** Answers with a point from which on changes are sure to be told to whoever subscribes by now. */
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
      this.#points = await this.#end()
      this.#isFollowing = true
      starting.resolve(this.#points)
    } catch (error) {
      starting.reject(error)
      return
    } finally {
      this.#starting = undefined
    }
    while (this.#subscribers.size > 0 && !this.#stopping.signal.aborted) {
      // A store that does not answer is asked again: the points stay where they are.
      await this.#read().catch(() => undefined)
      await pause(this.#everyMs, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => undefined)
    }
    // In the same step as it was found that nobody is there: whoever comes next starts it again.
    this.#isFollowing = false
  }

  /** Reads every part to its end, and tells whoever subscribes by then, page by page. */
  async #read(): Promise<void> {
    for (const part of await this.#store.feedParts()) {
      for (let end = false; !end;) {
        const page = await this.#page(part, this.#points)
        // Read once for all who want to hear of that type.
        const events = new Map<string, Promise<readonly Event[]>>()
        for (const subscriber of this.#subscribers) {
          const name = JSON.stringify([subscriber.told.scope, subscriber.type.name])
          if (!events.has(name)) events.set(name, this.#eventsIn(page, this.#points, subscriber))
          for (const event of await events.get(name)!) subscriber.tell(event)
        }
        this.#points = page.points
        end = page.end
      }
    }
  }

  /** The same for one that is behind, as fast as it takes what it is told. */
  async *#pages(subscriber: Subscriber, place: { points: Points }): AsyncGenerator<Event> {
    for (const part of await this.#store.feedParts()) {
      for (let end = false; !end && !this.#stopping.signal.aborted;) {
        const page = await this.#page(part, place.points)
        yield* await this.#eventsIn(page, place.points, subscriber)
        place.points = page.points
        end = page.end
      }
    }
  }

  async #page(part: string, from: Points): Promise<Page> {
    const { changes, point, end } = await this.#store.changes(part, from[part], pageSize)
    return { changes, points: { ...from, [part]: point }, end }
  }

  async #eventsIn({ changes, points }: Page, before: Points, { type, told: { store, seen } }: Subscriber): Promise<Event[]> {
    const shown = changes.flatMap((change) => (change.deleted || change.container !== type.container ? [] : (seen(change) ?? [])))
    const keys = shown.filter(({ body }) => isOfType(type, body)).map(({ key }) => key)
    // Once more, as it is now: the feed does not say the etag.
    const documents = keys.length > 0 ? await store.readMany(type.container, keys) : []
    const found = documents.filter((document) => document !== undefined)
    // The page is behind its last event; whoever is cut off before that is told some of it again.
    return found.map((document, index) => ({ document, points: index === found.length - 1 ? points : before }))
  }

  async #end(): Promise<Points> {
    const parts = await this.#store.feedParts()
    return Object.fromEntries(await Promise.all(parts.map(async (part) => [part, await this.#store.feedEnd(part)] as const)))
  }

  #pointsAt(scope: string, cursor: string): Points {
    const position = this.#cursors.read(scope, cursor)
    if (!position) throw badInput('after is not a cursor of an event. Take one from extensions.quire.cursor.')
    return JSON.parse(String(position.value)) as Points
  }
}

/** What waits for one subscriber: each document once, in the order in which they changed last, as long as there is room. */
class Subscriber {
  readonly type: DocumentType
  readonly told: Told
  readonly #waiting = new Map<string, Event>()
  #wake: (() => void) | undefined
  #lost = false

  constructor(type: DocumentType, told: Told) {
    this.type = type
    this.told = told
  }

  get waiting(): number {
    return this.#waiting.size
  }

  tell(event: Event): void {
    if (this.#lost) return
    const name = keyText(event.document.key)
    this.#waiting.delete(name)
    this.#waiting.set(name, event)
    if (this.#waiting.size > mostWaiting) {
      this.#lost = true
      this.#waiting.clear()
    }
    this.#wake?.()
  }

  /** Whether there was no room since it was asked last: from here on there is again. */
  hasLost(): boolean {
    const lost = this.#lost
    this.#lost = false
    return lost
  }

  /** Until it is too much. */
  async *events(stopping: AbortSignal): AsyncGenerator<Event> {
    while (!stopping.aborted && !this.#lost) {
      const [next] = this.#waiting
      if (next) {
        this.#waiting.delete(next[0])
        yield next[1]
      } else {
        await this.#nextEvent(stopping)
      }
    }
  }

  async #nextEvent(stopping: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const wake = (): void => resolve()
    this.#wake = wake
    stopping.addEventListener('abort', wake, { once: true })
    await promise
    stopping.removeEventListener('abort', wake)
  }
}
