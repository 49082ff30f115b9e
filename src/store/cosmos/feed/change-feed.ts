// The change feed of all followed containers, in parts (feed-slots.ts). Each container is read through the SDK's iterator, which
// handles partition splits, and the containers take turns. A point holds the continuation token of each container. A cursor holds one token:
// that of the container that concerns its holder, of all parts together.

import { ChangeFeedMode, ChangeFeedStartFrom } from '@azure/cosmos'
import { pointsIn, pointsText } from '../../feed-points.ts'
import { checkFeedPart, invalidFeedPoint } from '../../write-condition.ts'
import type { Change, Changes, FeedPoints } from '../../store.ts'
import { bodyOf, isTombstone, keyOf, lastBodyOf } from '../documents.ts'
import type { CosmosContainer } from '../open/prepare-container.ts'
import type { Item } from '../read-many/items.ts'
import type { CallScope } from '../request/call-scope.ts'
import type { PhysicalPartition } from '../read-many/physical-partitions.ts'
import { beginningOf, isComplete, rangesIn, tokenWithin } from './continuation.ts'
import { FeedPages } from './feed-pages.ts'
import { partNames, partOf, possibleParts, wholeFeed } from './feed-slots.ts'
import { dividedToken, isShortToken, joinedTokens, sdkTokenOf, shortTokenOf } from './short-token.ts'

/** The continuation token of each container; one that is not named starts at the beginning. Under `onlyName`, the name of the only container, if any. */
type Point = Readonly<Record<string, string>>

/** No container has this name. */
const onlyName = ''

export class ChangeFeed {
  readonly #all: readonly CosmosContainer[]
  /** For each part, the containers in the order of their turns. */
  readonly #turns = new Map<string, readonly CosmosContainer[]>()
  readonly #pages = new FeedPages()
  readonly #readCount: (mostPartitions: number) => Promise<number>
  #count: Promise<number> | undefined

  /** `readCount` tells how many parts there are, once. */
  constructor(containers: Iterable<CosmosContainer>, readCount: (mostPartitions: number) => Promise<number>) {
    this.#all = [...containers].filter(({ layout }) => layout.followed)
    this.#readCount = readCount
  }

  async parts(): Promise<readonly string[]> {
    return partNames(await this.#parts())
  }

  /** The changes of the first container in turn that has any; the end of the part if none has. */
  async changes(part: string, behind: string | undefined, limit: number, scope: CallScope): Promise<Changes> {
    const count = await this.#check(part)
    const point = pointOf(behind)
    for (const container of this.#turns.get(part) ?? this.#all) {
      const { name } = container.layout
      if (point[onlyName] !== undefined && point[onlyName] !== name) continue
      const { changes, token } = await this.#changesOf(new Slice(container, part, count), point[name], limit, scope)
      if (changes.length === 0) continue
      // To the end of the queue, so that a container that always has changes does not keep the others waiting.
      this.#turns.set(part, [...(this.#turns.get(part) ?? this.#all).filter((one) => one !== container), container])
      return { changes, point: JSON.stringify({ ...point, [name]: token }), end: false }
    }
    return { changes: [], point: behind, end: true }
  }

  /** The point after all changes of all containers. */
  async end(part: string, scope: CallScope): Promise<string> {
    const count = await this.#check(part)
    const slices = this.#all.map((each) => new Slice(each, part, count)).filter(({ partitions }) => partitions.length > 0)
    const tokens = await Promise.all(slices.map(async (slice) => {
      const forked = scope.fork()
      const token = tokenWithin(await this.#endOf(slice.of, forked), (range) => slice.has(range))
      return [slice.of.layout.name, await forked.run(() => slice.shortened(token))] as const
    }))
    return JSON.stringify(Object.fromEntries(tokens))
  }

  /** One token for all parts and the name of the container, unless the SDK's tokens could not be shortened. */
  pointsWithin(points: FeedPoints, name: string): string {
    const tokens = Object.entries(points).map(([part, point]): [part: string, token: string | undefined] => {
      checkFeedPart(part, possibleParts)
      return [part, pointOf(point)[name]]
    })
    const target = this.#named(name)
    // Without a token a part is read from its beginning, unless there is nothing of the container in it.
    const isShort = target && tokens.every(([part, token]) => (token === undefined ? new Slice(target, part, tokens.length).partitions.length === 0 : isShortToken(token)))
    const joined = isShort ? joinedTokens(tokens.flatMap(([, token]) => token ?? [])) : undefined
    return joined === undefined ? pointsText(Object.fromEntries(tokens.map(([part, token]) => [part, pointOfOnly(name, token)]))) : `${joined} ${name}`
  }

  async pointsOf(text: string): Promise<FeedPoints> {
    if (text.startsWith('{')) return pointsIn(text)
    const [, token, name] = /^(\S+ \S+) (.*)$/s.exec(text) ?? []
    const target = name === undefined ? undefined : this.#named(name)
    if (token === undefined || target === undefined) throw invalidFeedPoint(text)
    const parts = await this.parts()
    const divided = (partitions: readonly PhysicalPartition[]) => dividedToken(token, partitions, (partition) => (parts.length === 1 ? wholeFeed : partOf(name!, partition, parts.length)))
    const tokens = divided(target.partitions.known) ?? divided(await target.partitions.refresh())
    if (tokens === undefined) throw invalidFeedPoint(text)
    return Object.fromEntries(parts.map((part) => [part, pointOfOnly(name!, tokens.get(part))]))
  }

  #named(name: string): CosmosContainer | undefined {
    return this.#all.find(({ layout }) => layout.name === name)
  }

  #parts(): Promise<number> {
    this.#count ??= this.#readCount(Math.max(0, ...this.#all.map(({ partitions }) => partitions.known.length))).catch((error: unknown) => {
      this.#count = undefined
      throw error
    })
    return this.#count
  }

  /** Returns how many parts there are. */
  async #check(part: string): Promise<number> {
    if (part === wholeFeed) return 1
    const count = await this.#parts()
    checkFeedPart(part, partNames(count))
    return count
  }

  /** The parts of one container are asked for together, and its end is that of all of them. */
  readonly #ends = new Map<CosmosContainer, Promise<string>>()

  #endOf(target: CosmosContainer, scope: CallScope): Promise<string> {
    const asked = this.#ends.get(target)
    if (asked) return asked
    const asking = readEnd(target, scope).finally(() => this.#ends.delete(target))
    this.#ends.set(target, asking)
    return asking
  }

  async #changesOf(slice: Slice, token: string | undefined, limit: number, scope: CallScope) {
    if (slice.partitions.length === 0) return { changes: [], token }
    const { layout, container } = slice.of
    const page = await scope.run(() => this.#pages.read({ name: `${slice.part} ${layout.name}`, container, start: () => slice.start(token), token, limit, written: (each) => slice.shortened(each) }))
    return { changes: page.items.map((item) => changeOf(slice.of, item)), token: page.items.length === 0 ? token : page.token }
  }
}

/** One container as far as it is in one part of the feed. */
class Slice {
  readonly of: CosmosContainer
  readonly part: string
  readonly #count: number

  constructor(of: CosmosContainer, part: string, count: number) {
    this.of = of
    this.part = part
    this.#count = count
  }

  get partitions(): readonly PhysicalPartition[] {
    return this.#within(this.of.partitions.known)
  }

  has(range: { readonly minInclusive: string }): boolean {
    return this.partitions.some(({ minInclusive, maxExclusive }) => minInclusive <= range.minInclusive && range.minInclusive < maxExclusive)
  }

  async start(token: string | undefined): Promise<ChangeFeedStartFrom> {
    if (token !== undefined) return ChangeFeedStartFrom.Continuation(await this.#lengthened(token))
    return this.#count === 1 ? ChangeFeedStartFrom.Beginning() : ChangeFeedStartFrom.Continuation(beginningOf(this.partitions, this.of.rid))
  }

  /** The SDK may have learnt of a split before. */
  async shortened(token: string): Promise<string> {
    if (rangesIn(token).length > this.partitions.length) await this.of.partitions.refresh()
    return shortTokenOf(token, this.partitions) ?? token
  }

  async #lengthened(token: string): Promise<string> {
    if (!isShortToken(token)) return token
    const known = sdkTokenOf(token, this.partitions)
    if (known !== undefined) return known
    const now = this.#within(await this.of.partitions.refresh())
    // A merge can bring a partition into this part, and take one out of it.
    const long = sdkTokenOf(token, now) ?? (this.#count > 1 ? sdkTokenOf(token, now, { merged: true }) : undefined)
    if (long === undefined) throw invalidFeedPoint(token)
    return long
  }

  #within(partitions: readonly PhysicalPartition[]): readonly PhysicalPartition[] {
    return this.#count === 1 ? partitions : partitions.filter((each) => partOf(this.of.layout.name, each, this.#count) === this.part)
  }
}

async function readEnd({ container }: CosmosContainer, scope: CallScope): Promise<string> {
  const iterator = container.items.getChangeFeedIterator<Item>({ changeFeedMode: ChangeFeedMode.LatestVersion, changeFeedStartFrom: ChangeFeedStartFrom.Now() })
  for (;;) {
    const { continuationToken } = await scope.run(() => iterator.readNext())
    // A page may come before all partitions have been asked where they end, and the others would then be read from their beginning.
    if (isComplete(continuationToken)) return continuationToken
  }
}

function pointOfOnly(name: string, token: string | undefined): string {
  return JSON.stringify({ [onlyName]: name, ...(token === undefined ? {} : { [name]: token }) } satisfies Point)
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
