// A query for everything that documents of a type hold, and what it must answer, from the stored documents alone.

import { isBody, type Body, type Json } from '../../../src/model/json/json.ts'
import { objectType, type DocumentType, type Field, type Model, type ObjectType } from '../../../src/model/model.ts'
import { holdsIds } from '../../../src/model/pointers.ts'

/** Every stored field of every document. Computed fields and connections are asked for too, and may answer anything. */
export function queryFor(model: Model, type: DocumentType): string {
  return `{ ${type.plural}(first: 100) { nodes { ${selectionOf(model, type, '')} } } }`
}

function selectionOf(model: Model, type: ObjectType, prefix: string): string {
  return [...type.fields.values()].map((field) => `${prefix}${field.name}: ${field.name}${insideOf(model, field)}`).join(' ')
}

function insideOf(model: Model, field: Field): string {
  if (field.leaf) return ''
  if (field.shape === 'connection') return ' { totalCount }'
  if (model.documents.has(field.target)) return ` { ${copiedOf(field).join(' ')} }`
  const shapes = model.unions.get(field.target)
  // Members may have fields of the same name and different types.
  if (shapes) return ` { __typename ${shapes.map((shape) => `... on ${shape.name} { ${selectionOf(model, shape, `${shape.name}_`)} }`).join(' ')} }`
  return ` { ${selectionOf(model, objectType(model, field.target)!, '')} }`
}

/** By id, as far as a document alone tells. */
export function expectedNode(model: Model, type: DocumentType, body: Body, exists: (target: DocumentType, id: string) => boolean): Record<string, Json> {
  return expectedObject(model, type, body, '', exists)
}

type Exists = Parameters<typeof expectedNode>[3]

function expectedObject(model: Model, type: ObjectType, body: Body, prefix: string, exists: Exists): Record<string, Json> {
  return Object.fromEntries([...type.fields.values()].filter(({ storage }) => 'at' in storage).map((field) => [`${prefix}${field.name}`, expectedField(model, field, body[(field.storage as { at: string }).at] ?? null, exists)]))
}

function expectedField(model: Model, field: Field, value: Json, exists: Exists): Json {
  if (holdsIds(field)) {
    const target = model.documents.get(field.target)!
    const all = (Array.isArray(value) ? (value as Json[]) : [value]).filter((entry) => entry !== null)
    const copied = copiedOf(field)
    // A snapshot that covers the selection is answered from itself.
    const shown = all.map((entry) => (isBody(entry) ? Object.fromEntries(copied.map((name) => [name, entry[name] ?? null])) : { id: String(entry) })).filter(({ id }) => copied.length > 1 || field.storage.kind === 'snapshot' || exists(target, String(id)))
    return field.shape === 'list' ? shown : (shown[0] ?? null)
  }
  if (field.shape === 'list') return Array.isArray(value) ? value.map((each) => expectedValue(model, field, each as Json, exists)) : []
  return expectedValue(model, field, value, exists)
}

function expectedValue(model: Model, field: Field, value: Json, exists: Exists): Json {
  if (field.leaf || value === null) return value
  const shapes = model.unions.get(field.target)
  const shape = shapes?.find(({ has }) => (value as Body)[has!] !== undefined)
  if (shape) return { __typename: shape.name, ...expectedObject(model, shape, value as Body, `${shape.name}_`, exists) }
  return expectedObject(model, objectType(model, field.target)!, value as Body, '', exists)
}

function copiedOf({ storage }: Field): string[] {
  return ['id', ...('fields' in storage ? storage.fields : [])]
}

/** Without what a document alone does not tell. */
export function onlyExpected(node: Record<string, unknown>, expected: Record<string, Json>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(expected).map((name) => [name, node[name]]))
}
