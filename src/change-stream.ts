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
import type { Access } from './identity/access.ts'
import { keyText, type Key } from './keys/key.ts'
import { isOfType } from './loaders/selection.ts'
import type { DocumentType } from './model/model.ts'
import type { Store, StoredDocument } from './store/store.ts'

export interface ChangeEvent {
  readonly document: StoredDocument
  /** Everything up to this event is behind it. */
  readonly cursor: string
}

/** Where each part of the feed has been read to. */
type Points = Readonly<Record<string, string | undefined>>

const scope = 'changes'
const pageSize = 100

export class ChangeStream {
  readonly #declaration: Declaration
  readonly #store: Store
  readonly #cursors: Cursors
  readonly #everyMs: number
  readonly #subscribers = new Set<Subscriber>()
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined

  constructor(declaration: Declaration, store: Store, cursors: Cursors, everyMs: number) {
    this.#declaration = declaration
    this.#store = store
    this.#cursors = cursors
    this.#everyMs = everyMs
  }

  /** Documents of a type as they change, until whoever listens has had enough. */
  async *of(typeName: string, after?: string | null): AsyncGenerator<ChangeEvent> {
    const subscriber = new Subscriber(this.#declaration.model.documents.get(typeName)!)
    // Listening first, catching up second: nothing falls in between. A document may be told twice.
    this.#subscribers.add(subscriber)
    try {
      await this.#start()
      if (after) await this.#catchUp(subscriber, this.#pointsAt(after))
      yield* subscriber.events(this.#stopping.signal)
    } finally {
      this.#subscribers.delete(subscriber)
    }
  }

  /** The same of what is there for whoever has this access. */
  seenBy(access: Access | undefined): Pick<ChangeStream, 'of'> {
    return access ? { of: (typeName, after) => this.#seen(access, typeName, after) } : this
  }

  async *#seen(access: Access, typeName: string, after: string | null | undefined): AsyncGenerator<ChangeEvent> {
    const type = this.#declaration.model.documents.get(typeName)!
    for await (const event of this.of(typeName, after)) if (access.sees(type, event.document.body)) yield event
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

  async #tell(subscriber: Subscriber, changes: readonly { container: string; key: Key; body: StoredDocument['body'] }[], points: Points): Promise<void> {
    const { type } = subscriber
    const keys = changes.filter(({ container, body }) => container === type.container && isOfType(type, body)).map(({ key }) => key)
    // Once more, as it is now: the feed does not say the etag.
    const documents = keys.length > 0 ? await this.#store.readMany(type.container, keys) : []
    const cursor = this.#cursors.write(scope, { value: JSON.stringify(points), id: '' })
    for (const document of documents) if (document) subscriber.tell({ document, cursor })
  }

  async #end(): Promise<Points> {
    const parts = await this.#store.feedParts()
    return Object.fromEntries(await Promise.all(parts.map(async (part) => [part, await this.#store.feedEnd(part)] as const)))
  }

  #pointsAt(cursor: string): Points {
    const position = this.#cursors.read(scope, cursor)
    if (!position) throw badInput('after is not a cursor of an event. Take one from extensions.quire.cursor.')
    return JSON.parse(String(position.value)) as Points
  }
}

/** What waits for one subscriber: each document once, in the order in which they changed last. */
class Subscriber {
  readonly type: DocumentType
  readonly #waiting = new Map<string, ChangeEvent>()
  #wake: (() => void) | undefined

  constructor(type: DocumentType) {
    this.type = type
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
