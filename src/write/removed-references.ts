// What a document pointed at before, and no longer does. The change feed shows only how a document is
// now, so whoever writes it leaves a note, property by property, of those who have to be told that they
// are no longer meant: in `_left`, as long as the document is there, and beside it once it is gone. The
// propagator removes the note when they know.

import { createHash } from 'node:crypto'
import { keyText, type Key } from '../model/keys/key.ts'
import type { DocumentType, Model } from '../model/model.ts'
import { pointersOf, type PointerField } from '../model/pointers.ts'
import { ownBody, ownContainer, ownKey } from '../store/own-container.ts'
import { idsHeld } from '../relations/pointers/by-id.ts'
import type { Body } from '../model/json/json.ts'
import type { Entry } from '../relations/maintenance.ts'
import type { Changeset } from './changeset.ts'

type Left = Readonly<Record<string, readonly string[]>>

/** Adds the notes to everything that a changeset changes. */
export async function rememberLeft(model: Model, changes: Changeset): Promise<void> {
  for (const entry of changes.entries) {
    if (entry.type) await rememberOne(model, entry.type, entry, changes)
  }
}

/** The note as a body that holds nothing but the pointers that were left. */
export function leftIn(body: Body): Body {
  return (body['_left'] ?? {}) as Body
}

/** The note of a document that is gone. */
export function readNote(changes: Changeset, container: string, key: Key): Promise<Entry> {
  // Hashed, because a key may hold what an id may not.
  const id = `gone-${createHash('sha256').update(`${container} ${keyText(key)}`).digest('base64url')}`
  return changes.readAt(ownContainer, ownKey(id))
}

async function rememberOne(model: Model, type: DocumentType, entry: Entry, changes: Changeset): Promise<void> {
  const { before, after, container, key } = entry
  const note = before && after ? undefined : await readNote(changes, container, key)
  const left = leftBehind(keptPointers(model, type), [before, ...(note?.after ? [note.after] : [])], after)
  if (note) changes.set({ ...note, after: after ? undefined : ownBody(note.key, { _left: left }) })
  if (!after) return
  const { _left: _, ...body } = after
  changes.set({ ...entry, after: Object.keys(left).length > 0 ? { ...body, _left: left } : body })
}

/** Whom the document pointed at, and does not any more. */
function leftBehind(pointers: readonly PointerField[], past: readonly (Body | undefined)[], now: Body | undefined): Left {
  const left: Record<string, readonly string[]> = {}
  for (const field of pointers) {
    const { at } = field.storage
    const meant = new Set(now ? idsHeld(field, now) : [])
    const ids = past.flatMap((body) => (body ? [...idsHeld(field, body), ...((leftIn(body)[at] ?? []) as readonly string[])] : []))
    const gone = [...new Set(ids)].filter((id) => !meant.has(id))
    if (gone.length > 0) left[at] = gone
  }
  return left
}

/** Nothing is kept of pointers inside contained objects, so nobody has to be told of those. */
function keptPointers(model: Model, type: DocumentType): PointerField[] {
  return pointersOf(model, type).filter(({ trail }) => trail.length === 1).map(({ field }) => field)
}
