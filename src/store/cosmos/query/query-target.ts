// Where a query has to go. A selection may name its partition; it may also pin down what documents are
// partitioned by in its conditions, and then only the physical partitions that hold those are asked. A tenant
// is the first part of every key of his, so his documents are together, mostly in one physical partition.

import type { Partition } from '../../../model/keys/key.ts'
import type { Condition, Path, Scalar, Selection } from '../../query.ts'
import { isPlace } from '../documents.ts'
import type { CosmosContainer } from '../open/layout.ts'
import type { PhysicalPartition, PhysicalPartitions } from '../read-many/physical-partitions.ts'

export type Target =
  | { readonly partition: Partition }
  | { readonly places: readonly PhysicalPartition[] }

/** By what is known of the container's physical partitions: nothing is sent. */
export function targetOf({ layout: { partitionKey }, partitions }: CosmosContainer, { partition, among, where, tenant }: Selection): Target {
  if (partition) return at(partition)
  if (among) return { places: placesOf(among, partitions) }
  const first = tenant === undefined ? [] : [tenant]
  const rest = partitionKey.slice(first.length).map((path) => pinnedTo(path, where))
  if (rest.every((some) => some?.length === 1)) return at([...first, ...rest.map((some) => some![0]!)])
  const [some] = rest
  if (rest.length === 1 && some) return { places: placesOf(some.map((value) => [...first, value]), partitions) }
  return { places: tenant === undefined ? partitions.known : partitions.knownWithin(first) }
}

/** Where nothing can be, nobody is asked. */
function at(partition: Partition): Target {
  return isPlace(partition) ? { partition } : { places: [] }
}

/** All of them, where it cannot be told. */
function placesOf(keys: readonly Partition[], partitions: PhysicalPartitions): readonly PhysicalPartition[] {
  const places = keys.map((key) => partitions.knownOf(key))
  return places.includes(undefined) ? partitions.known : [...new Set(places as PhysicalPartition[])]
}

/** The values that every document that is found has at a path; undefined where it may have any. */
function pinnedTo(path: Path, condition: Condition | undefined): readonly Scalar[] | undefined {
  if (!condition) return undefined
  if (condition.op === 'and') return condition.conditions.map((each) => pinnedTo(path, each)).find((values) => values !== undefined)
  if ((condition.op !== 'eq' && condition.op !== 'in') || condition.path.join('\n') !== path.join('\n')) return undefined
  const values: readonly Scalar[] = 'values' in condition ? condition.values : [condition.value]
  // Null stands for what is missing, too, and that lives elsewhere.
  return values.includes(null) ? undefined : [...new Set(values)]
}
