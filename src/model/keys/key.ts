// The key of a document in its container: its partition and its id. As text, and as the key of maps, because loaders, caches
// and changesets find documents by it. partition.ts computes a partition from a declaration.

import { quoted } from '../json/quote-json.ts'

/**
 * One level of a partition key.
 *
 * @example
 * ```ts
 * const value: PartitionValue = 'customer-7'
 * ```
 */
export type PartitionValue = string | number | boolean | null

/**
 * One value per level: hierarchical partition keys have several.
 *
 * @example
 * ```ts
 * const partition: Partition = ['customer-7', 2026]
 * ```
 */
export type Partition = readonly PartitionValue[]

/**
 * The key of a document in its container.
 *
 * @example
 * ```ts
 * const key: Key = { partition: ['customer-7'], id: 'o1' }
 * ```
 */
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

/**
 * A map by key. It looks up the id, whose hash a string remembers, and then compares partitions; a text of both would have
 * to be built and hashed each time. Ids that occur in several partitions are looked up by partition, too.
 */
export class KeyMap<Value extends object> {
  readonly #byId = new Map<string, Slot<Value>>()

  get({ partition, id }: Key): Value | undefined {
    const slot = this.#byId.get(id)
    if (slot === undefined) return undefined
    if (slot instanceof Map) return slot.get(partitionText(partition))?.value
    return samePartition(slot.partition, partition) ? slot.value : undefined
  }

  set({ partition, id }: Key, value: Value): void {
    const slot = this.#byId.get(id)
    if (slot instanceof Map) slot.set(partitionText(partition), { partition, value })
    else if (slot === undefined || samePartition(slot.partition, partition)) this.#byId.set(id, { partition, value })
    else this.#byId.set(id, new Map([slot, { partition, value }].map((each) => [partitionText(each.partition), each])))
  }

  delete({ partition, id }: Key): void {
    const slot = this.#byId.get(id)
    if (slot instanceof Map) slot.delete(partitionText(partition))
    else if (slot !== undefined && samePartition(slot.partition, partition)) this.#byId.delete(id)
  }

  *values(): Generator<Value> {
    for (const slot of this.#byId.values()) {
      if (!(slot instanceof Map)) yield slot.value
      else for (const { value } of slot.values()) yield value
    }
  }
}

interface Slotted<Value> {
  readonly partition: Partition
  readonly value: Value
}

type Slot<Value> = Slotted<Value> | Map<string, Slotted<Value>>

/** A map by container and key. */
export class AddressMap<Value extends object> {
  readonly #byContainer = new Map<string, KeyMap<Value>>()

  get(container: string, key: Key): Value | undefined {
    return this.#byContainer.get(container)?.get(key)
  }

  set(container: string, key: Key, value: Value): void {
    let values = this.#byContainer.get(container)
    if (!values) this.#byContainer.set(container, (values = new KeyMap<Value>()))
    values.set(key, value)
  }

  /** Whether anything was ever set in a container. */
  touches(container: string): boolean {
    return this.#byContainer.has(container)
  }

  *values(): Generator<Value> {
    for (const values of this.#byContainer.values()) yield* values.values()
  }

  clear(): void {
    this.#byContainer.clear()
  }
}
