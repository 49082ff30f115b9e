// The page that a plan node asks for, as far as cost depends on it: its size, from the text, a variable or a default, and
// how its cursor is written. Other arguments are not looked at.

import { getNullableType, isListType, isObjectType, Kind, print, type GraphQLField, type GraphQLSchema } from 'graphql'
import type { Window } from '../../read/listing.ts'
import { clampedPageSize, pageSizeArguments, type PageSizes } from '../field-arguments.ts'
import { asksForMore, type PlanNode } from '../plan.ts'

/** Cursors that are written differently are taken to be different. */
export function requestedPage(schema: GraphQLSchema, sizes: PageSizes, node: PlanNode, variables: Record<string, unknown>): Window {
  const given = new Map(node.written[0]!.arguments?.map((argument) => [argument.name.value, argument]))
  const cursors = ['after', 'before'].flatMap((name) => (given.has(name) ? [print(given.get(name)!)] : [])).join()
  const requested = pageSizeArguments.flatMap((name) => {
    const value = given.get(name)?.value
    const asked = value?.kind === Kind.INT ? Number(value.value) : value?.kind === Kind.VARIABLE ? variables[value.name.value] : value && null
    const size = asked === undefined ? fieldAt(schema, node)?.args.find((argument) => argument.name === name)?.defaultValue : asked
    return typeof size === 'number' ? [clampedPageSize(size, sizes)] : []
  })
  return {
    limit: requested.length === 0 ? sizes.default : Math.max(...requested),
    after: cursors === '' ? undefined : { value: cursors, id: cursors }, backwards: given.has('last'), peek: asksForMore(node),
  }
}

/** Whether a field can return several values. */
export function isSeveral(schema: GraphQLSchema, node: PlanNode): boolean {
  const field = fieldAt(schema, node)
  return field !== undefined && (isListType(getNullableType(field.type)) || field.args.some(({ name }) => pageSizeArguments.includes(name)))
}

function fieldAt(schema: GraphQLSchema, { coordinate }: PlanNode): GraphQLField<unknown, unknown> | undefined {
  const [typeName = '', name = ''] = coordinate.split('.')
  const type = schema.getType(typeName)
  return isObjectType(type) ? type.getFields()[name] : undefined
}
