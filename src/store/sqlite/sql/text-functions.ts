// The functions on texts that SQLite does not have, or has for a part of the characters only: its lower() changes 26 letters, and
// its length() ends at a NUL. Every connection has them; no index and no trigger uses them, so other programs can write to the file.

import type { DatabaseSync } from 'node:sqlite'
import { foldCase } from '../../../model/operators.ts'
import { raw } from './sql-fragment.ts'

export const foldCaseFunction = raw('quire_fold_case')
export const endsWithFunction = raw('quire_ends_with')

export function addTextFunctions(database: DatabaseSync): void {
  database.function(foldCaseFunction.text, { deterministic: true }, (text) => foldCase(text as string))
  database.function(endsWithFunction.text, { deterministic: true }, (text, end) => Number((text as string).endsWith(end as string)))
}
