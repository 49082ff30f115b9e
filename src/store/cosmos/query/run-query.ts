// Queries, sent to where the answer is: one partition when it is known, every physical partition at
// once when it is not, and merged here. Nobody waits for a plan, and a page is as many requests as
// there are partitions to ask, in one wave.

import type { FeedOptions, PartitionKey, SqlQuerySpec } from '@azure/cosmos'
import { isGone, type PhysicalPartition } from '../read-many/physical-partitions.ts'
import type { CosmosContainer } from '../open/layout.ts'
import type { Sending } from '../request/call-scope.ts'
import type { Target } from './query-target.ts'

/** A physical partition can split again while its halves are asked, but not for ever. */
const mostSplits = 8

/** All rows that the query finds, partition by partition; whoever wants them in an order merges them. */
export async function rowsOf<Row>(container: CosmosContainer, sql: SqlQuerySpec, target: Target, sending: Sending, most = 1000): Promise<Row[]> {
  if ('partition' in target) return rowsAt(container, sql, { partitionKey: target.partition as PartitionKey }, sending.fork(), most)
  const rows = await Promise.all(target.places.map((place) => rowsIn<Row>(container, sql, place, sending, most, mostSplits)))
  return rows.flat()
}

async function rowsIn<Row>(container: CosmosContainer, sql: SqlQuerySpec, place: PhysicalPartition, from: Sending, most: number, splitsLeft: number): Promise<Row[]> {
  const sending = from.fork()
  try {
    return await rowsAt(container, sql, { initialHeaders: { 'x-ms-documentdb-partitionkeyrangeid': place.id } }, sending, most)
  } catch (error) {
    if (!isGone(error) || splitsLeft === 0) throw error
    // From the beginning, at those that took over: what the gone one has told so far is in theirs.
    const places = await sending.run(() => container.partitions.inPlaceOf(place))
    return (await Promise.all(places.map((each) => rowsIn<Row>(container, sql, each, sending, most, splitsLeft - 1)))).flat()
  } finally {
    from.join([sending])
  }
}

async function rowsAt<Row>({ container }: CosmosContainer, sql: SqlQuerySpec, where: FeedOptions, sending: Sending, most: number): Promise<Row[]> {
  return sending.run(async () => {
    const pages = container.items.query<Row>(sql, { ...where, maxItemCount: Math.min(most, 1000), abortSignal: sending.signal })
    const rows: Row[] = []
    do rows.push(...((await pages.fetchNext()).resources ?? []))
    while (pages.hasMoreResults())
    return rows
  })
}
