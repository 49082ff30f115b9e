// A plain property of the document: the default for a field without a directive.

import type { StorageOf } from '../../model/storages.ts'
import type { Kind } from '../kind.ts'
import { valueIndex } from '../value-index.ts'

export const stored: Kind<StorageOf<'stored'>> = {
  check: () => [],
  indexes: valueIndex,
  prepare: ({ storage: { at } }) => ({ value: (holder) => holder[at] ?? null, property: at }),
}
