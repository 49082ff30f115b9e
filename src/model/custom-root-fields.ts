// The root fields that a schema adds to those that Quire generates. Resolvers answer them.

import { Kind, type DocumentNode, type FieldDefinitionNode } from 'graphql'
import { mutationsOf } from './api/generated-mutations.ts'
import { aggregateName } from './api/aggregates.ts'
import type { Model } from './model.ts'
import { uniqueFields } from './values/unique.ts'

const roots = new Set(['Query', 'Mutation', 'Subscription'])

/** The `Type.field` of each, in the order of the SDL. */
export function ownRootFields(sdl: DocumentNode): string[] {
  return sdl.definitions.flatMap((node) => {
    const isRoot = (node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.OBJECT_TYPE_EXTENSION) && roots.has(node.name.value)
    return isRoot ? (node.fields ?? []).map((field: FieldDefinitionNode) => `${node.name.value}.${field.name.value}`) : []
  })
}

/** Two fields of the same name would be one field with two meanings. */
export function checkOwnRootFields(fields: readonly string[], model: Model): string[] {
  const generated = new Map([...model.documents.values()].flatMap((type) =>
    [`Query.${type.singular}`, `Query.${type.plural}`, `Query.${aggregateName(type.plural)}`, ...uniqueFields(type).map(({ rootField }) => `Query.${rootField}`), ...mutationsOf(type).map(({ field }) => `Mutation.${field}`), ...(type.subscribable ? [`Subscription.${type.singular}Changed`] : [])].map((field) => [field, type.name] as const)))
  return fields.flatMap((field) => {
    const type = generated.get(field)
    return type === undefined ? [] : [`${field}: Quire generates a field of this name for ${type}. Rename yours${field === `Query.${model.documents.get(type)!.plural}` ? `, or give ${type} another name with @document(plural: "…")` : ''}.`]
  })
}
