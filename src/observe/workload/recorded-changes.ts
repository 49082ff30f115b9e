// What is recorded of a write: types, names of changed fields, the number of documents rewritten as effects, and sizes. Never
// a value.

import type { Declaration } from '../../relations/declaration.ts'
import type { DocumentType, Field } from '../../model/model.ts'
import type { Body } from '../../model/json/json.ts'
import type { Entry } from '../../relations/maintenance.ts'
import type { Tally } from './tally.ts'
import type { RecordedType } from './workload.ts'

/** The first `own` entries are the changes of the mutation itself, the others its effects. */
export function recordChanges(tally: Tally, declaration: Declaration, entries: readonly Entry[], own: number): void {
  for (const [index, entry] of entries.entries()) {
    const { type, before, after } = entry
    if (!type || (!before && !after)) continue
    const changed = before && after ? changedFields(declaration, type, before, after) : []
    const isEffect = index >= own
    if (isEffect) for (const name of changed) tally.relation(`${type.name}.${name}`, { rewritten: 1 })
    tally.type(type.name, { ...kindOfChange(before, after, changed, isEffect), ...measured(after), lists: listsIn(type, before, after) })
  }
}

function kindOfChange(before: Body | undefined, after: Body | undefined, changed: readonly string[], isEffect: boolean): Partial<RecordedType> {
  if (isEffect) return { rewritten: 1 }
  if (!before) return { created: 1 }
  return after ? { updated: { [changed.join()]: 1 } } : { deleted: 1 }
}

function measured(after: Body | undefined): Partial<RecordedType> {
  return after ? { measured: 1, bytes: Buffer.byteLength(JSON.stringify(after)) } : {}
}

/** Fields whose value a reader would see change, including derived ones. */
function changedFields({ prepared }: Declaration, type: DocumentType, before: Body, after: Body): string[] {
  return [...type.fields.values()].filter((field) => {
    const found = prepared(field)
    const value = (body: Body) => ('value' in found ? found.value(body) : 'at' in field.storage ? body[field.storage.at] : undefined)
    return JSON.stringify(value(before)) !== JSON.stringify(value(after))
  }).map(({ name }) => name).toSorted()
}

function listsIn(type: DocumentType, before: Body | undefined, after: Body | undefined): RecordedType['lists'] {
  if (!after) return {}
  return Object.fromEntries([...type.fields.values()].flatMap((field) => {
    const [now, was] = [lengthOf(field, after), lengthOf(field, before)]
    return now > 0 ? [[field.name, { grown: before ? Math.max(0, now - was) : 0, longest: now }]] : []
  }))
}

function lengthOf({ shape, storage }: Field, body: Body | undefined): number {
  const list = shape === 'list' && 'at' in storage ? body?.[storage.at] : undefined
  return Array.isArray(list) ? list.length : 0
}
