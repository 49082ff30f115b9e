// Which partitions a query has to ask. A selection may name its partition, or its conditions may fix the values of the
// partition key: then only the physical partitions with those values are asked. The tenant is the first part of each of
// its keys, so its documents are together, usually in one physical partition.

import type { Partition } from '../../../model/keys/key.ts'
import { samePath, type Condition, type Path, type Scalar, type Selection } from '../../query.ts'
import { isAllowedPartition } from '../documents.ts'
import type { CosmosContainer } from '../open/prepare-container.ts'
import type { PhysicalPartition, PhysicalPartitions } from '../read-many/physical-partitions.ts'

export type Target =
  | { readonly partition: Partition }
  | { readonly physical: readonly PhysicalPartition[] }

/** Uses the physical partitions that are known: sends no request. */
export function targetOf({ layout: { partitionKey }, partitions }: CosmosContainer, { partition, among, where, tenant }: Selection): Target {
  if (partition) return atPartition(partition)
  if (among) return { physical: physicalOf(among, partitions) }
  const first = tenant === undefined ? [] : [tenant]
  const rest = partitionKey.slice(first.length).map((path) => fixedValues(path, where))
  if (rest.every((values) => values?.length === 1)) return atPartition([...first, ...rest.map((values) => values![0]!)])
  const [values] = rest
  if (rest.length === 1 && values) return { physical: physicalOf(values.map((value) => [...first, value]), partitions) }
  return { physical: tenant === undefined ? partitions.known : partitions.knownWithin(first) }
}

/** A partition that Cosmos DB does not allow cannot have documents, so it is not asked. */
function atPartition(partition: Partition): Target {
  return isAllowedPartition(partition) ? { partition } : { physical: [] }
}

/** The physical partitions of these keys; all of them if one cannot be told. */
function physicalOf(keys: readonly Partition[], partitions: PhysicalPartitions): readonly PhysicalPartition[] {
  const physical = keys.map((key) => partitions.knownOf(key))
  return physical.includes(undefined) ? partitions.known : [...new Set(physical as PhysicalPartition[])]
}

/** The values of which every matching document has one at a path; undefined if it may have any value. */
function fixedValues(path: Path, condition: Condition | undefined): readonly Scalar[] | undefined {
  if (!condition) return undefined
  if (condition.op === 'and') return condition.conditions.map((each) => fixedValues(path, each)).find((values) => values !== undefined)
  if ((condition.op !== 'eq' && condition.op !== 'in') || !samePath(condition.path, path)) return undefined
  const values: readonly Scalar[] = 'values' in condition ? condition.values : [condition.value]
  // Null also means missing, and documents without the property are in another partition.
  return values.includes(null) ? undefined : [...new Set(values)]
}
