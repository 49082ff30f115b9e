// A map from keys. It goes by the id, whose hash a string remembers, and compares partitions only then:
// a text made of both would have to be made and hashed each time. Where an id is in several partitions,
// it goes on by partition.

import { partitionText, samePartition, type Key, type Partition } from './key.ts'

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

interface Held<Value> {
  readonly partition: Partition
  readonly value: Value
}

type Slot<Value> = Held<Value> | Map<string, Held<Value>>
