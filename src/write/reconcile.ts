// What was true when a document was worked out, and no longer was when it was written. A store that can
// read and write as one leaves no such gap. On one that cannot, a target may be renamed or deleted just
// then, by someone who did not find the new holder yet. Both changes are in the feed, and whichever is
// followed last finds the other: a new holder looks at its targets once more, and a document that is
// gone looks for whom it left behind.

import type { Declaration } from '../relations/declaration.ts'
import { targetOf, type DocumentType } from '../model/model.ts'
import { allPointers, pointersOf } from '../model/pointers.ts'
import { idsAlong, withoutId } from '../relations/pointers/walk-pointers.ts'
import type { Entry } from '../relations/maintenance.ts'
import type { Changeset } from './changeset.ts'
import { deleteAll, pointing } from './deletion.ts'
import type { Effects } from './effects.ts'

/** Makes a document that points at others agree with how they are now. */
export async function lookAgain(declaration: Declaration, effects: Effects, changes: Changeset, entry: Entry): Promise<void> {
  const { model } = declaration
  const type = entry.type!
  let body = entry.after!
  for (const { field, trail } of pointersOf(model, type)) {
    const target = targetOf(model, field)
    const ids = [...idsAlong(body, trail)]
    const found = await changes.read(ids.map((id) => ({ type: target, id })))
    const missing = ids.filter((_, index) => !found[index]?.after)
    if (missing.length > 0 && field.storage.onDelete === 'CASCADE') return deleteAll(declaration, effects, changes, entry)
    // One that may not be lost stays, and `check` tells of it.
    if (field.storage.onDelete === 'SET_NULL') body = missing.reduce((rest, id) => withoutId(rest, trail, id), body)
    for (const one of found) if (one?.after) body = await effects.renew(type, body, one, changes)
  }
  const settled = effects.settle(type, body)
  if (JSON.stringify(settled) !== JSON.stringify(entry.after)) changes.put(type, settled, entry)
}

/** Lets go whoever points at a document that is gone. */
export async function letGo(declaration: Declaration, effects: Effects, changes: Changeset, type: DocumentType, id: string): Promise<void> {
  for (const pointer of allPointers(declaration.model)) {
    const { field, holder, trail } = pointer
    if (field.target !== type.name || field.storage.onDelete === 'RESTRICT') continue
    for (const found of await pointing(pointer, id, changes)) {
      const current = changes.pending(found) ?? found
      if (!current.after) continue
      if (field.storage.onDelete === 'CASCADE') await deleteAll(declaration, effects, changes, current)
      else changes.put(holder, effects.settle(holder, withoutId(current.after, trail, id)), current)
    }
  }
}
