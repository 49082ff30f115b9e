// Records that every document has every snapshot, list and count that is declared.

import type { Declaration } from '../relations/declaration.ts'
import type { Store } from '../store/store.ts'
import { keepDeclaration } from './declared/stored-declaration.ts'
import { confirmSnapshots } from './stored-snapshots.ts'

export async function confirmAll(declaration: Declaration, store: Store): Promise<void> {
  await confirmSnapshots(declaration, store)
  await keepDeclaration(declaration, store, () => [])
}
