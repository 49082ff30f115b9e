// The arguments `filter` and `orderBy` of lists within documents: `writer { posts(filter:, orderBy:, first:) }`. Which lists have them,
// and their SDL. plan/nested-list.ts reads their values.

import { Kind, parseType, visit, type DocumentNode, type FieldDefinitionNode, type InputValueDefinitionNode, type ObjectTypeDefinitionNode, type ObjectTypeExtensionNode } from 'graphql'
import { allFields, fieldAt, comesFrom, targetOf, type Field, type Model } from '../model.ts'
import { holdsIds, type PointerField } from '../pointers.ts'

export interface ListArgument {
  readonly name: 'filter' | 'orderBy' | 'first'
  readonly type: string
  readonly description: string
}

/** The arguments of a field's list; none where it cannot be filtered. */
export function listArguments(field: Field, model: Model): readonly ListArgument[] {
  const target = model.documents.get(field.target)
  if (!target || !(holdsIds(field) ? field.shape === 'list' : comesFrom(field, 'pointers') || (comesFrom(field, 'joining') && field.storage.filterUpTo !== undefined))) return []
  return [
    { name: 'filter', type: `${target.name}Filter`, description: 'Returns only documents that match.' },
    { name: 'orderBy', type: `[${target.name}Order!]`, description: 'The order of the list; its own if omitted.' },
    ...(field.shape === 'list' ? [{ name: 'first' as const, type: 'Int', description: 'Returns at most this many documents.' }] : []),
  ]
}

/** Where a list is found by a query for the documents that point at its holder: their pointer, and the field that they are ordered by. */
export function queriedList(field: Field, model: Model): { readonly pointer: PointerField; readonly ownOrder: Field } | undefined {
  if (!comesFrom(field, 'pointers')) return undefined
  const { of, orderBy = 'id' } = field.storage
  return { pointer: fieldAt(model, of) as PointerField, ownOrder: targetOf(model, field).fields.get(orderBy)! }
}

/** The SDL with these arguments. A field that has one of the same name keeps its own. */
export function withListArguments(sdl: DocumentNode, model: Model): DocumentNode {
  const added = new Map(allFields(model).map((field) => [field.coordinate, listArguments(field, model)]))
  const ofType = (node: ObjectTypeDefinitionNode | ObjectTypeExtensionNode) => {
    const fields = node.fields?.map((field) => withArguments(field, added.get(`${node.name.value}.${field.name.value}`) ?? []))
    return fields ? { ...node, fields } : undefined
  }
  return visit(sdl, { ObjectTypeDefinition: ofType, ObjectTypeExtension: ofType })
}

function withArguments(field: FieldDefinitionNode, added: readonly ListArgument[]): FieldDefinitionNode {
  const own = new Set(field.arguments?.map(({ name }) => name.value))
  const missing = added.filter(({ name }) => !own.has(name)).map(({ name, type, description }): InputValueDefinitionNode => ({
    kind: Kind.INPUT_VALUE_DEFINITION, name: { kind: Kind.NAME, value: name }, type: parseType(type), description: { kind: Kind.STRING, value: description },
  }))
  return missing.length === 0 ? field : { ...field, arguments: [...(field.arguments ?? []), ...missing] }
}
