// Large changesets of the memory store. Everything that takes time is prepared slice by slice: encoding, conditions, etags, and
// which indexes change. The commit then only puts the prepared documents in their places, in one stretch, because readers must
// see all of them or none. No other writer runs meanwhile, so what was prepared stays true.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import { AddressMap } from '../../model/keys/key.ts'
import { frozen, frozenCopy } from '../in-process/immutable-json.ts'
import { newEtag, type JsonWrite, type Written } from '../in-process/prepare-write.ts'
import type { LargeTransaction } from '../in-process/large-changesets.ts'
import { checkCondition, containerNamed } from '../write-condition.ts'
import type { StoredDocument } from '../store.ts'
import type { MemoryContainer, PreparedSet } from './memory-container.ts'
import type { MemoryFeed, PlacedChange } from './memory-feed.ts'

export class MemoryTransaction implements LargeTransaction {
  readonly #containers: ReadonlyMap<string, MemoryContainer>
  readonly #feed: MemoryFeed
  readonly #clock: Clock
  #prepared: { readonly container: MemoryContainer; readonly set: PreparedSet }[] = []
  #changes: PlacedChange[] = []
  /** What the transaction has written so far. */
  #pending = new AddressMap<{ readonly document: StoredDocument | undefined }>()

  constructor(containers: ReadonlyMap<string, MemoryContainer>, feed: MemoryFeed, clock: Clock) {
    this.#containers = containers
    this.#feed = feed
    this.#clock = clock
  }

  async begin(): Promise<boolean> {
    return true
  }

  async write(writes: readonly JsonWrite[]): Promise<Written[]> {
    const written = writes.map((write) => this.#prepare(write))
    await nextTurn()
    return written
  }

  async commit(): Promise<void> {
    for (const { container, set } of this.#prepared) container.apply(set)
    this.#feed.add(this.#changes, this.#clock.wallMs())
    this.#clear()
  }

  async rollback(): Promise<void> {
    this.#clear()
  }

  #prepare({ write, json }: JsonWrite): Written {
    const container = containerNamed(this.#containers, write.container)
    const key = frozen({ partition: [...write.key.partition], id: write.key.id })
    const pending = this.#pending.get(write.container, key)
    const found = pending ? pending.document : container.get(key)
    checkCondition(write, found)
    const etag = json === undefined ? '' : newEtag()
    const document = write.kind === 'put' && json ? Object.freeze({ key, etag, body: frozenCopy(write.body, json.text), bytes: json.bytes }) : undefined
    this.#prepared.push({ container, set: container.prepare(key, document) })
    this.#pending.set(write.container, key, { document })
    const last = document ?? found
    if (container.followed && last) this.#changes.push(this.#feed.place({ container: write.container, document: last, deleted: document === undefined, settled: write.kind === 'put' ? write.settled : undefined }))
    return { etag, bytes: json?.bytes, replacedBytes: found?.bytes }
  }

  #clear(): void {
    this.#prepared = []
    this.#changes = []
    this.#pending = new AddressMap()
  }
}
