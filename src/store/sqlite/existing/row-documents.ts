// The rows of a table as documents, with their ids: those of the documents, or else of the rows.

import type { SQLOutputValue } from 'node:sqlite'
import { objectIn, type Body, type Json } from '../../../model/json/json.ts'
import { quoted } from './id-expression.ts'
import type { Table } from './tables.ts'

export type Row = Readonly<Record<string, SQLOutputValue>>

/** The column with the id of a row, in what is read. */
const rowId = 'id of the row'

export function columnsRead({ isOwn, body, idColumn }: Table): string {
  if (isOwn) return quoted(body!)
  return `${body === undefined ? '*' : quoted(body)}, ${quoted(idColumn)} AS ${quoted(rowId)}`
}

/** Undefined for a row whose JSON is not an object. */
export function documentOf({ isOwn, body, idColumn }: Table, { [rowId]: id, ...row }: Row): Body | undefined {
  if (body === undefined) return { id: String(id), ...Object.fromEntries(Object.entries(row).filter(([name, value]) => name !== idColumn && name !== 'id' && !(value instanceof Uint8Array)).map(([name, value]) => [name, jsonOf(value)])) }
  const document = objectIn(String(row[body]))
  if (!document || isOwn || typeof document['id'] === 'string') return document
  return { ...document, id: String(document['id'] ?? id) }
}

/** Whole numbers that JSON cannot hold are texts. Bytes are left out, which tables.ts tells. */
function jsonOf(value: SQLOutputValue | undefined): Json {
  if (value === undefined || value instanceof Uint8Array) return null
  if (typeof value !== 'bigint') return value
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
}
