// The documents that a field links with, whatever the kind of relation is: ids in the document, ids in the other one, or joining
// documents. Migrations read links so, and write them as another kind stores them. The truth is read, and never a list that Quire
// maintains, which may be late. Everything goes through a view, so that the links of a page of documents are read together.

import type { Body, Json } from '../../model/json/json.ts'
import { comesFrom, fieldAt, storedPath, type DocumentType, type Field, type Model } from '../../model/model.ts'
import { isPointer, type PointerField } from '../../model/pointers.ts'
import type { StorageFrom } from '../../model/storages.ts'
import { farEnd, nearEnd } from '../joined.ts'
import type { View } from '../maintenance.ts'
import { idsHeld, storedId } from '../pointers/by-id.ts'

/** Whether a field links documents. */
export function isRelation(field: Field, model: Model): boolean {
  return model.documents.has(field.target) && comesFrom(field, 'ids', 'pointers', 'joining')
}

/** The pointer that a relation is read from, if it is one; joining documents have two. */
export function pointerBehind(field: Field, model: Model): PointerField | undefined {
  if (isPointer(field)) return field
  const other = comesFrom(field, 'pointers') ? field.storage.of : 'inverseOf' in field.storage ? field.storage.inverseOf : undefined
  return other === undefined ? undefined : (fieldAt(model, other) as PointerField | undefined)
}

/** The type of the joining documents of a relation. */
export function joiningType(field: Field, model: Model): DocumentType | undefined {
  return comesFrom(field, 'joining') ? model.documents.get(field.storage.through) : undefined
}

/** The two pointers of the joining documents of a relation: at its owner, and at what it links with. */
export function joiningEnds(field: Field, model: Model): readonly [near: PointerField, far: PointerField] | undefined {
  return comesFrom(field, 'joining') ? [nearEnd(field, model), farEnd(field, model)] : undefined
}

/** The ids that a document links with in a field, in the order of the pointer, or of the ids. */
export async function linksOf(field: Field, holder: Body, model: Model, view: View): Promise<readonly string[]> {
  const id = holder['id'] as string
  if (isPointer(field)) return distinct(idsHeld(field, holder))
  if (comesFrom(field, 'joining')) return joinedIds(field, model, view, nearEnd(field, model), farEnd(field, model), id)
  return holdersOf(pointerBehind(field, model)!, id, model, view)
}

/** The other direction: the ids of the documents that link with this one in a field. */
export async function linkedBy(field: Field, target: Body, model: Model, view: View): Promise<readonly string[]> {
  const id = target['id'] as string
  if (isPointer(field)) return holdersOf(field, id, model, view)
  if (comesFrom(field, 'joining')) return joinedIds(field, model, view, farEnd(field, model), nearEnd(field, model), id)
  return distinct(idsHeld(pointerBehind(field, model)!, target))
}

/** The same by the id alone; none where only the target knows who links with it. */
export async function linkedById(field: Field, id: string, model: Model, view: View): Promise<readonly string[]> {
  return isPointer(field) || comesFrom(field, 'joining') ? linkedBy(field, { id }, model, view) : []
}

async function holdersOf(pointer: PointerField, id: string, model: Model, view: View): Promise<readonly string[]> {
  const found = await view.find(model.documents.get(pointer.owner)!, { op: 'eq', path: storedPath(pointer)!, value: storedId(pointer)(id) })
  return distinct(found.map(({ after }) => after!['id'] as string))
}

async function joinedIds(field: Field<StorageFrom<'joining'>>, model: Model, view: View, from: PointerField, to: PointerField, id: string): Promise<readonly string[]> {
  const found = await view.find(joiningType(field, model)!, { op: 'eq', path: storedPath(from)!, value: storedId(from)(id) })
  return distinct(found.flatMap(({ after }) => idsHeld(to, after!)))
}

function distinct(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)]
}

/** What a field stores for these ids. A snapshot keeps what the old one of the same document had. */
export function pointersTo(field: PointerField, ids: readonly string[], old: Field | undefined, body: Body): readonly Json[] {
  if (!('fields' in field.storage)) return ids.map(storedId(field))
  const held = old && 'fields' in old.storage ? body[old.storage.at] : undefined
  const copies = new Map((Array.isArray(held) ? (held as readonly Body[]) : held ? [held as Body] : []).map((copy) => [copy['id'] as string, copy]))
  const names = new Set(['id', '_v', ...field.storage.fields])
  return ids.map((id) => Object.fromEntries(Object.entries(copies.get(id) ?? { id }).filter(([name]) => names.has(name))))
}
