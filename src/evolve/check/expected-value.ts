// The value that a field should have, computed from the documents it depends on, whatever is stored now.

import { targetOf, type Field } from '../../model/model.ts'
import { isPointer } from '../../model/pointers.ts'
import { idsHeld } from '../../relations/pointers/by-id.ts'
import { kindOf } from '../../relations/kinds.ts'
import type { KindContext } from '../../relations/kind.ts'
import type { View } from '../../relations/maintenance.ts'
import type { Body, Json } from '../../model/json/json.ts'

/** Undefined for a field that depends on no other document, or that references a missing one. */
export async function expectedValue(field: Field, body: Body, view: View, kindContext: KindContext): Promise<Json | undefined> {
  const kind = kindOf(field)
  if (!isPointer(field)) return kind.truth && 'at' in field.storage ? (await kind.truth(field, body, view, kindContext))[field.storage.at] : undefined
  // What a write would store today for the same ids. So a field that the schema copies since, or ids stored as text
  // where numbers are declared, count as a mismatch too.
  const ids = idsHeld(field, body)
  const targets = await view.read(ids.map((id) => ({ type: targetOf(kindContext.model, field), id })))
  const documents = new Map(ids.map((id, index) => [id, targets[index]?.after]))
  return targets.every((target) => target?.after) ? kind.point!(field, ids, (id) => documents.get(id)!, kindContext) : undefined
}
