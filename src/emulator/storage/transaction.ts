// Writes to one physical partition that become visible together under one sequence number, or not at all.
// Nothing runs between its steps, so it writes in place and keeps what it needs to undo.

import type { Change, PhysicalPartition } from './physical-partition.ts'
import type { StoredDocument } from './stored-document.ts'

export class Transaction {
  readonly partition: PhysicalPartition
  private readonly changes: Omit<Change, 'lsn'>[] = []

  constructor(partition: PhysicalPartition) {
    this.partition = partition
  }

  get size(): number {
    return this.changes.length
  }

  put(document: StoredDocument, previous: StoredDocument | undefined): void {
    this.partition.put(document)
    this.changes.push({ document, previous, deleted: false })
  }

  remove(document: StoredDocument): void {
    this.partition.remove(document)
    this.changes.push({ document, previous: document, deleted: true })
  }

  commit(): void {
    if (this.size === 0) return
    this.partition.lsn += 1
    this.partition.writes += this.size
    for (const change of this.changes) this.partition.changes.push({ ...change, lsn: this.partition.lsn })
  }

  rollBack(): void {
    for (const { document, previous, deleted } of this.changes.toReversed()) {
      if (deleted || previous !== undefined) this.partition.put(previous ?? document)
      else this.partition.remove(document)
    }
  }
}
