// Repairs races between two writers on a store without one atomic scope. A document can store a reference to a target
// that is renamed or deleted in the same moment by a writer that does not see the new reference yet. Both changes are in
// the feed, and whichever the propagator reads last finds the other: a changed document compares its references with
// their targets, and a deleted document looks for references to it. Until then the snapshot is stale or the reference
// dangles, and the watermark lies before both changes.

import type { Declaration } from '../relations/declaration.ts'
import { targetOf, type DocumentType } from '../model/model.ts'
import { allPointers, pointersOf } from '../model/pointers.ts'
import { idsAlong, withoutId } from '../relations/pointers/walk-pointers.ts'
import type { Entry } from '../relations/maintenance.ts'
import type { Changeset } from './changeset.ts'
import { deleteCascading, findReferencing } from './deletion.ts'
import type { Effects } from './effects.ts'

/** Brings the references of a changed document in line with their targets. */
export async function reconcileReferences(declaration: Declaration, effects: Effects, changes: Changeset, entry: Entry): Promise<void> {
  const { model } = declaration
  const type = entry.type!
  let body = entry.after!
  for (const { field, trail } of pointersOf(model, type)) {
    const target = targetOf(model, field)
    const ids = [...idsAlong(body, trail)]
    const found = await changes.read(ids.map((id) => ({ type: target, id })))
    const missing = ids.filter((_, index) => !found[index]?.after)
    if (missing.length > 0 && field.storage.onDelete === 'CASCADE') return deleteCascading(declaration, effects, changes, entry)
    // A RESTRICT reference stays, and `quire check` reports it as dangling.
    if (field.storage.onDelete === 'SET_NULL') body = missing.reduce((rest, id) => withoutId(rest, trail, id), body)
    for (const source of found) if (source?.after) body = await effects.refreshFrom(source, type, body, changes)
  }
  const settled = effects.settle(type, body)
  if (JSON.stringify(settled) !== JSON.stringify(entry.after)) changes.put(type, settled, entry)
}

/** Applies SET_NULL and CASCADE to references that a deletion did not see. */
export async function reconcileDeletion(declaration: Declaration, effects: Effects, changes: Changeset, type: DocumentType, id: string): Promise<void> {
  for (const pointer of allPointers(declaration.model)) {
    const { field, holder, trail } = pointer
    if (field.target !== type.name || field.storage.onDelete === 'RESTRICT') continue
    for (const found of await findReferencing(pointer, [id], changes)) {
      const current = changes.pending(found) ?? found
      if (!current.after) continue
      if (field.storage.onDelete === 'CASCADE') await deleteCascading(declaration, effects, changes, current)
      else changes.put(holder, effects.settle(holder, withoutId(current.after, trail, id)), current)
    }
  }
}
