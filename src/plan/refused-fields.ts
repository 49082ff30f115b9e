// What the rules refuse of an operation before any of it runs: fields, and whatever leads to what a viewer may
// not see. What only a document can say is left to the reads.

import { getNamedType, isObjectType, type GraphQLError, type GraphQLSchema } from 'graphql'
import type { Declaration } from '../relations/declaration.ts'
import type { Access } from '../auth/access.ts'
import { nodeOfConnection } from '../model/api/connections.ts'
import { fieldAt, objectType } from '../model/model.ts'
import type { Plan, PlanNode } from './plan.ts'

/** Makes the error for the first place that is refused, anew for each request; undefined where nothing is. */
export function refusalIn(plan: Plan, access: Access | undefined, schema: GraphQLSchema, declaration: Declaration): (() => GraphQLError) | undefined {
  if (!access) return undefined
  for (const place of plan.all()) {
    if (isRefused(place, access, schema, declaration)) return () => access.refusal(place.coordinate, place.written)
  }
  return undefined
}

function isRefused({ coordinate }: PlanNode, access: Access, schema: GraphQLSchema, { model, prepared }: Declaration): boolean {
  const [typeName = '', name = ''] = coordinate.split('.')
  const type = schema.getType(typeName)
  if ((type === schema.getQueryType() || type === schema.getMutationType() || type === schema.getSubscriptionType()) && access.asking(coordinate) === 'refused') return true
  // An object of several possible types, inside a document, is protected by what is asked of it.
  const contained = model.contained.get(typeName)
  if (contained && access.reading(contained) === 'refused') return true
  const field = fieldAt(model, coordinate)
  if (field) {
    const seeing = access.seeing(field)
    // A number that is simply there counts what is others' too.
    return access.reading(field) === 'refused' || seeing === 'refused' || (seeing === 'own' && field.leaf && 'value' in prepared(field))
  }
  const found = isObjectType(type) ? type.getFields()[name] : undefined
  const shown = found && getNamedType(found.type).name
  const target = shown === undefined ? undefined : objectType(model, nodeOfConnection(shown) ?? shown)
  return target !== undefined && access.reading(target) === 'refused'
}
