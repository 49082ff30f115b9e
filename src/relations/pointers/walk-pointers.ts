// Finds the pointers inside a document: the ids it holds, and the same document without one of them. Deleting
// and checking documents both use this.

import type { Field } from '../../model/model.ts'
import type { Step } from '../../model/pointers.ts'
import { isBody, type Body, type Json } from '../../model/json/json.ts'

/** The path of fields from the top of a document to a pointer, which is the last step. */
export type Trail = readonly Step[]

/** All ids at the end of a trail, which may go through several lists. */
export function idsAlong(body: Body, trail: Trail): Set<string> {
  const ids = new Set<string>()
  changed(body, trail, (held) => {
    for (const entry of isList(held) ? held : [held]) ids.add(idOf(entry))
    return held
  })
  return ids
}

/** The document with that id removed from its list, or its pointer set to null. */
export function withoutId(body: Body, trail: Trail, id: string): Body {
  const empty = pointerOf(trail).shape === 'list' ? [] : null
  return changed(body, trail, (held) => (isList(held) ? held.filter((entry) => idOf(entry) !== id) : idOf(held) === id ? empty : held)) as Body
}

export function pointerOf(trail: Trail): Field {
  return trail.at(-1)!.field
}

/** The property that a field's value is stored under. */
export function propertyOf({ storage, name }: Field): string {
  return 'at' in storage ? storage.at : name
}

/** The id of a stored entry: a snapshot has one, a reference is one. Anything else gives an id that no document has. */
export function idOf(entry: Json): string {
  return typeof entry === 'string' ? entry : String(isBody(entry) ? entry['id'] : entry)
}

/** The holder, or list of holders, with the values at the end of the trail changed. Objects of another shape stay as they are. */
function changed(holder: Json | undefined, trail: Trail, change: (held: Json) => Json): Json | undefined {
  if (isList(holder)) return holder.map((each) => changed(each, trail, change) ?? null)
  const [step, ...rest] = trail
  if (!step || !isBody(holder) || (step.has !== undefined && holder[step.has] === undefined)) return holder
  const at = propertyOf(step.field)
  const held = holder[at]
  if (held === undefined || held === null) return holder
  return { ...holder, [at]: rest.length === 0 ? change(held) : changed(held, rest, change) }
}

/** `Array.isArray` does not narrow read-only lists. */
function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}
