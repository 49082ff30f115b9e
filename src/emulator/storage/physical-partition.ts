// One physical partition: the documents of a range of hashes, by logical partition and id, and the log of
// its changes, which the change feed reads. It says what is stored, never who may store it.

import { contains, middle, type KeyRange } from './key-space.ts'
import type { StoredDocument } from './stored-document.ts'

export interface Change {
  /** The partition's sequence number; the writes of one batch share one. */
  readonly lsn: number
  readonly document: StoredDocument
  readonly previous: StoredDocument | undefined
  /** Whether `document` is what was deleted. */
  readonly deleted: boolean
}

/**
 * A physical partition of a container.
 *
 * @example
 * ```ts
 * const [first]: readonly PartitionView[] = emulator.partitions('shop', 'orders')
 * ```
 */
export interface PartitionView {
  readonly id: string
  readonly minInclusive: string
  readonly maxExclusive: string
  readonly documents: number
  readonly writes: number
}

export class PhysicalPartition {
  readonly id: string
  readonly range: KeyRange
  readonly parents: readonly string[]
  readonly changes: Change[] = []
  lsn: number
  writes: number
  private readonly logical = new Map<string, Map<string, StoredDocument>>()

  constructor(id: string, range: KeyRange, { parents = [], lsn = 0, writes = 0 }: { parents?: readonly string[]; lsn?: number; writes?: number } = {}) {
    this.id = id
    this.range = range
    this.parents = parents
    this.lsn = lsn
    this.writes = writes
  }

  find(key: string, id: string): StoredDocument | undefined {
    return this.logical.get(key)?.get(id)
  }

  put(document: StoredDocument): void {
    const documents = this.logical.get(document.key.name)
    if (documents === undefined) this.logical.set(document.key.name, new Map([[document.id, document]]))
    else documents.set(document.id, document)
  }

  remove(document: StoredDocument): void {
    const documents = this.logical.get(document.key.name)
    documents?.delete(document.id)
    if (documents?.size === 0) this.logical.delete(document.key.name)
  }

  *documents(): Iterable<StoredDocument> {
    for (const documents of this.logical.values()) yield* documents.values()
  }

  documentsOf(key: string): Iterable<StoredDocument> {
    return this.logical.get(key)?.values() ?? []
  }

  view(): PartitionView {
    const documents = this.logical.values().reduce((sum, each) => sum + each.size, 0)
    return { id: this.id, minInclusive: this.range.min, maxExclusive: this.range.max, documents, writes: this.writes }
  }

  /** Two children that go on from this one's sequence number, so that its continuations hold in them. */
  split(ids: readonly [string, string], at = middle(this.range)): PhysicalPartition[] {
    return [{ min: this.range.min, max: at }, { min: at, max: this.range.max }].map((range, i) => {
      const child = new PhysicalPartition(ids[i] ?? '', range, { parents: [...this.parents, this.id], lsn: this.lsn })
      for (const document of this.documents()) if (contains(range, document.key.hash)) child.put(document)
      child.changes.push(...this.changes.filter(({ document }) => contains(range, document.key.hash)))
      child.writes = child.changes.length
      return child
    })
  }
}
