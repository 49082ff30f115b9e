// Copies the documents that gateways have marked as changed, and deletes the marks. Where the store is atomic per partition, a mark is
// written before its documents, so the copy waits until they must be stored.

import { processClock, type Clock } from '../../../../clock.ts'
import { linkedById } from '../../../../relations/logical/links.ts'
import { ownContainer } from '../../../../store/own-container.ts'
import type { StoredDocument, Write } from '../../../../store/store.ts'
import { writeAll } from '../../../../store/write-all.ts'
import { BatchedView } from '../../../check/batched-view.ts'
import { documentPages } from '../../../check/document-pages.ts'
import { sourceOf } from '../../transform/field-sources.ts'
import type { TypeWork } from '../../transform/type-work.ts'
import type { Digests } from '../../run/digests.ts'
import { partFor, type MigrationRun } from '../../run/migration-run.ts'
import { markIn, markType, type Written } from '../change-marks.ts'
import { copyDocuments } from './copy-documents.ts'

export interface Followed {
  /** How many marks were found. */
  readonly marks: number
  /** Marks that are too young, or name a document that does not fit. */
  readonly left: number
  /** Documents that do not fit, as sentences. */
  readonly unfit: readonly string[]
}

export class WriteFollower {
  readonly #run: MigrationRun
  readonly #totals: Digests
  readonly #clock: Clock
  /** How old a mark must be to be processed. */
  readonly settleMs: number
  /** When each mark was seen first. */
  readonly #seenMs = new Map<string, number>()

  constructor(run: MigrationRun, totals: Digests, clock: Clock = processClock) {
    this.#run = run
    this.#totals = totals
    this.#clock = clock
    this.settleMs = 2 * run.store.supports.maxWriteDelayMs
  }

  /** Processes all current marks. */
  async round(): Promise<Followed> {
    const { store, held, advance } = this.#run
    let [marks, left] = [0, 0]
    const unfit: string[] = []
    for await (const page of documentPages(store, { container: ownContainer, type: markType })) {
      const atMs = this.#clock.now()
      for (const { key } of page) if (!this.#seenMs.has(key.id)) this.#seenMs.set(key.id, atMs)
      const settled = page.filter(({ key }) => atMs - this.#seenMs.get(key.id)! >= this.settleMs)
      const { done, sentences } = await this.#follow(settled)
      await writeAll(store, done.map(({ key }): Write => ({ kind: 'delete', container: ownContainer, key })))
      for (const { key } of done) this.#seenMs.delete(key.id)
      marks += page.length
      left += page.length - done.length
      unfit.push(...sentences)
      await held.save({})
      await advance(0)
    }
    return { marks, left, unfit }
  }

  async #follow(marks: readonly StoredDocument[]): Promise<{ done: readonly StoredDocument[]; sentences: readonly string[] }> {
    const sentences: string[] = []
    const done: StoredDocument[] = []
    for (const [tenant, some] of Map.groupBy(marks, (mark) => markIn(mark).tenant)) {
      const part = { tenant, store: partFor(this.#run.store, tenant) }
      const ids = new Map<TypeWork, Set<string>>()
      for (const written of some.flatMap((mark) => markIn(mark).documents)) await this.#addAffected(ids, part.store, written)
      const before = sentences.length
      for (const [work, each] of ids) for (const [id, why] of await copyDocuments(this.#run, part, work, [...each], this.#totals)) sentences.push(`${work.old.name} ${id}: ${why}.`)
      if (sentences.length === before) done.push(...some)
    }
    return { done, sentences }
  }

  /** The document itself, and those that have it as an object afterwards. What it points at is in the mark. */
  async #addAffected(ids: Map<TypeWork, Set<string>>, store: StoreOfPart, { container, type, id }: Written): Promise<void> {
    const { pairs, work } = this.#run
    const add = (typeWork: TypeWork, each: string): void => {
      const known = ids.get(typeWork)
      if (known) known.add(each)
      else ids.set(typeWork, new Set([each]))
    }
    const own = [...pairs.old.documents.values()].find((each) => each.container === container && (each.discriminator ?? null) === type)
    if (!own) return
    const ownWork = work.types.find(({ old }) => old === own)
    if (ownWork) add(ownWork, id)
    for (const typeWork of work.types) {
      for (const field of typeWork.now?.fields.values() ?? []) {
        const source = sourceOf(pairs, field)
        if (source.from !== 'documents' || source.old.target !== own.name) continue
        for (const holder of await linkedById(source.old, id, pairs.old, new BatchedView(store))) add(typeWork, holder)
      }
    }
  }
}

type StoreOfPart = MigrationRun['store']
