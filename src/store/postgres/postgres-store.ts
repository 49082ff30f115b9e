// The store on a server that many gateways share: PostgreSQL. Documents are rows of one table per container, each call of the port is one
// statement, and all writes of a call are one transaction. Opening it is in open/, what a lost connection means in request/ and write/.

import { keyText } from '../../model/keys/key.ts'
import { isInPlan, runPlan } from '../in-process/atomic-plan.ts'
import { aggregateCost, callTimer, countCost, metered, pageCost, queryCost, readCost, writeCost } from '../in-process/call-receipts.ts'
import { changesOf, feedParts, sequenceAt } from '../in-process/feed-parts.ts'
import { encodeJson, type JsonWrite, type Written } from '../in-process/prepare-write.ts'
import { pointsIn, pointsText } from '../feed-points.ts'
import { wholeStore } from '../in-process/whole-store.ts'
import { checkFeedPart, containerNamed } from '../write-condition.ts'
import type { ContainerLayout, Meter, Store, Supports, Write } from '../store.ts'
import { openPostgres, type OpenPostgres, type PostgresSetting } from './open/open-postgres.ts'
import type { PostgresContainer } from './open/prepare-layout.ts'
import type { Run } from './request/connection.ts'
import { documentOf, feedEntryOf } from './decode-rows.ts'
import { aggregateSql, groupsFrom } from './sql/aggregate-sql.ts'
import { countEachSql, countSql, queryEachSql, querySql, readManySql, sizesSql } from './sql/read-sql.ts'
import { raw, type Sql } from './sql/sql-fragment.ts'
import { checkKey } from './write/check-key.ts'
import { writeDocuments } from './write/write-documents.ts'
import type { WriteTransaction } from './write/write-transaction.ts'

export type { PostgresSetting }

const supports: Supports = {
  ...wholeStore,
  system: 'postgresql',
  durable: true,
  sameObjects: false,
}

/**
 * Connects to a PostgreSQL database for `createGateway`, and creates the schema, tables and indexes that are missing.
 *
 * @example
 * ```ts
 * import { createGateway } from 'quire-graphql'
 * import { openPostgresStore } from 'quire-graphql/postgres'
 *
 * const url = 'postgres://quire:secret@db.example.com/articles'
 * const gateway = await createGateway({ typeDefs, store: (layout) => openPostgresStore({ url }, layout) })
 * ```
 */
export async function openPostgresStore(setting: PostgresSetting, layout: readonly ContainerLayout[]): Promise<Store> {
  return new PostgresStore(await openPostgres(setting, layout))
}

class PostgresStore implements Store {
  readonly supports = supports
  readonly #opened: OpenPostgres

  constructor(opened: OpenPostgres) {
    this.#opened = opened
  }

  readMany: Store['readMany'] = (name, keys, meter) => {
    if (keys.length === 0) return []
    const container = this.#container(name)
    return metered(meter, 'read', name, keys.length, async () => {
      const texts = keys.map(keyText)
      const rows = await this.#read(readManySql(container, [...new Set(texts)]))
      const byKey = new Map(rows.map((row) => [row[0] as string, documentOf(row)]))
      return texts.map((text) => byKey.get(text))
    }, (found) => readCost(keys, found))
  }

  /** Every document is a round trip away. */
  lookIn: Store['lookIn'] = () => undefined

  /** Nothing tells of the writes of others. */
  moment: Store['moment'] = () => undefined

  query: Store['query'] = (query, meter) => {
    const container = this.#container(query.container)
    return metered(meter, 'query', query.container, 0, async () => (await this.#read(querySql(container, query))).map(documentOf), pageCost)
  }

  queryEach: Store['queryEach'] = (query, by, values, meter) => {
    if (values.length === 0) return []
    const container = this.#container(query.container)
    return metered(meter, 'query', query.container, values.length, async () => {
      const pages = values.map((): ReturnType<typeof documentOf>[] => [])
      // A join keeps the order of the rows of its inner side, which are in the order of the page.
      for (const row of await this.#read(queryEachSql(container, query, by, values))) pages[Number(row[4]) - 1]!.push(documentOf(row))
      return pages
    }, queryCost)
  }

  count: Store['count'] = (selection, meter) => {
    const container = this.#container(selection.container)
    return metered(meter, 'count', selection.container, 0, async () => Number((await this.#read(countSql(container, selection)))[0]![0]), () => countCost(1))
  }

  countEach: Store['countEach'] = (selection, by, values, meter) => {
    if (values.length === 0) return []
    const container = this.#container(selection.container)
    return metered(meter, 'count', selection.container, values.length, async () => {
      const counts = values.map(() => 0)
      for (const [nth, count] of await this.#read(countEachSql(container, selection, by, values))) counts[Number(nth) - 1] = Number(count)
      return counts
    }, (counts) => countCost(counts.length))
  }

  aggregate: Store['aggregate'] = (selection, aggregation, each, meter) => {
    if (each?.values.length === 0) return []
    const container = this.#container(selection.container)
    return metered(meter, 'aggregate', selection.container, each?.values.length ?? 0, async () => groupsFrom(await this.#read(aggregateSql(container, selection, aggregation, each)), aggregation, each), aggregateCost)
  }

  write: Store['write'] = async (writes, meter) => {
    if (writes.length === 0) return []
    // Encoded before waiting, since the caller may change a body afterwards.
    const encoded = this.#encode(writes)
    return this.#commit(async () => encoded, meter)
  }

  atomically: Store['atomically'] = async (plan, meter) =>
    this.#commit(async () => this.#encode(await runPlan(this.#opened.lock, plan)), meter)

  feedParts: Store['feedParts'] = async () => feedParts

  changes: Store['changes'] = async (part, behind, limit, meter) => {
    checkFeedPart(part, feedParts)
    const sequence = sequenceAt(behind)
    const entries = await metered(meter, 'changes', 'feed', 0, async () => (await this.#read(this.#opened.feed.changes(part, sequence, limit))).map(feedEntryOf), pageCost)
    return changesOf(entries, behind, limit)
  }

  feedEnd: Store['feedEnd'] = async (part) => {
    checkFeedPart(part, feedParts)
    const { sequence } = await this.#state()
    return sequence === 0 ? undefined : String(sequence)
  }

  pointsWithin: Store['pointsWithin'] = pointsText

  pointsOf: Store['pointsOf'] = pointsIn

  sweepFeed: Store['sweepFeed'] = async (part, upTo, limit) => {
    checkFeedPart(part, feedParts)
    const sequence = sequenceAt(upTo)
    if (sequence === 0) return 0
    return this.#opened.writes.run(async (transaction) => (transaction.beginWrites() ? (await transaction.write(this.#opened.feed.sweep(part, sequence, limit))).length : undefined))
  }

  /** Writers hold one lock until their commit is visible, so sequences are in the order of commits. */
  position: Store['position'] = async () => {
    const { sequence } = await this.#state()
    return { earliest: sequence, latest: sequence }
  }

  now: Store['now'] = async () => {
    const { clock } = this.#opened.connections
    const askedMs = clock.now()
    const { now } = await this.#state()
    return { earliest: now, latest: now + (clock.now() - askedMs) }
  }

  sizes: Store['sizes'] = async (name, keys) => {
    const texts = keys.map(keyText)
    const rows = await this.#read(sizesSql(this.#container(name), [...new Set(texts)]))
    const byKey = new Map(rows.map(([key, bytes]) => [key, Number(bytes)]))
    return texts.map((text) => byKey.get(text))
  }

  reach: Store['reach'] = () => 1

  cachedBytes: Store['cachedBytes'] = () => 0

  ping: Store['ping'] = async () => {
    await this.#opened.connections.read(raw('SELECT 1'))
  }

  close: Store['close'] = () => this.#opened.connections.close()

  #container(name: string): PostgresContainer {
    return containerNamed(this.#opened.containers, name)
  }

  /** Only a plan sees the uncommitted writes of those that share its commit. */
  #read = (statement: Sql): ReturnType<Run> => {
    const { connections, writes, lock } = this.#opened
    const transaction = isInPlan(lock) ? writes.current : undefined
    return transaction ? transaction.read(statement) : connections.read(statement)
  }

  async #state(): Promise<{ sequence: number; now: number }> {
    const [row] = await this.#read(this.#opened.feed.state)
    return { sequence: Number(row![0]), now: Number(row![2]) }
  }

  #encode(writes: readonly Write[]): JsonWrite[] {
    return writes.map((write) => {
      this.#container(write.container)
      checkKey(write)
      return encodeJson(write, supports.documentBytes)
    })
  }

  async #commit(writesIn: () => Promise<readonly JsonWrite[]>, meter: Meter | undefined): Promise<string[]> {
    const { writes: queue, containers, feed } = this.#opened
    const timer = callTimer(meter)
    const attempt = async (transaction: WriteTransaction): Promise<Written[] | undefined> => {
      const writes = await writesIn()
      if (!transaction.beginWrites()) return undefined
      if (writes.length === 0) return []
      if (meter) timer.start({ operation: 'write', container: [...new Set(writes.map(({ write }) => write.container))].join(', '), keys: writes.length })
      return writeDocuments(transaction, containers, feed, writes)
    }
    const written = await timer.until(queue.run(attempt), writeCost)
    return written.map(({ etag }) => etag)
  }
}
