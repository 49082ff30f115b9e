// What the columns of a file are: which one can be the id, and, in a table, which ones hold numbers or truth values. The whole file is
// looked at, because one cell can refute it.

import { isObject, type Body, type Json } from '../../../model/json/json.ts'
import { scalarCalled } from '../../../model/scalars.ts'
import { hashOf } from '../distinct-values.ts'
import { idEnding } from '../name-match.ts'

/** After so many different values a column counts as unique. */
const maxRemembered = 500_000
const maxIdLength = 100

export class Columns {
  #rows = 0
  readonly #columns = new Map<string, Column>()
  readonly #isTable: boolean

  constructor(isTable: boolean) {
    this.#isTable = isTable
  }

  add(document: Body): void {
    this.#rows++
    for (const [name, value] of Object.entries(document)) {
      let column = this.#columns.get(name)
      if (!column) this.#columns.set(name, (column = { values: 0, isId: true, seen: new Set(), isNumeric: true, isTruth: true }))
      addTo(column, value!)
    }
  }

  /** Whether two documents have the same `id`. */
  get repeatsIds(): boolean {
    return this.#hasIds && this.#columns.get('id')!.seen === undefined
  }

  /** How many documents have an `id` that is not used, because others have none, or one that cannot be an id. */
  get idsLeftOut(): number {
    return this.#hasIds ? 0 : (this.#columns.get('id')?.values ?? 0)
  }

  /** The property that tells documents apart: `id`, or one that is named like an id, or the first; undefined if there is none. */
  idFor(one: string): string | undefined {
    if (this.#hasIds) return 'id'
    const unique = [...this.#columns].filter(([, { seen, values }]) => seen !== undefined && values === this.#rows).map(([name]) => name)
    return unique.find((name) => ['id', `${one.toLowerCase()}id`].includes(plain(name))) ?? unique.find((name) => idEnding.test(name)) ?? unique[0]
  }

  /** The document with its id, and with cells as what they stand for. */
  documentOf(row: Body, idFrom: string | undefined, number: number): Body {
    const rest = Object.entries(row).filter(([name]) => name !== idFrom && name !== 'id')
    const values = this.#isTable ? rest.map(([name, value]) => [name, this.#valueOf(name, value as string)]) : rest
    return { id: idFrom === undefined ? String(number) : idText(row[idFrom] ?? null)!, ...Object.fromEntries(values) }
  }

  get #hasIds(): boolean {
    const id = this.#columns.get('id')
    return id !== undefined && id.isId && id.values === this.#rows
  }

  /** Ids stay texts: 007 is not 7. */
  #valueOf(name: string, text: string): Json {
    const { isNumeric, isTruth } = this.#columns.get(name)!
    if (isTruth) return text.toLowerCase() === 'true'
    return isNumeric && !idEnding.test(name) ? Number(text) : text
  }
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

interface Column {
  values: number
  isId: boolean
  /** Undefined once a value came twice. */
  seen: Set<number> | undefined
  isNumeric: boolean
  isTruth: boolean
}

function addTo(column: Column, value: Json): void {
  column.values++
  const id = idText(value)
  if (id === undefined || id === '' || id.length > maxIdLength) {
    column.isId = false
    column.seen = undefined
  } else if (column.seen && column.seen.size < maxRemembered) {
    const hash = hashOf(id) * 2 ** 21 + (hashOf(`${id} `) & 0x1fffff)
    if (column.seen.has(hash)) column.seen = undefined
    else column.seen.add(hash)
  }
  if (typeof value !== 'string') return
  column.isTruth &&= /^(true|false)$/i.test(value)
  // A number with a leading zero, or with more digits than a number can have, is a code.
  column.isNumeric &&= !/^[+-]?0\d/.test(value) && value.length <= 17 && 'value' in scalarCalled('Float')!.fromText(value)
}

/** Undefined for what cannot be an id. Other databases write ids as objects. */
function idText(value: Json): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : undefined
  return isObject(value) && typeof value['$oid'] === 'string' ? value['$oid'] : undefined
}
