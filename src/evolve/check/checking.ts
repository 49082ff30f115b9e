// What every part of a check is given.

import type { Declaration } from '../../relations/declaration.ts'
import type { Store } from '../../store/store.ts'

export interface Checking {
  readonly declaration: Declaration
  readonly store: Store
  /** Whether what is found is mended. */
  readonly repair: boolean
  /** Told of documents that have been looked at. Throws when the check is to end. */
  readonly looked: (documents: number) => Promise<void>
}

/** How often something that keeps changing is looked at. */
export const maxLooks = 5
