// What finds a document in its container: its partition and its id, and the one text both make
// together. How a partition is computed from a declaration is partition.ts's business.

import { quoted } from '../json/quote-json.ts'

export type PartitionValue = string | number | boolean | null

/** One value per level: hierarchical partition keys have several. */
export type Partition = readonly PartitionValue[]

export interface Key {
  readonly partition: Partition
  readonly id: string
}

/** The partition as text, equal exactly when the partitions are equal. */
export function partitionText(partition: Partition): string {
  const [value] = partition
  return partition.length === 1 && typeof value === 'string' ? `[${quoted(value)}]` : JSON.stringify(partition)
}

/** The key as text, equal exactly when the keys are equal: loaders and stores index by it. */
export function keyText({ partition, id }: Key): string {
  return `[${partitionText(partition)},${quoted(id)}]`
}

export function samePartition(one: Partition, other: Partition): boolean {
  if (one.length !== other.length) return false
  for (let level = 0; level < one.length; level++) if (one[level] !== other[level]) return false
  return true
}
