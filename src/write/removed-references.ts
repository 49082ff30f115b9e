// References that a change took away. The change feed shows a document only as it is now, so a write that leaves its
// effects to the feed records which ids each property no longer references: in the document's `_left` property, or, once
// the document is deleted, in a removal record beside it. The inverse lists and counts of those ids are stale until the
// propagator has updated them; it then removes the record.

import { createHash } from 'node:crypto'
import { keyText, type Key } from '../model/keys/key.ts'
import type { DocumentType, Model } from '../model/model.ts'
import { pointersOf, type PointerField } from '../model/pointers.ts'
import { ownBody, ownContainer, ownKey } from '../store/own-container.ts'
import { idsHeld } from '../relations/pointers/by-id.ts'
import type { Body } from '../model/json/json.ts'
import type { Entry } from '../relations/maintenance.ts'
import type { Changeset } from './changeset.ts'

/** Ids by property. */
type RemovedReferences = Readonly<Record<string, readonly string[]>>

/** Records the removed references of every document that a changeset changes. */
export async function recordRemovedReferences(model: Model, changes: Changeset): Promise<void> {
  const { entries } = changes
  // In one wave, for the loop below.
  const records = entries.filter((entry) => entry.type && needsRecord(entry, changes)).map(({ container, key }) => recordKey(container, key))
  if (records.length > 1) await changes.readAllAt(ownContainer, records)
  for (const entry of entries) {
    if (entry.type) await recordIn(model, entry.type, entry, changes)
    const turn = changes.slice.next()
    if (turn) await turn
  }
}

/** The removed references as a body that has nothing but them. */
export function removedReferencesIn(body: Body): Body {
  return (body['_left'] ?? {}) as Body
}

/** The body once the propagator has handled its removed references. */
export function withoutRemovedReferences({ _left: _, ...body }: Body): Body {
  return body
}

/** The removal record of a deleted document. */
export function readRemovalRecord(changes: Changeset, container: string, key: Key): Promise<Entry> {
  return changes.readAt(ownContainer, recordKey(container, key))
}

/** Hashed, because a key may have characters that an id may not. */
function recordKey(container: string, key: Key): Key {
  return ownKey(`gone-${createHash('sha256').update(`${container} ${keyText(key)}`).digest('base64url')}`)
}

/** A document that is created or deleted. Under a new id nothing was ever deleted. */
function needsRecord(entry: Entry, changes: Changeset): boolean {
  return !entry.after || (!entry.before && changes.mayHaveBeen(entry))
}

async function recordIn(model: Model, type: DocumentType, entry: Entry, changes: Changeset): Promise<void> {
  const { before, after, container, key } = entry
  const record = needsRecord(entry, changes) ? await readRemovalRecord(changes, container, key) : undefined
  const removed = removedBetween(recordedPointers(model, type), [before, ...(record?.after ? [record.after] : [])], after)
  if (record) changes.set({ ...record, after: after ? undefined : ownBody(record.key, { _left: removed }) })
  if (!after) return
  const body = withoutRemovedReferences(after)
  changes.set({ ...entry, after: Object.keys(removed).length > 0 ? { ...body, _left: removed } : body })
}

/** The ids that the document referenced before, or that are still recorded as removed, and that it does not reference now. */
function removedBetween(pointers: readonly PointerField[], past: readonly (Body | undefined)[], now: Body | undefined): RemovedReferences {
  const removed: Record<string, readonly string[]> = {}
  for (const field of pointers) {
    const { at } = field.storage
    const current = new Set(now ? idsHeld(field, now) : [])
    const ids = past.flatMap((body) => (body ? [...idsHeld(field, body), ...((removedReferencesIn(body)[at] ?? []) as readonly string[])] : []))
    const gone = [...new Set(ids)].filter((id) => !current.has(id))
    if (gone.length > 0) removed[at] = gone
  }
  return removed
}

/** Only references at the top level of a document can have inverse lists and counts. */
function recordedPointers(model: Model, type: DocumentType): PointerField[] {
  return pointersOf(model, type).filter(({ trail }) => trail.length === 1).map(({ field }) => field)
}
