// The fields of an operation that the rules refuse before it runs: fields that lead to documents that the viewer may not read, and
// fields that the viewer may not read and that cannot be null. Those that can be null answer so (execute/answer/forbidden-fields.ts). Rules that depend on a document, such as its owner, are left to the reads.

import { getNamedType, isNullableType, isObjectType, type GraphQLError, type GraphQLField, type GraphQLSchema } from 'graphql'
import type { Declaration } from '../relations/declaration.ts'
import type { Access } from '../auth/access.ts'
import { changesToldAt } from '../model/api/change-subscriptions.ts'
import { nodeOfConnection } from '../model/api/connections.ts'
import { fieldAt, objectType, type Model, type ObjectType } from '../model/model.ts'
import type { Plan, PlanNode } from './plan.ts'

/** A function that makes the error for the first refused field, a new one for each request; undefined if none is refused. */
export function refusalIn(plan: Plan, access: Access | undefined, schema: GraphQLSchema, declaration: Declaration): (() => GraphQLError) | undefined {
  if (!access) return undefined
  for (const node of plan.all()) {
    if (isRefused(node, access, schema, declaration)) return () => access.refusal(node.coordinate, node.written, targetOf(node.coordinate, schema, declaration.model))
  }
  return undefined
}

function isRefused({ coordinate }: PlanNode, access: Access, schema: GraphQLSchema, { model, prepared }: Declaration): boolean {
  const [typeName = ''] = coordinate.split('.')
  const type = schema.getType(typeName)
  if ((type === schema.getQueryType() || type === schema.getMutationType() || type === schema.getSubscriptionType()) && access.asking(coordinate) === 'refused') return true
  // A contained object of an interface or union is protected by the rule of its own type.
  const contained = model.contained.get(typeName)
  if (contained && access.reading(contained) === 'refused') return true
  const field = fieldAt(model, coordinate)
  if (field) {
    const seeing = access.seeing(field)
    // A stored count includes documents of other owners.
    return (access.reading(field) === 'refused' && !canBeNull(coordinate, schema)) || seeing === 'refused' || (seeing === 'own' && field.leaf && 'value' in prepared(field))
  }
  const target = targetOf(coordinate, schema, model)
  return target !== undefined && access.reading(target) === 'refused'
}

/** Whether some fields answer null because the viewer may not read them. */
export function hidesFields(plan: Plan, access: Access | undefined, { model }: Declaration): boolean {
  if (!access) return false
  for (const { coordinate } of plan.all()) {
    const field = fieldAt(model, coordinate)
    if (field?.readable && access.reading(field) === 'refused') return true
  }
  return false
}

/** Whether a field that the viewer may not read answers null, with an error at its path. */
export function answersNull({ type }: GraphQLField<unknown, unknown>): boolean {
  return isNullableType(type)
}

function canBeNull(coordinate: string, schema: GraphQLSchema): boolean {
  const [typeName = '', name = ''] = coordinate.split('.')
  const type = schema.getType(typeName)
  const found = isObjectType(type) ? type.getFields()[name] : undefined
  return found !== undefined && answersNull(found)
}

/** The type that holds data and that a field of the served schema leads to. */
function targetOf(coordinate: string, schema: GraphQLSchema, model: Model): ObjectType | undefined {
  const told = changesToldAt(model, coordinate)
  if (told) return told
  const [typeName = '', name = ''] = coordinate.split('.')
  const type = schema.getType(typeName)
  const found = isObjectType(type) ? type.getFields()[name] : undefined
  const shown = found && getNamedType(found.type).name
  return shown === undefined ? undefined : objectType(model, nodeOfConnection(shown) ?? shown)
}
