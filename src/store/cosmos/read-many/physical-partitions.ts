// The physical partitions of a container, as this client knows them. They split and merge while it runs: a request to one
// that is being replaced fails with 410, and then they are read again.

import type { Container, PartitionKeyDefinition } from '@azure/cosmos'
import { backOff } from '../request/back-off.ts'
import { effectiveKey, type KeyValue } from './effective-key.ts'

export interface PhysicalPartition {
  readonly id: string
  /** The range of effective keys. */
  readonly minInclusive: string
  readonly maxExclusive: string
  /** The ids of those that it replaced, and that they replaced. */
  readonly parents?: readonly string[]
}

/** How often the partitions are asked for again while they are being replaced. With the waits in between, longer than any call may take. */
export const maxReplacements = 24

/** How often the list is read until it has neither gaps nor overlaps. */
const maxReads = 6

/** About a megabyte for a container. */
const maxRemembered = 10_000
const maxRememberedLength = 100

export class PhysicalPartitions {
  readonly #container: Container
  readonly #definition: PartitionKeyDefinition
  #known: readonly PhysicalPartition[] = []
  /** Boundaries that end in zeros, without them. */
  #padded: ReadonlySet<string> = new Set()
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

  /**
   * Those that have taken over the keys of one that does not answer any more. While a split goes on, the partition itself is still listed: it is
   * returned after a wait, which grows with the number of times that it was asked for.
   */
  async replacing(gone: PhysicalPartition, tries: number, signal?: AbortSignal): Promise<readonly PhysicalPartition[]> {
    const isKnown = (): boolean => this.#known.some(({ id }) => id === gone.id)
    if (isKnown()) await this.refresh()
    if (isKnown()) await backOff(tries, signal)
    return (await this.all()).filter(({ minInclusive, maxExclusive }) => minInclusive < gone.maxExclusive && maxExclusive > gone.minInclusive)
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
    // On a boundary that is longer than the key and zero from there, the service's own parts do not agree on which side the key is.
    if (this.#padded.size > 0 && this.#padded.has(withoutZeros(effective))) return undefined
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
    for (let tries = 1; ; tries++) {
      const { resources } = await this.#container.readPartitionKeyRanges().fetchAll()
      const partitions = withoutParents(resources).toSorted((one, other) => (one.minInclusive < other.minInclusive ? -1 : 1))
      if (isWhole(partitions)) {
        this.#known = partitions
        this.#padded = new Set(partitions.filter(({ minInclusive }) => minInclusive.length > hashLength && minInclusive.endsWith('0')).map(({ minInclusive }) => withoutZeros(minInclusive)))
        this.#remembered.clear()
        return partitions
      }
      if (tries === maxReads) throw Object.assign(new Error(`The physical partitions of "${this.#container.id}" are listed with gaps or overlaps.`), { code: 503 })
      await backOff(tries, undefined)
    }
  }
}

/** A list that is read during a split, or page by page around it, can have a partition beside those that replaced it. */
function withoutParents(listed: readonly PhysicalPartition[]): PhysicalPartition[] {
  const parents = new Set(listed.flatMap((each) => each.parents ?? []))
  return listed.filter(({ id }) => !parents.has(id))
}

/** Whether every key has exactly one partition. */
function isWhole(partitions: readonly PhysicalPartition[]): boolean {
  const ends = ['', ...partitions.map(({ maxExclusive }) => maxExclusive)]
  return partitions.every(({ minInclusive }, at) => withoutZeros(minInclusive) === withoutZeros(ends[at]!)) && ends.at(-1) === 'FF'
}

/** Of one level of a hierarchical key. Boundaries between partitions may have any number of levels, also more than keys have. */
const hashLength = 32

function withoutZeros(boundary: string): string {
  return boundary.replace(/0+$/, '')
}

/** Whether a request failed because its physical partition has been split or merged, or is about to be. */
export function isPartitionGone(error: unknown): boolean {
  const { code, substatus } = (error ?? {}) as { code?: unknown; substatus?: unknown }
  return code === 410 && (substatus === 1000 || substatus === 1002 || substatus === 1007)
}
