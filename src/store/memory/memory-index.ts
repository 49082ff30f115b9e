// One index of a container of the memory store: rows of a type in the order of a value, perhaps grouped by another value.

import { compareScalars, compareText } from '../../model/keys/compare-scalars.ts'
import { partitionText } from '../../model/keys/key.ts'
import { scalarAt, scalarsAt } from '../conditions.ts'
import type { Path, Scalar } from '../query.ts'
import type { FurtherOrder, StoredDocument } from '../store.ts'
import { SortedRows, type CompareValues, type Row, type SortValue } from './sorted-rows.ts'

export interface MemoryIndexLayout {
  /** Only documents of this type; all without it. */
  readonly type: string | undefined
  /** Whether documents of different tenants are in different groups. */
  readonly byTenant: boolean
  /** What documents are grouped by: their partition, or the values at a path, each element of a list with `'*'`. */
  readonly by: Path | 'partition' | undefined
  readonly orderBy: Path
  readonly thenBy?: readonly FurtherOrder[] | undefined
}

export class MemoryIndex {
  readonly #layout: MemoryIndexLayout
  readonly #compare: CompareValues
  readonly #valueOf: (document: StoredDocument) => SortValue
  readonly #groups = new Map<Scalar, SortedRows>()

  /** Sorts all rows at once, which takes much less time than adding them one by one. */
  constructor(layout: MemoryIndexLayout, rows: Iterable<Row>) {
    this.#layout = layout
    const { orderBy, thenBy } = layout
    this.#compare = thenBy ? compareSeveral(thenBy) : (compareScalars as CompareValues)
    this.#valueOf = thenBy ? ({ body }) => [scalarAt(orderBy, body), ...thenBy.map(({ path }) => scalarAt(path, body))] : ({ body }) => scalarAt(orderBy, body)
    const entries: { readonly value: SortValue; readonly row: Row }[] = []
    for (const row of rows) if (this.#includes(row.document)) entries.push({ value: this.#valueOf(row.document), row })
    entries.sort((a, b) => this.#compare(a.value, b.value) || compareText(a.row.id, b.row.id))
    for (const { value, row } of entries) for (const name of this.#groupsOf(row.document)) this.#group(name).append(value, row)
  }

  /** The rows of one group; `value` is the partition as text or the value at the path. */
  rows(tenant: string | undefined, value: Scalar = null): SortedRows {
    return this.#groups.get(this.#nameOf(tenant, value)) ?? none
  }

  /** Removes a row before its document changes. */
  remove(row: Row): void {
    const value = this.#valueOf(row.document)
    for (const name of this.#groupsOf(row.document)) {
      const group = this.#group(name)
      group.delete(value, row)
      if (group.size === 0) this.#groups.delete(name)
    }
  }

  /** Adds a row after its document has changed. */
  add(row: Row): void {
    const value = this.#valueOf(row.document)
    for (const name of this.#groupsOf(row.document)) this.#group(name).add(value, row)
  }

  /** Whether two versions of a document have the same places in the index. */
  isSame(one: StoredDocument, other: StoredDocument): boolean {
    const { by } = this.#layout
    if (!this.#includes(one) || !this.#includes(other)) return this.#includes(one) === this.#includes(other)
    if (this.#compare(this.#valueOf(one), this.#valueOf(other)) !== 0) return false
    if (by === undefined || by === 'partition') return true
    const values = scalarsAt(by, other.body)
    const before = scalarsAt(by, one.body)
    return values.length === before.length && values.every((value, at) => value === before[at])
  }

  #includes({ body }: StoredDocument): boolean {
    return this.#layout.type === undefined || body.type === this.#layout.type
  }

  #groupsOf(document: StoredDocument): Iterable<Scalar> {
    if (!this.#includes(document)) return []
    const { by } = this.#layout
    const tenant = document.key.partition[0] as string
    if (by === undefined) return [this.#nameOf(tenant, null)]
    if (by === 'partition') return [this.#nameOf(tenant, partitionText(document.key.partition))]
    return new Set(scalarsAt(by, document.body).map((value) => this.#nameOf(tenant, value)))
  }

  #nameOf(tenant: string | undefined, value: Scalar): Scalar {
    return this.#layout.byTenant ? JSON.stringify([tenant, value]) : value
  }

  #group(name: Scalar): SortedRows {
    let group = this.#groups.get(name)
    if (group === undefined) this.#groups.set(name, (group = new SortedRows(this.#compare)))
    return group
  }
}

/** For lists of values, of which the first is ascending. */
export function compareSeveral(thenBy: readonly FurtherOrder[]): CompareValues {
  const signs = [1, ...thenBy.map(({ isOpposite }) => (isOpposite ? -1 : 1))]
  return (a, b) => {
    let order = 0
    for (let at = 0; order === 0 && at < signs.length; at++) order = signs[at]! * compareScalars((a as readonly Scalar[])[at]!, (b as readonly Scalar[])[at]!)
    return order
  }
}

const none = new SortedRows()
