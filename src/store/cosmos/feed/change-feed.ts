// The change feed of all followed containers, as one part. Each container is read through the SDK's iterator, which
// handles partition splits, and the containers take turns. A point holds the continuation token of each container, or of
// the only one that concerns the holder of a cursor.

import { ChangeFeedMode, ChangeFeedStartFrom } from '@azure/cosmos'
import { checkFeedPart, invalidFeedPoint } from '../../port-checks.ts'
import type { Change, Changes } from '../../store.ts'
import { bodyOf, isTombstone, keyOf, lastBodyOf } from '../documents.ts'
import type { CosmosContainer } from '../open/prepare-container.ts'
import type { Item } from '../read-many/items.ts'
import type { CallScope } from '../request/call-scope.ts'
import type { PhysicalPartitions } from '../read-many/physical-partitions.ts'
import { isComplete, rangesIn } from './continuation.ts'
import { FeedPages } from './feed-pages.ts'
import { isShortToken, sdkTokenOf, shortTokenOf } from './short-token.ts'

/** Followers store a point for each part, so this name must never change. */
const part = 'all'

/** The continuation token of each container; one that is not named starts at the beginning. Under `onlyName`, the name of the only container, if any. */
type Point = Readonly<Record<string, string>>

/** No container has this name. */
const onlyName = ''

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
      if (point[onlyName] !== undefined && point[onlyName] !== name) continue
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
    const tokens = await Promise.all(this.#containers.map(async ({ layout, container, partitions }) => {
      const iterator = container.items.getChangeFeedIterator<Item>({ changeFeedMode: ChangeFeedMode.LatestVersion, changeFeedStartFrom: ChangeFeedStartFrom.Now() })
      const forked = scope.fork()
      for (;;) {
        const { continuationToken } = await forked.run(() => iterator.readNext())
        // A page may come before all partitions have been asked where they end, and the others would then be read from their beginning.
        if (isComplete(continuationToken)) return [layout.name, await forked.run(() => shortened(partitions, continuationToken))] as const
      }
    }))
    return JSON.stringify(Object.fromEntries(tokens))
  }

  /** The point as far as it concerns one container. */
  pointWithin(wanted: string, behind: string | undefined, name: string): string {
    checkFeedPart(wanted, this.parts)
    const token = pointOf(behind)[name]
    return JSON.stringify({ [onlyName]: name, ...(token === undefined ? {} : { [name]: token }) } satisfies Point)
  }

  async #changesOf(target: CosmosContainer, token: string | undefined, limit: number, scope: CallScope) {
    const { layout, container, partitions } = target
    const start = async () => (token === undefined ? ChangeFeedStartFrom.Beginning() : ChangeFeedStartFrom.Continuation(await lengthened(partitions, token)))
    const page = await scope.run(() => this.#pages.read({ name: layout.name, container, start, token, limit, written: (each) => shortened(partitions, each) }))
    return { changes: page.items.map((item) => changeOf(target, item)), token: page.items.length === 0 ? token : page.token }
  }
}

/** The SDK may have learnt of a split before. */
async function shortened(partitions: PhysicalPartitions, token: string): Promise<string> {
  const known = rangesIn(token).length > partitions.known.length ? await partitions.refresh() : partitions.known
  return shortTokenOf(token, known) ?? token
}

async function lengthened(partitions: PhysicalPartitions, token: string): Promise<string> {
  const long = isShortToken(token) ? (sdkTokenOf(token, partitions.known) ?? sdkTokenOf(token, await partitions.refresh())) : token
  if (long === undefined) throw invalidFeedPoint(token)
  return long
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
