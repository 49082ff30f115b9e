// What a document pointed at before, and no longer does. The change feed shows only how a document is
// now, so whoever writes it leaves a note in `_left`, property by property, of those who have to be
// told that they are no longer meant. The propagator removes the note once they know.

import type { Model } from '../model/model.ts'
import { pointersOf } from '../model/pointers.ts'
import { idsHeld } from '../relations/by-id.ts'
import type { Body } from '../store/store.ts'
import type { Changeset } from './changeset.ts'

export type Left = Readonly<Record<string, readonly string[]>>

/** Adds the notes to everything that a changeset changes. */
export function rememberLeft(model: Model, changes: Changeset): void {
  for (const entry of changes.entries) {
    const { type, before, after } = entry
    if (!type || !before || !after) continue
    const left = { ...leftIn(before) } as Record<string, readonly string[]>
    for (const { field, trail } of pointersOf(model, type)) {
      // Nothing is kept of pointers inside contained objects, so nobody has to be told of them.
      if (trail.length > 1) continue
      const { at } = field.storage
      const now = new Set(idsHeld(field, after))
      const gone = [...new Set([...(left[at] ?? []), ...idsHeld(field, before)])].filter((id) => !now.has(id))
      if (gone.length > 0) left[at] = gone
      else delete left[at]
    }
    const { _left: _, ...body } = after
    changes.set({ ...entry, after: Object.keys(left).length > 0 ? { ...body, _left: left } : body })
  }
}

/** The note as a body that holds nothing but the pointers that were left. */
export function leftIn(body: Body): Body {
  return (body['_left'] ?? {}) as Body
}
