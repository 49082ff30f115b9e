// The physical partitions of a container, as far as this client knows them. They split (and merge)
// while it runs: a request to one that is gone fails with 410, and then they have to be asked for anew.

import type { Container, PartitionKeyDefinition } from '@azure/cosmos'
import { effectiveKey, type KeyValue } from './effective-key.ts'

export interface PhysicalPartition {
  readonly id: string
  /** From this effective key on, up to but without the other. */
  readonly minInclusive: string
  readonly maxExclusive: string
}

export class PhysicalPartitions {
  readonly #container: Container
  readonly #definition: PartitionKeyDefinition
  #known: readonly PhysicalPartition[] = []
  #asking: Promise<readonly PhysicalPartition[]> | undefined

  constructor(container: Container, definition: PartitionKeyDefinition) {
    this.#container = container
    this.#definition = definition
  }

  /** As they were when last asked for: nothing is sent. */
  get known(): readonly PhysicalPartition[] {
    return this.#known
  }

  async all(): Promise<readonly PhysicalPartition[]> {
    return this.#known.length > 0 ? this.#known : this.refresh()
  }

  /** Asks anew; those who ask at the same time share the answer, but not that one of them had too little time for it. */
  refresh(): Promise<readonly PhysicalPartition[]> {
    if (this.#asking) return this.#asking.catch(() => this.refresh())
    this.#asking = this.#ask().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  /** Those that have taken over the keys of one that is gone. */
  async inPlaceOf(gone: PhysicalPartition): Promise<readonly PhysicalPartition[]> {
    const all = this.#known.some(({ id }) => id === gone.id) ? await this.refresh() : await this.all()
    return all.filter(({ minInclusive, maxExclusive }) => minInclusive < gone.maxExclusive && maxExclusive > gone.minInclusive)
  }

  /** Where a key lives; undefined where this client cannot tell. */
  async of(key: readonly KeyValue[]): Promise<PhysicalPartition | undefined> {
    await this.all()
    return this.knownOf(key)
  }

  /** The same, among those that are known: nothing is sent. */
  knownOf(key: readonly KeyValue[]): PhysicalPartition | undefined {
    const effective = effectiveKey(key, this.#definition)
    if (effective === undefined) return undefined
    return this.#known.find(({ minInclusive, maxExclusive }) => minInclusive <= effective && effective < maxExclusive)
  }

  /** Those that hold keys which begin with these levels of a hierarchical key; nothing is sent. */
  knownWithin(levels: readonly KeyValue[]): readonly PhysicalPartition[] {
    const start = effectiveKey(levels, this.#definition)
    if (start === undefined) return this.#known
    // Everything that begins with a text is before that text with something behind it that comes after all digits.
    const end = `${start}G`
    return this.#known.filter(({ minInclusive, maxExclusive }) => minInclusive < end && start < maxExclusive)
  }

  async #ask(): Promise<readonly PhysicalPartition[]> {
    const { resources } = await this.#container.readPartitionKeyRanges().fetchAll()
    this.#known = (resources as PhysicalPartition[]).toSorted((one, other) => (one.minInclusive < other.minInclusive ? -1 : 1))
    return this.#known
  }
}

/** Whether a request failed because its physical partition has been split or merged away. */
export function isGone(error: unknown): boolean {
  const { code, substatus } = (error ?? {}) as { code?: unknown; substatus?: unknown }
  return code === 410 && (substatus === 1000 || substatus === 1002 || substatus === 1007)
}
