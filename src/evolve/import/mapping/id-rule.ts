// How the id of a document follows from a row. References use the same rule on their own column, so an import needs no
// list of the documents that it has made.

import { createHash } from 'node:crypto'
import type { Json } from '../../../model/json/json.ts'
import type { Row } from '../rows/rows.ts'

export type IdRule =
  /** The cell itself. */
  | { readonly by: 'column'; readonly columns: readonly string[] }
  /** Texts that differ only in case, accents, punctuation and spaces give the same id. */
  | { readonly by: 'slug'; readonly columns: readonly string[] }
  /** Every spelling gives its own id, and any text can have one. */
  | { readonly by: 'hash'; readonly columns: readonly string[] }
  /** A text with columns in braces: `{ISBN}-{User-ID}`. */
  | { readonly by: 'text'; readonly text: string; readonly columns: readonly string[] }

/** Longer slugs are cut and made unique by a hash. */
const maxSlugLength = 80

/** Undefined where all columns are empty. */
export function idFrom(rule: IdRule, row: Row): string | undefined {
  const texts = rule.columns.map((column) => cellText(row.cell(column)))
  if (texts.every((text) => text === '')) return undefined
  switch (rule.by) {
    case 'column':
      return texts[0]!
    case 'text':
      return filled(rule.text, row)
    case 'slug':
    case 'hash':
      return idOfTexts(rule.by, texts)
  }
}

/** The same for one part of a cell that has several ids. */
export function idFromText(rule: IdRule, text: string): string | undefined {
  if (text === '') return undefined
  return rule.by === 'slug' || rule.by === 'hash' ? idOfTexts(rule.by, [text]) : text
}

/** The text with its columns replaced by their cells. */
export function filled(text: string, row: Row): string {
  return text.replaceAll(/\{([^{}]+)\}/g, (_, column: string) => cellText(row.cell(column)))
}

export function columnsIn(text: string): string[] {
  return [...text.matchAll(/\{([^{}]+)\}/g)].map(([, column]) => column!)
}

export function cellText(cell: Json | undefined): string {
  if (cell === undefined || cell === null) return ''
  return typeof cell === 'string' ? cell.trim() : typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}

function idOfTexts(by: 'slug' | 'hash', texts: readonly string[]): string {
  const slug = slugOf(texts.join(' '))
  if (by === 'slug' && slug !== '' && slug.length <= maxSlugLength) return slug
  const readable = slug.slice(0, by === 'slug' ? maxSlugLength : maxSlugLength / 2)
  // A slug that was cut is hashed as a whole; a text without a slug is hashed itself.
  const hashed = by === 'slug' && slug !== '' ? slug : JSON.stringify(texts)
  return [...(readable === '' ? [] : [readable]), createHash('sha256').update(hashed).digest('hex').slice(0, 12)].join('-')
}

function slugOf(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '')
}
