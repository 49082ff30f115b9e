// What a mapping says once it has been read: which rows become which documents. Reading and checking
// it is read-mapping.ts's business.

import type { ContainedType, DocumentType, Field } from '../../model/model.ts'
import type { Json } from '../../model/json/json.ts'
import type { IdRule } from './id-rule.ts'
import type { RowFile } from './rows.ts'

export interface Mapping {
  readonly documents: readonly DocumentRows[]
  readonly entries: readonly EntryRows[]
}

interface Rows {
  readonly file: RowFile
  readonly skip: readonly Skip[]
  readonly id: IdRule
  readonly fields: readonly Given[]
}

/** Rows that become documents. Of rows with the same id the first one counts. */
export interface DocumentRows extends Rows {
  readonly type: DocumentType
  /** Whether the rows have been imported a moment ago, without some fields. */
  readonly again?: boolean
}

/** Rows that become entries of a list that grows for ever. */
export interface EntryRows extends Rows {
  readonly list: Field
  readonly owner: DocumentType
  readonly entry: ContainedType
  /** How the document is found whose list it is. */
  readonly of: IdRule
}

/** Rows that have one of these texts in a column are passed over. */
export interface Skip {
  readonly column: string
  readonly is: readonly string[]
}

export interface Given {
  readonly field: Field
  /** What a mutation's input calls it. */
  readonly input: string
  readonly from: Source
}

export type Source =
  | {
      readonly by: 'column'
      readonly column: string
      /** The part of the cell that counts: its first group, or all that matches. */
      readonly match: RegExp | undefined
      /** Texts that mean that there is nothing. */
      readonly empty: readonly string[]
      readonly otherwise: Json | undefined
      /** What is between the elements, where a cell holds a list. */
      readonly split: string | undefined
    }
  | { readonly by: 'value'; readonly value: Json }
  | { readonly by: 'text'; readonly text: string }
  | { readonly by: 'id'; readonly rule: IdRule; readonly split: string | undefined }
  | { readonly by: 'objects'; readonly objects: readonly GivenObject[] }

export interface GivenObject {
  readonly shape: ContainedType
  /** Under which name an input gives it, where it could have other shapes. */
  readonly member: string | undefined
  readonly fields: readonly Given[]
}

/** A mapping that cannot be used. Each problem is a line that names the place and says what to write. */
export class MappingError extends Error {
  override readonly name = 'MappingError'

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
  }
}
