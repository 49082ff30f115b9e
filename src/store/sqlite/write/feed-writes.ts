// Feed entries of a transaction. Entries of written documents are added just before the commit, so that a document that
// several writers of a group have changed gets one entry. A deletion adds its entry at once, while the document is still
// there, and first the entries of everything written before it.

import type { Partition } from '../../../model/keys/key.ts'
import type { Clock } from '../../../clock.ts'
import { partOf } from '../../in-process/feed-parts.ts'
import { newestEntry, putEntry, putSettledEntry } from '../change-feed.ts'
import type { SqliteConnection } from '../connection.ts'

interface PendingEntry {
  readonly container: string
  readonly key: string
  readonly part: string
  /** Of its write. */
  readonly settled: number | undefined
}

export class FeedWrites {
  readonly #connection: SqliteConnection
  readonly #clock: Clock
  #newest: { sequence: number; at: number } | undefined
  /** Of the writers of the transaction that have succeeded, in the order of each document's last write. */
  readonly #pending = new Map<string, PendingEntry>()
  /** Of the writer that is writing now; undefined while it adds its entries at once. */
  #ownPending: PendingEntry[] | undefined

  constructor(connection: SqliteConnection, clock: Clock) {
    this.#connection = connection
    this.#clock = clock
  }

  /** To be called when another connection may have written. */
  refresh(): void {
    this.#newest = undefined
  }

  /** `deletes` if one of its writes is a deletion. */
  beginWriter(deletes: boolean): void {
    if (deletes) this.flush()
    this.#ownPending = deletes ? undefined : []
  }

  /** When all writes of a writer have succeeded. */
  endWriter(): void {
    for (const entry of this.#ownPending ?? []) {
      const name = `${entry.container} ${entry.key}`
      const before = this.#pending.get(name)
      const settled = before && before.settled === undefined ? undefined : entry.settled
      // Deleted and set again, so that it moves to the end of the map.
      this.#pending.delete(name)
      this.#pending.set(name, { ...entry, settled })
    }
    this.#ownPending = undefined
  }

  /** Adds the pending entries to the feed: before a commit. */
  flush(): void {
    for (const entry of this.#pending.values()) this.#put(entry)
    this.#pending.clear()
  }

  /** When the transaction will not be committed. */
  discard(): void {
    this.#pending.clear()
  }

  written(container: string, key: string, partition: Partition, settled?: number): void {
    const entry = { container, key, part: partOf(partition), settled }
    if (this.#ownPending) this.#ownPending.push(entry)
    else this.#put(entry)
  }

  /** Just before a row is deleted. */
  deleting(statement: string, container: string, partition: Partition, row: number): void {
    const { sequence, at } = this.#next()
    this.#connection.run(statement, partOf(partition), sequence, container, at, row)
  }

  #put({ container, key, part, settled }: PendingEntry): void {
    const { sequence, at } = this.#next()
    if (settled === undefined) this.#connection.run(putEntry, part, sequence, container, key, at)
    else this.#connection.run(putSettledEntry, part, sequence, container, key, at, settled)
  }

  /** The time is never earlier than that of the previous entry, even if another process with another clock made it. */
  #next(): { readonly sequence: number; readonly at: number } {
    this.#newest ??= this.#readNewest()
    this.#newest.sequence++
    this.#newest.at = Math.max(this.#newest.at, this.#clock.wallMs())
    return this.#newest
  }

  #readNewest(): { sequence: number; at: number } {
    const [sequence, at] = this.#connection.get(newestEntry.text)!
    return { sequence: Number(sequence), at: Number(at) }
  }
}
