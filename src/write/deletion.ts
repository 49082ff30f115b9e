// Deletes a document and applies `onDelete` to the references to it: RESTRICT refuses the deletion, SET_NULL removes the
// reference, CASCADE deletes the referencing document too.

import type { Declaration } from '../relations/declaration.ts'
import { clientError } from '../graphql-errors.ts'
import { keyText } from '../model/keys/key.ts'
import { allPointers, type Pointer } from '../model/pointers.ts'
import { kindOf } from '../relations/kinds.ts'
import { storedId } from '../relations/pointers/by-id.ts'
import { idsAlong, withoutId } from '../relations/pointers/walk-pointers.ts'
import type { Entry } from '../relations/maintenance.ts'
import type { Changeset } from './changeset.ts'
import type { Effects } from './effects.ts'
import type { Permission } from './permission.ts'

/**
 * Collects all cascading deletions first, so that a document that is deleted as well never restricts another deletion. The documents of one level,
 * which all reference documents of the level before, are found together: the number of waves depends on the depth of the cascade, not on its size.
 */
export async function deleteCascading(declaration: Declaration, effects: Effects, changes: Changeset, first: Entry, permission?: Permission): Promise<void> {
  const pointers = allPointers(declaration.model)
  const deleted: Entry[] = []
  for (let level = [first]; level.length > 0;) {
    const added = await deleteLevel(declaration, changes, level)
    deleted.push(...added)
    level = (await Promise.all(referencesTo(added, pointers, 'CASCADE').map(({ pointer, ids }) => findReferencing(pointer, ids, changes)))).flat()
  }
  for (const { pointer, ids } of referencesTo(deleted, pointers, 'RESTRICT')) await checkNotReferenced(pointer, ids, changes, permission)
  for (const { pointer, ids } of referencesTo(deleted, pointers, 'SET_NULL')) {
    const gone = new Set(ids)
    for (const found of await findReferencing(pointer, ids, changes)) {
      const held = [...idsAlong(found.after!, pointer.trail)].filter((id) => gone.has(id))
      const without = held.reduce((body, id) => withoutId(body, pointer.trail, id), found.after!)
      changes.put(pointer.holder, effects.settle(pointer.holder, without), found)
      const turn = changes.slice.next()
      if (turn) await turn
    }
  }
}

/** Deletes the documents of a level that are not deleted yet, and returns them. */
async function deleteLevel(declaration: Declaration, changes: Changeset, level: readonly Entry[]): Promise<Entry[]> {
  const added: Entry[] = []
  for (const entry of level) {
    const known = changes.pending(entry)
    if (known && !known.after) continue
    const turn = changes.slice.next()
    if (turn) await turn
    changes.delete(entry)
    added.push(entry)
  }
  await deleteParts(declaration, changes, added)
  return added
}

/** Longer lists of ids are asked for in several queries at once. */
const maxIdsPerQuery = 100

/** The documents that reference one of these documents through this pointer. */
export async function findReferencing(pointer: Pointer, ids: readonly string[], changes: Changeset, max = Infinity): Promise<Entry[]> {
  const chunks = Array.from({ length: Math.ceil(ids.length / maxIdsPerQuery) }, (_, chunk) => ids.slice(chunk * maxIdsPerQuery, (chunk + 1) * maxIdsPerQuery))
  const found = (await Promise.all(chunks.map((some) => findSome(pointer, some, changes, max)))).flat()
  if (chunks.length < 2) return found
  // A document may reference several of them.
  return [...new Map(found.map((entry) => [keyText(entry.key), entry])).values()].slice(0, max)
}

async function findSome({ holder, field, path, trail }: Pointer, ids: readonly string[], changes: Changeset, max: number): Promise<Entry[]> {
  const values = ids.map(storedId(field))
  // An index covers all shapes of a union, so documents that it finds are checked for the right shape.
  const shaped = trail.some(({ has }) => has !== undefined)
  const found = await changes.find(holder, values.length === 1 ? { op: 'eq', path, value: values[0]! } : { op: 'in', path, values }, shaped ? Infinity : max)
  return shaped ? found.filter(({ after }) => ids.some((id) => idsAlong(after!, trail).has(id))).slice(0, max) : found
}

/** The pointers with this rule to some of the documents, and the ids of those. */
function referencesTo(entries: readonly Entry[], pointers: readonly Pointer[], onDelete: Pointer['field']['storage']['onDelete']): { pointer: Pointer; ids: string[] }[] {
  return pointers.filter(({ field }) => field.storage.onDelete === onDelete).flatMap((pointer) => {
    const ids = entries.filter(({ type }) => type!.name === pointer.field.target).map(({ key }) => key.id)
    return ids.length > 0 ? [{ pointer, ids }] : []
  })
}

async function checkNotReferenced(pointer: Pointer, ids: readonly string[], changes: Changeset, permission: Permission | undefined): Promise<void> {
  const [found] = await findReferencing(pointer, ids, changes, 1)
  if (!found) return
  const held = idsAlong(found.after!, pointer.trail)
  const [type, id] = [pointer.field.target, ids.find((each) => held.has(each))]
  if (permission?.sees(found) === false) throw clientError('REFERENCED', `${type} ${id} cannot be deleted: a document that you cannot see references it.`)
  throw clientError('REFERENCED', `${type} ${id} cannot be deleted: ${pointer.holder.name} ${found.key.id} references it in ${pointer.field.coordinate}. Change or delete that first.`)
}

/** Buckets go with the document whose list they hold. */
async function deleteParts({ model }: Declaration, changes: Changeset, entries: readonly Entry[]): Promise<void> {
  const parts = entries.flatMap(({ type, container, after }) => [...type!.fields.values()].flatMap((field) => (kindOf(field).parts?.(field, after!, model) ?? []).map((key) => ({ container, key }))))
  for (const [container, some] of Map.groupBy(parts, (part) => part.container)) {
    for (const part of await changes.readAllAt(container, some.map(({ key }) => key))) changes.delete(part)
  }
}
