// Deleting documents, and deciding what becomes of those that point at them: the deletion is refused,
// the pointer is emptied, or the pointing document goes too, as each pointer declares.

import type { Declaration } from '../declaration.ts'
import { badInput, clientError } from '../errors.ts'
import type { DocumentType } from '../model/model.ts'
import { allPointers, type Pointer } from '../model/pointers.ts'
import { kindOf } from '../relations/index.ts'
import { storedId } from '../relations/by-id.ts'
import type { Body, Json } from '../store/store.ts'
import type { Changeset, Entry } from './changeset.ts'

export async function deleteAll(declaration: Declaration, changes: Changeset, doomed: readonly Entry[]): Promise<void> {
  const queue = [...doomed]
  for (let entry = queue.shift(); entry; entry = queue.shift()) {
    if (changes.pending(entry) && !changes.pending(entry)!.after) continue
    await deleteParts(declaration, changes, entry)
    changes.delete(entry)
    for (const pointer of allPointers(declaration.model).filter(({ field }) => field.target === entry.type!.name)) {
      queue.push(...(await releasePointers(pointer, entry, changes)))
    }
  }
}

/** What else has to go because of this pointer. */
async function releasePointers(pointer: Pointer, { key, type }: Entry, changes: Changeset): Promise<Entry[]> {
  const { holder, field, path } = pointer
  const pointing = { op: 'eq', path, value: storedId(field)(key.id) } as const
  const { onDelete } = field.storage
  if (onDelete === 'RESTRICT') {
    const [found] = await changes.find(holder, pointing, 1)
    if (!found) return []
    throw clientError('REFERENCED', `${type!.name} ${key.id} cannot be deleted: ${holder.name} ${found.key.id} points at it through ${field.coordinate}. Change or delete that first.`)
  }
  const found = await changes.find(holder, pointing)
  if (onDelete === 'CASCADE') return found
  for (const entry of found) changes.put(holder, without(entry.after!, pointer, key.id, holder), entry)
  return []
}

/** The document with the pointer emptied, wherever in it the pointer is. */
function without(body: Body, { trail, field }: Pointer, id: string, holder: DocumentType): Body {
  const emptied = (value: Json | undefined, [step, ...rest]: Pointer['trail']): Json | undefined => {
    if (!step) return Array.isArray(value) ? value.filter((entry) => idOf(entry) !== id) : idOf(value) === id ? empty(field, holder) : value
    const at = 'at' in step.storage ? step.storage.at : step.name
    if (Array.isArray(value)) return value.map((element) => emptied(element, [step, ...rest]) ?? null)
    return typeof value === 'object' && value !== null ? { ...(value as Body), [at]: emptied((value as Body)[at], rest) } : value
  }
  return emptied(body, trail) as Body
}

function empty(field: Pointer['field'], holder: DocumentType): null {
  if (field.required) throw badInput(`${field.coordinate} may not be empty, so ${holder.name} documents cannot lose it. Declare onDelete: CASCADE or RESTRICT.`)
  return null
}

function idOf(entry: Json | undefined): string {
  return String(typeof entry === 'object' && entry !== null && 'id' in entry ? entry['id'] : entry)
}

async function deleteParts({ model }: Declaration, changes: Changeset, { type, container, after }: Entry): Promise<void> {
  for (const field of type!.fields.values()) {
    for (const key of kindOf(field).parts?.(field, after!, model) ?? []) changes.delete(await changes.readAt(container, key))
  }
}
