// `@derived`: computed from the document by a function. Snapshots are filled by the same function,
// so the copy and the original cannot differ in how they are computed.

import type { StorageOf } from '../model/storages.ts'
import type { Kind } from './kind.ts'

export const derived: Kind<StorageOf<'derived'>> = {
  check({ owner, name, coordinate }, _, derive) {
    if (typeof derive[owner]?.[name] === 'function') return []
    return [`${coordinate} is @derived, and there is no function for it. Pass one: derive: { ${owner}: { ${name}: (document) => … } }.`]
  },
  prepare: ({ owner, name }, { derive }) => ({ value: derive[owner]![name]! }),
}
