// A mapping after reading: which rows become which documents. read-mapping.ts reads and checks it.

import type { ContainedType, DocumentType, Field } from '../../../model/model.ts'
import type { Json } from '../../../model/json/json.ts'
import type { IdRule } from './id-rule.ts'
import type { RowFile } from '../rows/rows.ts'

export interface Mapping {
  readonly documents: readonly DocumentRows[]
  readonly entries: readonly EntryRows[]
  /** Files of an export. */
  readonly whole?: readonly WholeRows[]
}

/** Rows that are documents as they were exported. */
export interface WholeRows {
  readonly file: RowFile
  /** Of the documents, or of buckets. */
  readonly type: DocumentType
  /** The type whose documents own the buckets; undefined for documents. */
  readonly owner?: DocumentType
}

interface Rows {
  readonly file: RowFile
  readonly skip: readonly Skip[]
  readonly id: IdRule
  readonly fields: readonly Given[]
}

/** Rows that become documents. The first row with an id wins. */
export interface DocumentRows extends Rows {
  readonly type: DocumentType
  /** Where a cell names several documents. */
  readonly split?: RowSplit
  /** The second pass over rows that were imported without some references. */
  readonly again?: boolean
}

/** Rows that become entries of a bucketed list. */
export interface EntryRows extends Rows {
  readonly list: Field
  readonly owner: DocumentType
  readonly entry: ContainedType
  /** The id of the document that owns the list. */
  readonly of: IdRule
}

/** Makes several rows of one, each with another part of the cell. */
export interface RowSplit {
  readonly column: string
  /** The text between two parts. */
  readonly by: string
}

/** Skips rows that have one of these texts in a column. */
export interface Skip {
  readonly column: string
  readonly is: readonly string[]
}

export interface Given {
  readonly field: Field
  /** Its name in a mutation's input. */
  readonly input: string
  readonly from: Source
}

export type Source =
  | {
      readonly by: 'column'
      readonly column: string
      /** Takes a part of the cell: the first group, or the whole match. */
      readonly match: RegExp | undefined
      /** Texts that mean null. */
      readonly empty: readonly string[]
      readonly otherwise: Json | undefined
      /** The text between two elements, where a cell has a list. */
      readonly split: string | undefined
    }
  | { readonly by: 'value'; readonly value: Json }
  | { readonly by: 'text'; readonly text: string }
  | { readonly by: 'id'; readonly rule: IdRule; readonly split: string | undefined }
  | { readonly by: 'objects'; readonly objects: readonly GivenObject[] }

export interface GivenObject {
  readonly shape: ContainedType
  /** Its name in the input of a union. */
  readonly member: string | undefined
  readonly fields: readonly Given[]
}

/** A mapping that cannot be used. Each problem is a line with its place in the mapping and what to write. */
export class MappingError extends Error {
  override readonly name = 'MappingError'

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
  }
}
