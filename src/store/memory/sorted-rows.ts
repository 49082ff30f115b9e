// Rows in the order of their values, ties by id: what a B-tree is in a database. The list is cut into blocks, so that
// adding a row moves a few hundred entries rather than all of them.

import { compareScalars, compareText } from '../../model/keys/compare-scalars.ts'
import type { Scalar } from '../query.ts'
import type { StoredDocument } from '../store.ts'

/** A document as indexes refer to it: a write that changes no indexed value changes no index. */
export interface Row {
  readonly id: string
  document: StoredDocument
}

/** What rows are sorted by: one value, or several. */
export type SortValue = Scalar | readonly Scalar[]

/** Negative when `a` comes first. */
export type CompareValues = (a: SortValue, b: SortValue) => number

/** Whether an entry comes before some point of the order. If it does, so do all entries before it. */
export type IsBefore<Value extends SortValue = SortValue> = (value: Value, row: Row) => boolean

/** Values stand beside their rows, so that a search need not look into documents. */
interface Block {
  readonly values: SortValue[]
  readonly rows: Row[]
}

const maxBlockSize = 256

export class SortedRows {
  readonly #blocks: Block[] = []
  readonly #compare: CompareValues
  #size = 0

  /** All values are single ones, unless a comparison for others is given. */
  constructor(compare: CompareValues = compareScalars as CompareValues) {
    this.#compare = compare
  }

  get size(): number {
    return this.#size
  }

  /** Adds an entry that comes after all others. */
  append(value: SortValue, row: Row): void {
    let last = this.#blocks.at(-1)
    if (last === undefined || last.rows.length >= maxBlockSize) this.#blocks.push((last = { values: [], rows: [] }))
    last.values.push(value)
    last.rows.push(row)
    this.#size++
  }

  add(value: SortValue, row: Row): void {
    const [nth, at] = this.#seek((found, { id }) => (this.#compare(found, value) || compareText(id, row.id)) <= 0)
    // Past the end of the last block there is room for one more entry in it.
    const block = this.#blocks[nth] ?? this.#blocks.at(-1)
    if (block === undefined) return this.append(value, row)
    const place = nth < this.#blocks.length ? at : block.rows.length
    block.values.splice(place, 0, value)
    block.rows.splice(place, 0, row)
    this.#size++
    if (block.rows.length <= maxBlockSize) return
    const half = block.rows.length >>> 1
    this.#blocks.splice(this.#blocks.indexOf(block) + 1, 0, { values: block.values.splice(half), rows: block.rows.splice(half) })
  }

  delete(value: SortValue, row: Row): void {
    let [nth, at] = this.#seek((found, { id }) => (this.#compare(found, value) || compareText(id, row.id)) < 0)
    // Documents of several partitions may have the same id.
    for (; this.#blocks[nth] !== undefined; nth++, at = 0) {
      const block = this.#blocks[nth]!
      const found = block.rows.indexOf(row, at)
      if (found === -1) continue
      block.values.splice(found, 1)
      block.rows.splice(found, 1)
      if (block.rows.length === 0) this.#blocks.splice(nth, 1)
      this.#size--
      return
    }
  }

  /** How many entries come before a point. */
  rankOf<Value extends SortValue>(isBefore: IsBefore<Value>): number {
    const [nth, at] = this.#seek(isBefore)
    let rank = at
    for (let block = 0; block < nth; block++) rank += this.#blocks[block]!.rows.length
    return rank
  }

  /** Visits the documents from one rank to before another, in either direction, until a visit returns false. */
  walk(from: number, to: number, descending: boolean, visit: (document: StoredDocument) => boolean): void {
    if (from >= to) return
    let [nth, at] = this.#placeOf(descending ? to - 1 : from)
    let left = to - from
    const step = descending ? -1 : 1
    for (let block = this.#blocks[nth]!; ; block = this.#blocks[(nth += step)]!, at = descending ? block.rows.length - 1 : 0) {
      for (; at >= 0 && at < block.rows.length; at += step) {
        if (!visit(block.rows[at]!.document) || --left === 0) return
      }
    }
  }

  /** The first documents of such a walk. */
  slice(from: number, to: number, descending: boolean, limit: number): StoredDocument[] {
    const found: StoredDocument[] = []
    let left = Math.min(to - from, limit)
    if (left <= 0) return found
    const [start, place] = this.#placeOf(descending ? to - 1 : from)
    const step = descending ? -1 : 1
    for (let nth = start, at = place; left > 0; nth += step, at = descending ? Infinity : 0) {
      const { rows } = this.#blocks[nth]!
      for (at = Math.min(at, rows.length - 1); left > 0 && at >= 0 && at < rows.length; at += step, left--) found.push(rows[at]!.document)
    }
    return found
  }

  #placeOf(rank: number): [number, number] {
    let nth = 0
    let at = rank
    while (at >= this.#blocks[nth]!.rows.length) at -= this.#blocks[nth++]!.rows.length
    return [nth, at]
  }

  /** The block and the place in it of the first entry that is not before the point. */
  #seek<Value extends SortValue>(isBefore: IsBefore<Value>): [number, number] {
    const nth = firstOf(this.#blocks.length, (block) => {
      const { values, rows } = this.#blocks[block]!
      return !isBefore(values.at(-1) as Value, rows.at(-1)!)
    })
    const block = this.#blocks[nth]
    return [nth, block === undefined ? 0 : firstOf(block.rows.length, (at) => !isBefore(block.values[at] as Value, block.rows[at]!))]
  }
}

/** The first number below `end` for which `holds` is true, where it is true for all later ones; `end` if there is none. */
function firstOf(end: number, holds: (at: number) => boolean): number {
  let low = 0
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
