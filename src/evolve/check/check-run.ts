// What every step of one check gets.

import type { Declaration } from '../../relations/declaration.ts'
import type { Store } from '../../store/store.ts'
import type { AcceptLoss } from './repair/accepted-loss.ts'
import type { ValueCheck } from './invalid-values.ts'
import type { KeepUndoEntries } from './repair/undo-log.ts'

export interface CheckRun {
  readonly declaration: Declaration
  readonly store: Store
  readonly repair: boolean
  readonly acceptLoss: AcceptLoss
  /** Keeps what is taken out, before it is. */
  readonly keep: KeepUndoEntries
  readonly fits: ValueCheck
  /** Counts documents as checked. Throws when the check is to stop. */
  readonly checked: (documents: number) => Promise<void>
}

/** How often a document that other writers keep changing is read again. */
export const maxLooks = 5
