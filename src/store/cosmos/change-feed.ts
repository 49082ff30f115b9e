// The change feed of all followed containers, as one part: each container is read through the SDK's
// iterator, which goes on across splits by itself, and containers take turns. The point is what the
// iterators need to go on, container by container. Iterators are kept between calls where they can
// be, since a new one has to read its container's definition first.

import { ChangeFeedMode, ChangeFeedStartFrom, type ChangeFeedPullModelIterator } from '@azure/cosmos'
import { StoreUnavailableError, type Change, type Changes } from '../store.ts'
import { bodyOf, buriedIn, isTombstone, keyOf } from './documents.ts'
import type { CosmosContainer } from './open/layout.ts'
import type { Item } from './read-many/read-many.ts'
import type { Sending } from './request/call-scope.ts'

/** Followers remember a point for it, so it stays what it is. */
const part = 'all'

/** Where each container's iterator has come to; one that is not named is at the beginning of time. */
type Point = Readonly<Record<string, string>>

interface Place {
  readonly iterator: ChangeFeedPullModelIterator<Item>
  readonly token: string | undefined
  readonly limit: number
}

export class Feed {
  readonly parts: readonly string[] = [part]
  /** In the order in which it is their turn. */
  #containers: readonly CosmosContainer[]
  readonly #places = new Map<string, Place>()

  constructor(containers: Iterable<CosmosContainer>) {
    this.#containers = [...containers].filter(({ layout }) => layout.followed)
  }

  /** From the first container whose turn it is and that has changed. At the end of the feed, none has. */
  async changes(wanted: string, behind: string | undefined, limit: number, sending: Sending): Promise<Changes> {
    checkPart(wanted)
    const point = pointOf(behind)
    for (const container of this.#containers) {
      const { name } = container.layout
      const { changes, token } = await this.#changesOf(container, point[name], limit, sending)
      if (changes.length === 0) continue
      // Its turn is over, so that one that never rests does not keep the others waiting.
      this.#containers = [...this.#containers.filter((one) => one !== container), container]
      return { changes, point: JSON.stringify({ ...point, [name]: token }), end: false }
    }
    return { changes: [], point: behind, end: true }
  }

  /** Behind all that has changed in any container. */
  async end(wanted: string, sending: Sending): Promise<string> {
    checkPart(wanted)
    const tokens = await Promise.all(this.#containers.map(async ({ layout, container }) => {
      const iterator = container.items.getChangeFeedIterator<Item>({ changeFeedMode: ChangeFeedMode.LatestVersion, changeFeedStartFrom: ChangeFeedStartFrom.Now() })
      return [layout.name, (await sending.fork().run(() => iterator.readNext())).continuationToken] as const
    }))
    return JSON.stringify(Object.fromEntries(tokens))
  }

  async #changesOf(container: CosmosContainer, token: string | undefined, limit: number, sending: Sending) {
    const { name } = container.layout
    const place = this.#places.get(name)
    const iterator = place && place.token === token && place.limit === limit ? place.iterator : begin(container, token, limit)
    // Whoever else asks meanwhile begins an iterator of his own.
    this.#places.delete(name)
    const response = await sending.run(() => iterator.readNext())
    if (response.statusCode !== 200 && response.statusCode !== 304) throw new StoreUnavailableError(`The change feed of ${name} did not answer (${response.statusCode}).`)
    const changes = (response.result ?? []).map((item) => changeOf(container, item))
    const next = changes.length === 0 ? token : response.continuationToken
    this.#places.set(name, { iterator, token: next, limit })
    return { changes, token: next }
  }
}

function checkPart(wanted: string): void {
  if (wanted !== part) throw new Error(`The change feed has no part ${JSON.stringify(wanted)}; its parts are ${part}.`)
}

function begin({ container }: CosmosContainer, token: string | undefined, limit: number): ChangeFeedPullModelIterator<Item> {
  return container.items.getChangeFeedIterator<Item>({
    changeFeedMode: ChangeFeedMode.LatestVersion,
    changeFeedStartFrom: token === undefined ? ChangeFeedStartFrom.Beginning() : ChangeFeedStartFrom.Continuation(token),
    maxItemCount: limit,
  })
}

function pointOf(behind: string | undefined): Point {
  if (behind === undefined) return {}
  try {
    return JSON.parse(behind) as Point
  } catch {
    throw new Error(`${JSON.stringify(behind)} is no point in the change feed. Go on from one that the feed has answered.`)
  }
}

function changeOf({ layout }: CosmosContainer, item: Item): Change {
  const deleted = isTombstone(item)
  // Whole seconds, rounded down: not later than the change.
  return { container: layout.name, key: keyOf(item, layout.partitionKey), deleted, body: deleted ? buriedIn(item) : bodyOf(item), at: item._ts * 1000 }
}
