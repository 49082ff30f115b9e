// The change feed of one container in parts that can be leased: one for each physical partition there was at first. One
// document lists the parts. When the feed meets a split, that document is replaced, so that two parts go on where one ended.

import { ChangeFeedStartFrom, type Container, type FeedRange } from '@azure/cosmos'
import type { Body } from '../../../model/json/json.ts'
import { ownContainer } from '../../own-container.ts'
import { ConflictError, SetupError } from '../../store-errors.ts'
import type { SplittingFeedSource, Write } from '../../store.ts'
import type { Item } from '../read-many/items.ts'
import { beginningOf, rangesIn, type KeyRange } from './continuation.ts'
import { FeedPages } from './feed-pages.ts'
import { openLeaseContainer, type LeaseContainer } from './lease-container.ts'

export type StartFrom = 'beginning' | 'now' | Date

interface PartList {
  /** Of the container, which must not be another one of the same name. */
  readonly rid: string
  /** Parts without a token begin at this time; at the beginning of the feed without it. */
  readonly since?: number
  readonly ranges: readonly (KeyRange & { readonly token?: string })[]
}

const listKey = { partition: ['feed'], id: 'ranges' }

export class ContainerFeed implements SplittingFeedSource<Item> {
  readonly #container: Container
  readonly #leases: LeaseContainer
  readonly #rid: string
  readonly #startFrom: StartFrom
  readonly #pages = new FeedPages()
  #list: { readonly body: PartList; readonly etag: string } | undefined

  constructor(container: Container, leases: LeaseContainer, rid: string, startFrom: StartFrom) {
    this.#container = container
    this.#leases = leases
    this.#rid = rid
    this.#startFrom = startFrom
  }

  readMany: LeaseContainer['readMany'] = (container, keys) => this.#leases.readMany(container, keys)

  query: LeaseContainer['query'] = (query) => this.#leases.query(query)

  write: LeaseContainer['write'] = (writes) => this.#leases.write(writes)

  now: LeaseContainer['now'] = () => this.#leases.now()

  feedParts = async (): Promise<readonly string[]> => (await this.#readList()).ranges.map(partOf)

  changes: SplittingFeedSource<Item>['changes'] = async (part, behind, limit) => {
    const { since = 0 } = this.#list!.body
    const token = behind ?? this.#rangeOf(part).token
    const start = () => (token === undefined ? this.#startOf(part) : ChangeFeedStartFrom.Continuation(token))
    const page = await this.#pages.read({ name: part, container: this.#container, start, token, limit })
    return { changes: page.items.filter(({ _ts }) => (_ts + 1) * 1000 > since), point: page.token, end: page.items.length === 0 }
  }

  split: SplittingFeedSource<Item>['split'] = async (part, point) => {
    const parts = point === undefined ? [] : rangesIn(point)
    if (parts.length < 2) return false
    const list = await this.#readList()
    if (!list.ranges.some((range) => partOf(range) === part)) return true
    const body: PartList = { ...list, ranges: list.ranges.flatMap((range) => (partOf(range) === part ? parts : [range])) }
    try {
      const [etag] = await this.#leases.write([listWrite(body, { ifMatch: this.#list!.etag })])
      this.#list = { body, etag: etag! }
      return true
    } catch (error) {
      // Another part has been split at the same time, and this one is split after its next page.
      if (error instanceof ConflictError) return false
      throw error
    }
  }

  /** How many changes are ahead of a point, as the sequence numbers of the physical partition tell. */
  async changesAhead(part: string, behind: string | undefined): Promise<number> {
    const token = behind ?? this.#rangeOf(part).token
    const start = () => (token === undefined ? this.#startOf(part) : ChangeFeedStartFrom.Continuation(token))
    const { items: [next], headers } = await new FeedPages().read({ name: part, container: this.#container, start, token, limit: 1 })
    if (!next) return 0
    const newest = Number(/#(\d+)/.exec(String(headers['x-ms-session-token'] ?? ''))?.[1])
    // Without a sequence number it is only known that there is one.
    return Math.max(1, newest - Number(next['_lsn']) + 1 || 1)
  }

  /** At the first time of all, the parts are the present feed ranges. */
  async #readList(): Promise<PartList> {
    const [found] = await this.#leases.readMany(ownContainer, [listKey])
    if (!found) {
      const body = await this.#firstList()
      await this.#leases.write([listWrite(body, 'if-absent')]).catch((error: unknown) => {
        if (!(error instanceof ConflictError)) throw error
      })
      return this.#readList()
    }
    const list = found.body as unknown as PartList
    if (list.rid !== this.#rid) throw new SetupError(`The leases are of another container named "${this.#container.id}", which has been deleted since. Use another processorName, or delete the documents of this one from the lease container.`)
    this.#list = { body: list, etag: found.etag }
    return list
  }

  async #firstList(): Promise<PartList> {
    const ranges = await this.#container.getFeedRanges()
    const since = this.#startFrom instanceof Date ? { since: this.#startFrom.getTime() } : {}
    return { rid: this.#rid, ...since, ranges: await Promise.all(ranges.map(async (range) => ({ ...plain(range), ...(this.#startFrom === 'now' ? { token: await this.#endOf(range) } : {}) }))) }
  }

  async #endOf(range: FeedRange): Promise<string> {
    const start = () => ChangeFeedStartFrom.Now(range)
    return (await new FeedPages().read({ name: '', container: this.#container, start, token: undefined, limit: 1 })).token
  }

  /** The start of a part that has not been read. The SDK takes only ranges of physical partitions, so others begin with a token. */
  async #startOf(part: string): Promise<ChangeFeedStartFrom> {
    const range = (await this.#container.getFeedRanges()).find((each) => partOf(each) === part)
    if (!range) return ChangeFeedStartFrom.Continuation(beginningOf([this.#rangeOf(part)], this.#rid))
    const { since } = this.#list!.body
    return since === undefined ? ChangeFeedStartFrom.Beginning(range) : ChangeFeedStartFrom.Time(new Date(since), range)
  }

  #rangeOf(part: string): PartList['ranges'][number] {
    const range = this.#list!.body.ranges.find((each) => partOf(each) === part)
    if (!range) throw new Error(`The change feed has no part ${JSON.stringify(part)}.`)
    return range
  }
}

export async function openContainerFeed(container: Container, leaseContainer: Container, processor: string, startFrom: StartFrom): Promise<ContainerFeed> {
  const leases = await openLeaseContainer(leaseContainer, processor)
  try {
    const { _rid: rid } = (await container.read()).resource!
    const feed = new ContainerFeed(container, leases, rid, startFrom)
    await feed.feedParts()
    return feed
  } catch (error) {
    if ((error as { code?: unknown }).code !== 404) throw error
    throw new SetupError(`The container "${container.id}" does not exist in the database "${container.database.id}".`)
  }
}

function partOf({ minInclusive, maxExclusive }: KeyRange): string {
  return `${minInclusive}-${maxExclusive}`
}

function listWrite(list: PartList, only: Extract<Write, { kind: 'put' }>['only']): Write {
  return { kind: 'put', container: ownContainer, key: listKey, body: list as unknown as Body, ...(only === undefined ? {} : { only }) }
}

function plain({ minInclusive, maxExclusive }: KeyRange): KeyRange {
  return { minInclusive, maxExclusive }
}
