// Deleting a document, and deciding what becomes of those that point at it: the deletion is refused,
// the pointer is emptied, or the pointing document goes too, as each pointer declares.

import type { Declaration } from '../declaration.ts'
import { clientError } from '../errors.ts'
import type { Field } from '../model/model.ts'
import { allPointers, type Pointer } from '../model/pointers.ts'
import { kindOf } from '../relations/index.ts'
import { storedId } from '../relations/by-id.ts'
import type { Body, Json } from '../store/store.ts'
import type { Changeset, Entry } from './changeset.ts'
import type { Effects } from './effects.ts'

/** First all that goes, so that what goes itself is nobody's reason to refuse; then what stays. */
export async function deleteAll(declaration: Declaration, effects: Effects, changes: Changeset, first: Entry): Promise<void> {
  const pointers = allPointers(declaration.model)
  const going: Entry[] = []
  const queue = [first]
  for (let entry = queue.shift(); entry; entry = queue.shift()) {
    if (changes.pending(entry)?.after === undefined && changes.pending(entry)) continue
    await deleteParts(declaration, changes, entry)
    changes.delete(entry)
    going.push(entry)
    for (const pointer of pointersTo(entry, pointers, 'CASCADE')) queue.push(...(await pointing(pointer, entry, changes)))
  }
  for (const entry of going) {
    for (const pointer of pointersTo(entry, pointers, 'RESTRICT')) await refuse(pointer, entry, changes)
    for (const pointer of pointersTo(entry, pointers, 'SET_NULL')) {
      for (const { key, container, ...found } of await pointing(pointer, entry, changes)) {
        const emptied = without(found.after, pointer.trail, entry.key.id)
        changes.put(pointer.holder, effects.settle(pointer.holder, emptied as Body), { key, container, ...found })
      }
    }
  }
}

function pointersTo({ type }: Entry, pointers: readonly Pointer[], onDelete: Pointer['field']['storage']['onDelete']): Pointer[] {
  return pointers.filter(({ field }) => field.target === type!.name && field.storage.onDelete === onDelete)
}

async function refuse(pointer: Pointer, { key, type }: Entry, changes: Changeset): Promise<void> {
  const [found] = await pointing(pointer, { key }, changes, 1)
  if (!found) return
  throw clientError('REFERENCED', `${type!.name} ${key.id} cannot be deleted: ${pointer.holder.name} ${found.key.id} points at it through ${pointer.field.coordinate}. Change or delete that first.`)
}

/** Who points at a document through this pointer. */
async function pointing({ holder, field, path, trail }: Pointer, { key }: Pick<Entry, 'key'>, changes: Changeset, most = Infinity): Promise<Entry[]> {
  // An index does not see which shape an object has, so what it finds is looked at once more.
  const shaped = trail.some(({ has }) => has !== undefined)
  const found = await changes.find(holder, { op: 'eq', path, value: storedId(field)(key.id) }, shaped ? Infinity : most)
  return shaped ? found.filter(({ after }) => JSON.stringify(without(after, trail, key.id)) !== JSON.stringify(after)) : found
}

/** The same value with the pointer emptied, wherever in it the pointer is. */
function without(value: Json | undefined, [step, ...rest]: Pointer['trail'], id: string): Json | undefined {
  if (!step) return Array.isArray(value) ? value.filter((entry) => idOf(entry) !== id) : idOf(value) === id ? null : value
  if (Array.isArray(value)) return value.map((element) => without(element, [step, ...rest], id) ?? null)
  if (typeof value !== 'object' || value === null) return value
  const holder = value as Body
  const at = propertyOf(step.field)
  if ((step.has !== undefined && holder[step.has] === undefined) || holder[at] === undefined) return value
  return { ...holder, [at]: without(holder[at], rest, id) }
}

function propertyOf(field: Field): string {
  return 'at' in field.storage ? field.storage.at : field.name
}

function idOf(entry: Json | undefined): string {
  return String(typeof entry === 'object' && entry !== null && 'id' in entry ? entry['id'] : entry)
}

async function deleteParts({ model }: Declaration, changes: Changeset, { type, container, after }: Entry): Promise<void> {
  for (const field of type!.fields.values()) {
    for (const key of kindOf(field).parts?.(field, after!, model) ?? []) changes.delete(await changes.readAt(container, key))
  }
}
