// Records that every document has every snapshot, list and count that is declared.

import type { Declaration } from '../relations/declaration.ts'
import { ownKey } from '../store/own-container.ts'
import type { Store } from '../store/store.ts'
import { keepDeclaration } from './declared/stored-declaration.ts'
import { confirmSnapshots } from './stored-snapshots.ts'

/** The documents in which it is recorded. */
export const declarationKeys = [ownKey('declaration'), ownKey('copies')]

/** `forgotten` are types of which a migration has left no document, and fields whose property it has removed. */
export async function confirmAll(declaration: Declaration, store: Store, forgotten: readonly string[] = []): Promise<void> {
  await confirmSnapshots(declaration, store)
  await keepDeclaration(declaration, store, () => [], forgotten)
}
