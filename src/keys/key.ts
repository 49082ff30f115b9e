// What finds a document in its container: its partition and its id, and the one text both make
// together. How a partition is computed from a declaration is partition.ts's business.

export type PartitionValue = string | number | boolean | null

/** One value per level: hierarchical partition keys have several. */
export type Partition = readonly PartitionValue[]

export interface Key {
  readonly partition: Partition
  readonly id: string
}

/** The partition as text, equal exactly when the partitions are equal. */
export function partitionText(partition: Partition): string {
  return JSON.stringify(partition)
}

/** The key as text, equal exactly when the keys are equal: loaders and stores index by it. */
export function keyText(key: Key): string {
  return JSON.stringify([key.partition, key.id])
}
