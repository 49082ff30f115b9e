// The physical partitions of a container, as this client knows them. They split and merge while it runs: a request to one
// that no longer exists fails with 410, and then they are read again.

import type { Container, PartitionKeyDefinition } from '@azure/cosmos'
import { effectiveKey, type KeyValue } from './effective-key.ts'

export interface PhysicalPartition {
  readonly id: string
  /** The range of effective keys. */
  readonly minInclusive: string
  readonly maxExclusive: string
}

/** About a megabyte for a container. */
const maxRemembered = 10_000
const maxRememberedLength = 100

export class PhysicalPartitions {
  readonly #container: Container
  readonly #definition: PartitionKeyDefinition
  #known: readonly PhysicalPartition[] = []
  /** The physical partitions of single keys that were looked for. */
  readonly #remembered = new Map<string, PhysicalPartition>()
  #reading: Promise<readonly PhysicalPartition[]> | undefined

  constructor(container: Container, definition: PartitionKeyDefinition) {
    this.#container = container
    this.#definition = definition
  }

  /** As they were last read: sends no request. */
  get known(): readonly PhysicalPartition[] {
    return this.#known
  }

  async all(): Promise<readonly PhysicalPartition[]> {
    return this.#known.length > 0 ? this.#known : this.refresh()
  }

  /** Reads them again. Concurrent callers share one request; if it fails, for example at its caller's deadline, the others try again. */
  refresh(): Promise<readonly PhysicalPartition[]> {
    if (this.#reading) return this.#reading.catch(() => this.refresh())
    this.#reading = this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  /** Those that have taken over the keys of one that no longer exists. */
  async replacing(gone: PhysicalPartition): Promise<readonly PhysicalPartition[]> {
    const all = this.#known.some(({ id }) => id === gone.id) ? await this.refresh() : await this.all()
    return all.filter(({ minInclusive, maxExclusive }) => minInclusive < gone.maxExclusive && maxExclusive > gone.minInclusive)
  }

  /** The physical partition of a key; undefined if it cannot be computed. */
  async of(key: readonly KeyValue[]): Promise<PhysicalPartition | undefined> {
    await this.all()
    return this.knownOf(key)
  }

  /** The same among those that are known: sends no request. */
  knownOf(key: readonly KeyValue[]): PhysicalPartition | undefined {
    const [value] = key
    // The hash of a key takes longer than anything else that is done to read one of many documents.
    if (key.length !== 1 || typeof value !== 'string' || value.length > maxRememberedLength) return this.#find(key)
    const remembered = this.#remembered.get(value)
    if (remembered) return remembered
    const found = this.#find(key)
    if (this.#remembered.size === maxRemembered) this.#remembered.clear()
    if (found) this.#remembered.set(value, found)
    return found
  }

  #find(key: readonly KeyValue[]): PhysicalPartition | undefined {
    const effective = effectiveKey(key, this.#definition)
    if (effective === undefined) return undefined
    return this.#known.find(({ minInclusive, maxExclusive }) => minInclusive <= effective && effective < maxExclusive)
  }

  /** Those with keys that begin with these levels of a hierarchical key: sends no request. */
  knownWithin(levels: readonly KeyValue[]): readonly PhysicalPartition[] {
    const start = effectiveKey(levels, this.#definition)
    if (start === undefined) return this.#known
    // "G" comes after all hexadecimal digits, so every effective key that begins with `start` is before `end`.
    const end = `${start}G`
    return this.#known.filter(({ minInclusive, maxExclusive }) => minInclusive < end && start < maxExclusive)
  }

  async #read(): Promise<readonly PhysicalPartition[]> {
    const { resources } = await this.#container.readPartitionKeyRanges().fetchAll()
    this.#known = (resources as PhysicalPartition[]).toSorted((one, other) => (one.minInclusive < other.minInclusive ? -1 : 1))
    this.#remembered.clear()
    return this.#known
  }
}

/** Whether a request failed because its physical partition has been split or merged. */
export function isPartitionGone(error: unknown): boolean {
  const { code, substatus } = (error ?? {}) as { code?: unknown; substatus?: unknown }
  return code === 410 && (substatus === 1000 || substatus === 1002 || substatus === 1007)
}
