// The documents of one container of the memory store, and its indexes. An index is built when a query first asks for it,
// and kept up to date by every write from then on. The schema bounds their number: the API filters and orders only by
// fields that it declares as indexed.

import { KeyMap, type Key } from '../../model/keys/key.ts'
import type { Path, Selection } from '../query.ts'
import type { FurtherOrder, IndexLayout, StoredDocument } from '../store.ts'
import { MemoryIndex } from './memory-index.ts'
import type { Row } from './sorted-rows.ts'

export interface PreparedSet {
  readonly key: Key
  readonly document: StoredDocument | undefined
  readonly before: StoredDocument | undefined
  /** The indexes in which the document moves. A query may make another one meanwhile, so their number at that time is kept. */
  readonly indexes: readonly MemoryIndex[]
  readonly indexCount: number
}

export class MemoryContainer {
  readonly followed: boolean
  readonly tenanted: boolean
  readonly #rows = new KeyMap<Row>()
  readonly #indexes = new Map<string, MemoryIndex>()
  /** Those that only order documents, by their paths: most queries need one, and making its name takes longer than finding it. */
  #orders = new WeakMap<Path, { readonly type: string | undefined; readonly byTenant: boolean; readonly index: MemoryIndex }[]>()
  #declared: ReadonlySet<string> = new Set()

  constructor(followed: boolean, tenanted: boolean) {
    this.followed = followed
    this.tenanted = tenanted
  }

  /** Prepares for another layout: its queries will ask for other indexes. */
  declare(indexes: readonly IndexLayout[]): void {
    this.#declared = new Set(indexes.flatMap(({ equals, orderBy = ['id'], thenBy }) => (equals ? [pairText(equals, orderBy, thenBy)] : [])))
    this.#indexes.clear()
    this.#orders = new WeakMap()
  }

  /** Whether the layout has an index that finds documents by the value at one path in the order of another. */
  hasDeclared(equals: Path, orderBy: Path, thenBy: readonly FurtherOrder[] | undefined): boolean {
    return this.#declared.has(pairText(equals, orderBy, thenBy))
  }

  get(key: Key): StoredDocument | undefined {
    return this.#rows.get(key)?.document
  }

  set(key: Key, document: StoredDocument | undefined): void {
    this.apply(this.prepare(key, document))
  }

  /** What `set` will change, which takes most of its time. It may be applied later, also if others were applied in between. */
  prepare(key: Key, document: StoredDocument | undefined): PreparedSet {
    const before = this.#rows.get(key)?.document
    return { key, document, before, indexes: this.#changedIndexes(before, document), indexCount: this.#indexes.size }
  }

  apply({ key, document, before, indexes, indexCount }: PreparedSet): void {
    const row = this.#rows.get(key)
    if (row === undefined) {
      if (document !== undefined) this.#insert(key, { id: document.key.id, document })
      return
    }
    const changed = row.document === before && this.#indexes.size === indexCount ? indexes : this.#changedIndexes(row.document, document)
    for (const index of changed) index.remove(row)
    if (document === undefined) return this.#rows.delete(key)
    row.document = document
    for (const index of changed) index.add(row)
  }

  #changedIndexes(before: StoredDocument | undefined, document: StoredDocument | undefined): readonly MemoryIndex[] {
    if (before === undefined) return []
    return [...(document === undefined ? this.#indexes.values() : this.#indexes.values().filter((index) => !index.isSame(before, document)))]
  }

  index({ type, tenant }: Pick<Selection, 'type' | 'tenant'>, by: Path | 'partition' | undefined, orderBy: Path, thenBy?: readonly FurtherOrder[]): MemoryIndex {
    // A partition belongs to one tenant.
    const byTenant = tenant !== undefined && by !== 'partition'
    if (by !== undefined || thenBy) return this.#named(type, byTenant, by, orderBy, thenBy)
    let known = this.#orders.get(orderBy)
    if (known === undefined) this.#orders.set(orderBy, (known = []))
    for (const each of known) if (each.type === type && each.byTenant === byTenant) return each.index
    const index = this.#named(type, byTenant, by, orderBy)
    known.push({ type, byTenant, index })
    return index
  }

  #named(type: string | undefined, byTenant: boolean, by: Path | 'partition' | undefined, orderBy: Path, thenBy?: readonly FurtherOrder[]): MemoryIndex {
    const name = `${pathText(orderBy)}${furtherText(thenBy)}${by === undefined ? '' : by === 'partition' ? by : pathText(by)}${byTenant ? 'by tenant' : ''}${type === undefined ? '' : ` ${type}`}`
    let index = this.#indexes.get(name)
    if (index === undefined) this.#indexes.set(name, (index = new MemoryIndex({ type, byTenant, by, orderBy, thenBy }, this.#rows.values())))
    return index
  }

  #insert(key: Key, row: Row): void {
    this.#rows.set(key, row)
    for (const index of this.#indexes.values()) index.add(row)
  }
}

function pairText(equals: Path, orderBy: Path, thenBy: readonly FurtherOrder[] | undefined): string {
  return pathText(equals) + pathText(orderBy) + furtherText(thenBy)
}

function furtherText(thenBy: readonly FurtherOrder[] | undefined): string {
  return thenBy ? ` then ${JSON.stringify(thenBy.map(({ path, isOpposite }) => [path, isOpposite]))} ` : ''
}

/** Cached by path: most paths belong to the model, which lives as long as the store. */
function pathText(path: Path): string {
  let text = texts.get(path)
  if (text === undefined) texts.set(path, (text = JSON.stringify(path)))
  return text
}

const texts = new WeakMap<Path, string>()
