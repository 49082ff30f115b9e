// The change feed of all followed containers, as one part. Each container is read through the SDK's iterator, which
// handles partition splits, and the containers take turns. A point holds the continuation token of each container.

import { ChangeFeedMode, ChangeFeedStartFrom } from '@azure/cosmos'
import { checkFeedPart, invalidFeedPoint } from '../../port-checks.ts'
import type { Change, Changes } from '../../store.ts'
import { bodyOf, isTombstone, keyOf, lastBodyOf } from '../documents.ts'
import type { CosmosContainer } from '../open/prepare-container.ts'
import type { Item } from '../read-many/items.ts'
import type { CallScope } from '../request/call-scope.ts'
import { isComplete } from './continuation.ts'
import { FeedPages } from './feed-pages.ts'

/** Followers store a point for each part, so this name must never change. */
const part = 'all'

/** The continuation token of each container; one that is not named starts at the beginning. */
type Point = Readonly<Record<string, string>>

export class ChangeFeed {
  readonly parts: readonly string[] = [part]
  /** In the order of their turns. */
  #containers: readonly CosmosContainer[]
  readonly #pages = new FeedPages()

  constructor(containers: Iterable<CosmosContainer>) {
    this.#containers = [...containers].filter(({ layout }) => layout.followed)
  }

  /** The changes of the first container in turn that has any; the end of the feed if none has. */
  async changes(wanted: string, behind: string | undefined, limit: number, scope: CallScope): Promise<Changes> {
    checkFeedPart(wanted, this.parts)
    const point = pointOf(behind)
    for (const container of this.#containers) {
      const { name } = container.layout
      const { changes, token } = await this.#changesOf(container, point[name], limit, scope)
      if (changes.length === 0) continue
      // To the end of the queue, so that a container that always has changes does not keep the others waiting.
      this.#containers = [...this.#containers.filter((one) => one !== container), container]
      return { changes, point: JSON.stringify({ ...point, [name]: token }), end: false }
    }
    return { changes: [], point: behind, end: true }
  }

  /** The point after all changes of all containers. */
  async end(wanted: string, scope: CallScope): Promise<string> {
    checkFeedPart(wanted, this.parts)
    const tokens = await Promise.all(this.#containers.map(async ({ layout, container }) => {
      const iterator = container.items.getChangeFeedIterator<Item>({ changeFeedMode: ChangeFeedMode.LatestVersion, changeFeedStartFrom: ChangeFeedStartFrom.Now() })
      const forked = scope.fork()
      for (;;) {
        const { continuationToken } = await forked.run(() => iterator.readNext())
        // A page may come before all partitions have been asked where they end, and the others would then be read from their beginning.
        if (isComplete(continuationToken)) return [layout.name, continuationToken] as const
      }
    }))
    return JSON.stringify(Object.fromEntries(tokens))
  }

  async #changesOf(target: CosmosContainer, token: string | undefined, limit: number, scope: CallScope) {
    const { layout, container } = target
    const start = token === undefined ? ChangeFeedStartFrom.Beginning() : ChangeFeedStartFrom.Continuation(token)
    const page = await scope.run(() => this.#pages.read({ name: layout.name, container, start, token, limit }))
    return { changes: page.items.map((item) => changeOf(target, item)), token: page.items.length === 0 ? token : page.token }
  }
}

function pointOf(behind: string | undefined): Point {
  if (behind === undefined) return {}
  try {
    return JSON.parse(behind) as Point
  } catch {
    throw invalidFeedPoint(behind)
  }
}

function changeOf({ layout }: CosmosContainer, item: Item): Change {
  const deleted = isTombstone(item)
  // `_ts` is in whole seconds, rounded down, so it is not later than the change.
  const at = item._ts * 1000
  return { container: layout.name, key: keyOf(item, layout.partitionKey), deleted, body: deleted ? lastBodyOf(item) : bodyOf(item), at, position: at }
}
