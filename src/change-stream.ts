// Documents as they change, for whoever subscribes. One follower of the change feed serves all
// subscribers of a gateway, and rests while there are none. It holds no lease and keeps no point: a
// subscriber is told from now on, or from behind the cursor of the last event it has seen.
//
// The feed tells of each document once, as it is now. So a subscriber that is slow, or was away, misses
// states in between and never the last one, and what waits for it is bounded by the number of documents.

import { setTimeout as pause } from 'node:timers/promises'
import type { Declaration } from './declaration.ts'
import { badInput } from './errors.ts'
import type { Cursors } from './keys/cursor.ts'
import { keyText } from './keys/key.ts'
import { isOfType } from './loaders/selection.ts'
import type { DocumentType } from './model/model.ts'
import type { Change, Store, StoredDocument } from './store/store.ts'
import { shownChange, tenantOf, TenantStore } from './tenants/tenant-store.ts'

export interface ChangeEvent {
  readonly document: StoredDocument
  /** Everything up to this event is behind it. */
  readonly cursor: string
}

/** Where each part of the feed has been read to. */
type Points = Readonly<Record<string, string | undefined>>

/** What a subscriber is told of: all that changes, or what is a tenant's. */
interface Told {
  readonly store: Store
  /** The change as he sees it, if he does. */
  readonly seen: (change: Change) => Change | undefined
  /** Of cursors: nobody goes on where somebody else has stopped. */
  readonly scope: string
}

const pageSize = 100

export class ChangeStream {
  readonly #declaration: Declaration
  readonly #store: Store
  readonly #cursors: Cursors
  readonly #everyMs: number
  readonly #everything: Told
  readonly #subscribers = new Set<Subscriber>()
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined

  constructor(declaration: Declaration, store: Store, cursors: Cursors, everyMs: number) {
    this.#declaration = declaration
    this.#store = store
    this.#cursors = cursors
    this.#everyMs = everyMs
    this.#everything = { store, seen: (change) => change, scope: 'changes' }
  }

  /** The same of one tenant's documents only. */
  within(tenant: string): Pick<ChangeStream, 'of'> {
    const told: Told = {
      store: new TenantStore(this.#store, tenant),
      seen: (change) => (tenantOf(change) === tenant ? shownChange(change) : undefined),
      scope: JSON.stringify(['changes', tenant]),
    }
    return { of: (typeName, after) => this.of(typeName, after, told) }
  }

  /** Documents of a type as they change, until whoever listens has had enough. */
  async *of(typeName: string, after?: string | null, told = this.#everything): AsyncGenerator<ChangeEvent> {
    const subscriber = new Subscriber(this.#declaration.model.documents.get(typeName)!, told)
    // Listening first, catching up second: nothing falls in between. A document may be told twice.
    this.#subscribers.add(subscriber)
    try {
      await this.#start()
      if (after) await this.#catchUp(subscriber, this.#pointsAt(told.scope, after))
      yield* subscriber.events(this.#stopping.signal)
    } finally {
      this.#subscribers.delete(subscriber)
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  /** Resolves when changes from now on are sure to be told. */
  async #start(): Promise<void> {
    if (this.#running) return
    const started = Promise.withResolvers<void>()
    this.#running = this.#run(started).finally(() => {
      this.#running = undefined
    })
    await started.promise
  }

  async #run(started: PromiseWithResolvers<void>): Promise<void> {
    let points: Points
    try {
      points = await this.#end()
    } catch (error) {
      started.reject(error)
      return
    }
    started.resolve()
    while (this.#subscribers.size > 0 && !this.#stopping.signal.aborted) {
      // A store that does not answer is asked again: the points stay where they are.
      points = await this.#read(points, [...this.#subscribers]).catch(() => points)
      await pause(this.#everyMs, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => undefined)
    }
  }

  async #catchUp(subscriber: Subscriber, from: Points): Promise<void> {
    await this.#read(from, [subscriber])
  }

  /** Reads every part to its end, and tells subscribers page by page. */
  async #read(from: Points, subscribers: readonly Subscriber[]): Promise<Points> {
    const points: Record<string, string | undefined> = { ...from }
    for (const part of await this.#store.feedParts()) {
      for (let end = false; !end;) {
        const page = await this.#store.changes(part, points[part], pageSize)
        points[part] = page.point
        end = page.end
        for (const subscriber of subscribers) await this.#tell(subscriber, page.changes.filter(({ deleted }) => !deleted), points)
      }
    }
    return points
  }

  async #tell(subscriber: Subscriber, changes: readonly Change[], points: Points): Promise<void> {
    const { type, told: { store, seen, scope } } = subscriber
    const seenChanges = changes.flatMap((change) => (change.container === type.container ? (seen(change) ?? []) : []))
    const keys = seenChanges.filter(({ body }) => isOfType(type, body)).map(({ key }) => key)
    // Once more, as it is now: the feed does not say the etag.
    const documents = keys.length > 0 ? await store.readMany(type.container, keys) : []
    const cursor = this.#cursors.write(scope, { value: JSON.stringify(points), id: '' })
    for (const document of documents) if (document) subscriber.tell({ document, cursor })
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

/** What waits for one subscriber: each document once, in the order in which they changed last. */
class Subscriber {
  readonly type: DocumentType
  readonly told: Told
  readonly #waiting = new Map<string, ChangeEvent>()
  #wake: (() => void) | undefined

  constructor(type: DocumentType, told: Told) {
    this.type = type
    this.told = told
  }

  tell(event: ChangeEvent): void {
    const name = keyText(event.document.key)
    this.#waiting.delete(name)
    this.#waiting.set(name, event)
    this.#wake?.()
  }

  async *events(stopping: AbortSignal): AsyncGenerator<ChangeEvent> {
    while (!stopping.aborted) {
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
