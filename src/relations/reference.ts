// `@reference`: the document holds an id, or a list of ids, and nothing else of the target. When
// nothing but the id is asked for, the reference itself is the answer.

import type { StorageOf } from '../model/model.ts'
import { checkPointer, followIds, idIndex } from './by-id.ts'
import type { Kind } from './kind.ts'

export const reference: Kind<StorageOf<'reference'>> = {
  check: checkPointer,
  indexes: idIndex,
  // Ids are text, however the reference stores them: stock 1 is the document "1".
  prepare: (field, { model }) => followIds(field, model, [], (id) => ({ id: String(id) })),
}
