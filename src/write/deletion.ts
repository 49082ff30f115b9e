// Deletes a document and applies `onDelete` to the references to it: RESTRICT refuses the deletion, SET_NULL removes the
// reference, CASCADE deletes the referencing document too.

import type { Declaration } from '../relations/declaration.ts'
import { clientError } from '../graphql-errors.ts'
import { allPointers, type Pointer } from '../model/pointers.ts'
import { kindOf } from '../relations/index.ts'
import { storedId } from '../relations/pointers/by-id.ts'
import { idsAlong, withoutId } from '../relations/pointers/walk-pointers.ts'
import type { Entry } from '../relations/maintenance.ts'
import type { Changeset } from './changeset.ts'
import type { Effects } from './effects.ts'
import type { Permission } from './permission.ts'

/** Collects all cascading deletions first, so that a document that is deleted as well never restricts another deletion. */
export async function deleteCascading(declaration: Declaration, effects: Effects, changes: Changeset, first: Entry, permission?: Permission): Promise<void> {
  const pointers = allPointers(declaration.model)
  const deleted: Entry[] = []
  // It grows while it is read.
  const queue = [first]
  for (const entry of queue) {
    const known = changes.pending(entry)
    if (known && !known.after) continue
    const turn = changes.slice.next()
    if (turn) await turn
    await deleteParts(declaration, changes, entry)
    changes.delete(entry)
    deleted.push(entry)
    for (const pointer of pointersTo(entry, pointers, 'CASCADE')) for (const found of await findReferencing(pointer, entry.key.id, changes)) queue.push(found)
  }
  for (const entry of deleted) {
    for (const pointer of pointersTo(entry, pointers, 'RESTRICT')) await checkNotReferenced(pointer, entry, changes, permission)
    for (const pointer of pointersTo(entry, pointers, 'SET_NULL')) {
      for (const found of await findReferencing(pointer, entry.key.id, changes)) {
        changes.put(pointer.holder, effects.settle(pointer.holder, withoutId(found.after!, pointer.trail, entry.key.id)), found)
        const turn = changes.slice.next()
        if (turn) await turn
      }
    }
  }
}

/** The documents that reference a document through this pointer. */
export async function findReferencing({ holder, field, path, trail }: Pointer, id: string, changes: Changeset, max = Infinity): Promise<Entry[]> {
  // An index covers all shapes of a union, so documents that it finds are checked for the right shape.
  const shaped = trail.some(({ has }) => has !== undefined)
  const found = await changes.find(holder, { op: 'eq', path, value: storedId(field)(id) }, shaped ? Infinity : max)
  return shaped ? found.filter(({ after }) => idsAlong(after!, trail).has(id)).slice(0, max) : found
}

function pointersTo({ type }: Entry, pointers: readonly Pointer[], onDelete: Pointer['field']['storage']['onDelete']): Pointer[] {
  return pointers.filter(({ field }) => field.target === type!.name && field.storage.onDelete === onDelete)
}

async function checkNotReferenced(pointer: Pointer, { key, type }: Entry, changes: Changeset, permission: Permission | undefined): Promise<void> {
  const [found] = await findReferencing(pointer, key.id, changes, 1)
  if (!found) return
  if (permission?.sees(found) === false) throw clientError('REFERENCED', `${type!.name} ${key.id} cannot be deleted: a document that you cannot see references it.`)
  throw clientError('REFERENCED', `${type!.name} ${key.id} cannot be deleted: ${pointer.holder.name} ${found.key.id} references it in ${pointer.field.coordinate}. Change or delete that first.`)
}

/** Buckets go with the document whose list they hold. */
async function deleteParts({ model }: Declaration, changes: Changeset, { type, container, after }: Entry): Promise<void> {
  for (const field of type!.fields.values()) {
    for (const key of kindOf(field).parts?.(field, after!, model) ?? []) changes.delete(await changes.readAt(container, key))
  }
}
