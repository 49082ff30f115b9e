// Sends a query to one partition, or to several physical partitions at once. No query plan is requested, so a page takes
// one request per partition, in one wave.

import type { SqlQuerySpec } from '@azure/cosmos'
import type { QueryPlace } from '../read-many/items.ts'
import { isPartitionGone, maxReplacements, type PhysicalPartition } from '../read-many/physical-partitions.ts'
import type { CosmosContainer } from '../open/prepare-container.ts'
import type { CallScope } from '../request/call-scope.ts'
import type { Target } from './query-target.ts'

/** All rows of the query, partition by partition; no further page of one that has sent more than `maxRows`. Callers that need an order merge them. */
export async function rowsOf<Row>(container: CosmosContainer, sql: SqlQuerySpec, target: Target, scope: CallScope, pageSize = 1000, maxRows = Infinity): Promise<Row[]> {
  const size = { pageSize: Math.min(pageSize, 1000), maxRows }
  if ('partition' in target) return rowsAt(container, sql, { partitionKey: target.partition }, scope.fork(), size)
  const rows = await Promise.all(target.physical.map((partition) => rowsIn<Row>(container, sql, partition, scope, size, 0)))
  return rows.flat()
}

async function rowsIn<Row>(container: CosmosContainer, sql: SqlQuerySpec, partition: PhysicalPartition, from: CallScope, size: QuerySize, replaced: number): Promise<Row[]> {
  const scope = from.fork()
  try {
    return await rowsAt(container, sql, { physical: partition.id }, scope, size)
  } catch (error) {
    if (!isPartitionGone(error) || replaced === maxReplacements) throw error
    // Starts again on the partitions that replaced it: they also hold the rows that it has returned so far.
    const replacements = await scope.run(() => container.partitions.replacing(partition, replaced + 1, scope.signal))
    return (await Promise.all(replacements.map((each) => rowsIn<Row>(container, sql, each, scope, size, replaced + 1)))).flat()
  } finally {
    from.join([scope])
  }
}

function rowsAt<Row>({ items }: CosmosContainer, sql: SqlQuerySpec, place: QueryPlace, scope: CallScope, size: QuerySize): Promise<Row[]> {
  return scope.run(() => items.query<Row>(sql, place, size.pageSize, scope.signal, size.maxRows))
}

interface QuerySize {
  readonly pageSize: number
  readonly maxRows: number
}
