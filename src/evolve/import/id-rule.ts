// How the id of a document follows from a row. The same rule on another column finds the document
// again, so that references need no list of what has been imported.

import { createHash } from 'node:crypto'
import type { Json } from '../../model/json/json.ts'
import type { Row } from './rows.ts'

export type IdRule =
  /** The cell as it is. */
  | { readonly by: 'column'; readonly columns: readonly string[] }
  /** Texts that differ only in case, accents, punctuation and spaces give the same id. */
  | { readonly by: 'slug'; readonly columns: readonly string[] }
  /** Every spelling has an id of its own, and any text can have one. */
  | { readonly by: 'hash'; readonly columns: readonly string[] }
  /** Columns in a text: `{ISBN}-{User-ID}`. */
  | { readonly by: 'text'; readonly text: string; readonly columns: readonly string[] }

/** Longer ones are cut, and told apart by a hash. */
const longestSlug = 80

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

/** The same for a part of a cell, where a cell holds several. */
export function idFromText(rule: IdRule, text: string): string | undefined {
  if (text === '') return undefined
  return rule.by === 'slug' || rule.by === 'hash' ? idOfTexts(rule.by, [text]) : text
}

/** A text with the columns that it names in braces filled in. */
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
  if (by === 'slug' && slug !== '' && slug.length <= longestSlug) return slug
  const readable = slug.slice(0, by === 'slug' ? longestSlug : longestSlug / 2)
  // A slug that was cut is told by the rest of itself; where nothing is left of a text, the text tells.
  const told = by === 'slug' && slug !== '' ? slug : JSON.stringify(texts)
  return [...(readable === '' ? [] : [readable]), createHash('sha256').update(told).digest('hex').slice(0, 12)].join('-')
}

function slugOf(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '')
}
