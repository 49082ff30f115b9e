// Which partitions a query has to ask. A selection may name its partition, or its conditions may fix the values of the
// partition key, or of its upper levels: then only the physical partitions with those values are asked. Keys that begin
// alike are together, usually in one physical partition; the tenant is the first part of each of its keys.

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
  const keys = fixedKeys(partitionKey, tenant, where)
  const [first] = keys
  if (first?.length === partitionKey.length) return keys.length === 1 ? atPartition(first) : { physical: physicalOf(keys, partitions) }
  return { physical: first?.length === 0 ? partitions.known : [...new Set(keys.flatMap((key) => partitions.knownWithin(key)))] }
}

/** More keys are not worth hashing one by one. */
const maxKeys = 1000

/** All keys that matching documents can have, as far down as the conditions fix them; one without values if they fix nothing. */
function fixedKeys(partitionKey: readonly Path[], tenant: string | undefined, where: Condition | undefined): Partition[] {
  let keys: Partition[] = [tenant === undefined ? [] : [tenant]]
  for (const path of partitionKey.slice(tenant === undefined ? 0 : 1)) {
    const values = fixedValues(path, where)
    if (!values || keys.length * values.length > maxKeys) return keys
    keys = keys.flatMap((key) => values.map((value) => [...key, value]))
  }
  return keys
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
  if (condition.op === 'or') {
    const either = condition.conditions.map((each) => fixedValues(path, each))
    return either.includes(undefined) ? undefined : [...new Set(either.flatMap((values) => values!))]
  }
  if ((condition.op !== 'eq' && condition.op !== 'in') || !samePath(condition.path, path)) return undefined
  const values: readonly Scalar[] = 'values' in condition ? condition.values : [condition.value]
  // Null also means missing, and documents without the property are in another partition.
  return values.includes(null) ? undefined : [...new Set(values)]
}
