// What a field of a document ought to keep of others, whatever it keeps now.

import { targetOf, type Field } from '../../model/model.ts'
import { isPointer } from '../../model/pointers.ts'
import { idsHeld } from '../../relations/pointers/by-id.ts'
import { kindOf } from '../../relations/index.ts'
import type { Tools } from '../../relations/kind.ts'
import type { View } from '../../relations/maintenance.ts'
import type { Body, Json } from '../../model/json/json.ts'

/** Undefined for a field that keeps nothing of others, or points at nothing and has to. */
export async function truthOf(field: Field, body: Body, view: View, tools: Tools): Promise<Json | undefined> {
  const { point, truth } = kindOf(field)
  if (!isPointer(field)) return truth && 'at' in field.storage ? (await truth(field, body, view, tools))[field.storage.at] : undefined
  // What would be written for the same ids today: so it is found too when the schema has begun to copy
  // a field, or the ids came in as text where they are to be numbers.
  const ids = idsHeld(field, body)
  const targets = await view.read(ids.map((id) => ({ type: targetOf(tools.model, field), id })))
  const documents = new Map(ids.map((id, index) => [id, targets[index]?.after]))
  return targets.every((target) => target?.after) ? point!(field, ids, (id) => documents.get(id)!, tools) : undefined
}
