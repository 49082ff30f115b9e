// Deleting a document, and deciding what becomes of those that point at it: the deletion is refused,
// the pointer is emptied, or the pointing document goes too, as each pointer declares.

import type { Declaration } from '../relations/declaration.ts'
import { clientError } from '../errors.ts'
import { allPointers, type Pointer } from '../model/pointers.ts'
import { kindOf } from '../relations/index.ts'
import { storedId } from '../relations/pointers/by-id.ts'
import { idsAlong, withoutId } from '../relations/pointers/walk-pointers.ts'
import type { Entry } from '../relations/maintenance.ts'
import type { Changeset } from './changeset.ts'
import type { Effects } from './effects.ts'
import type { Permission } from './permission.ts'

/** First all that goes, so that what goes itself is nobody's reason to refuse; then what stays. */
export async function deleteAll(declaration: Declaration, effects: Effects, changes: Changeset, first: Entry, permission?: Permission): Promise<void> {
  const pointers = allPointers(declaration.model)
  const going: Entry[] = []
  const queue = [first]
  for (let entry = queue.shift(); entry; entry = queue.shift()) {
    const known = changes.pending(entry)
    if (known && !known.after) continue
    await deleteParts(declaration, changes, entry)
    changes.delete(entry)
    going.push(entry)
    for (const pointer of pointersTo(entry, pointers, 'CASCADE')) queue.push(...(await pointing(pointer, entry.key.id, changes)))
  }
  for (const entry of going) {
    for (const pointer of pointersTo(entry, pointers, 'RESTRICT')) await refuse(pointer, entry, changes, permission)
    for (const pointer of pointersTo(entry, pointers, 'SET_NULL')) {
      for (const found of await pointing(pointer, entry.key.id, changes)) {
        changes.put(pointer.holder, effects.settle(pointer.holder, withoutId(found.after!, pointer.trail, entry.key.id)), found)
      }
    }
  }
}

function pointersTo({ type }: Entry, pointers: readonly Pointer[], onDelete: Pointer['field']['storage']['onDelete']): Pointer[] {
  return pointers.filter(({ field }) => field.target === type!.name && field.storage.onDelete === onDelete)
}

async function refuse(pointer: Pointer, { key, type }: Entry, changes: Changeset, permission: Permission | undefined): Promise<void> {
  const [found] = await pointing(pointer, key.id, changes, 1)
  if (!found) return
  if (permission?.sees(found) === false) throw clientError('REFERENCED', `${type!.name} ${key.id} cannot be deleted: something that is not yours to see points at it.`)
  throw clientError('REFERENCED', `${type!.name} ${key.id} cannot be deleted: ${pointer.holder.name} ${found.key.id} points at it through ${pointer.field.coordinate}. Change or delete that first.`)
}

/** Who points at a document through this pointer. */
export async function pointing({ holder, field, path, trail }: Pointer, id: string, changes: Changeset, most = Infinity): Promise<Entry[]> {
  // An index does not see which shape an object has, so what it finds is looked at once more.
  const shaped = trail.some(({ has }) => has !== undefined)
  const found = await changes.find(holder, { op: 'eq', path, value: storedId(field)(id) }, shaped ? Infinity : most)
  return shaped ? found.filter(({ after }) => idsAlong(after!, trail).has(id)).slice(0, most) : found
}

async function deleteParts({ model }: Declaration, changes: Changeset, { type, container, after }: Entry): Promise<void> {
  for (const field of type!.fields.values()) {
    for (const key of kindOf(field).parts?.(field, after!, model) ?? []) changes.delete(await changes.readAt(container, key))
  }
}
