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
  const [value] = partition
  return partition.length === 1 && isPlain(value) ? `["${value}"]` : JSON.stringify(partition)
}

/** The key as text, equal exactly when the keys are equal: loaders and stores index by it. */
export function keyText({ partition, id }: Key): string {
  const [value] = partition
  if (partition.length !== 1 || !isPlain(value) || (id !== value && !isPlain(id))) return JSON.stringify([partition, id])
  return `[["${value}"],"${id}"]`
}

export function samePartition(one: Partition, other: Partition): boolean {
  if (one.length !== other.length) return false
  for (let level = 0; level < one.length; level++) if (one[level] !== other[level]) return false
  return true
}

/**
 * Text that JSON writes as it is, so that quoting it by hand gives what JSON.stringify would, some ten
 * times as fast. Without quotes, backslashes, control characters and halves of surrogate pairs.
 */
function isPlain(value: PartitionValue | undefined): value is string {
  if (typeof value !== 'string') return false
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) return false
  }
  return true
}
