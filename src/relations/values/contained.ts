// `@contained`: an object or a list inside the document, which is read with it.

import type { StorageOf } from '../../model/storages.ts'
import type { Kind } from '../kind.ts'
import { valueIndex } from '../value-index.ts'

export const contained: Kind<StorageOf<'contained'>> = {
  check({ coordinate, shape, storage: { max } }) {
    if (max === undefined) return []
    if (shape !== 'list') return [`${coordinate}: max is for lists, and this is one object. Remove max.`]
    return max >= 1 ? [] : [`${coordinate}: max is ${max}. Give max a number above 0.`]
  },
  indexes: valueIndex,
  prepare: ({ shape, storage: { at } }) => ({ value: (holder) => holder[at] ?? (shape === 'list' ? [] : null) }),
}
