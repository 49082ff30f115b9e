// `@derived`: computed from the document by a function. Snapshots use the same function, so a snapshot and its
// original are always computed alike.

import type { StorageOf } from '../model/storages.ts'
import type { Kind } from './kind.ts'

export const derived: Kind<StorageOf<'derived'>> = {
  check({ owner, name, coordinate }, _, derive) {
    if (typeof derive[owner]?.[name] === 'function') return []
    return [`${coordinate}: @derived needs a function. Add derive: { ${owner}: { ${name}: (document) => … } }.`]
  },
  prepare: ({ owner, name }, { derive }) => ({ value: derive[owner]![name]! }),
}
