// Whether a plan asks the store for one thing at a time. Then there is nothing to batch and no wave to wait for, and a
// store may answer every read synchronously.
//
//   { posts { nodes { writers { name } } pageInfo { endCursor } } }     a page, then all writers: one at a time
//   { posts { … } writers { … } }                                       two pages: one wave
//
// Only reads that surely happen once are followed: pages and documents of root fields, and documents that are looked up for
// all rows of a level. Other relations and the schema's own resolvers read in waves.

import { getNamedType, isObjectType, type GraphQLObjectType } from 'graphql'
import type { PlanNode } from '../../../plan/plan.ts'
import { fieldAt, isInlineField, nodesOf, type CompileContext, type PlanNodes } from './inline-fields.ts'

export function asksOneAtATime(context: CompileContext, type: GraphQLObjectType, nodes: PlanNodes): boolean {
  const { schema, steps } = context
  const asking = askingIn(context, type, nodes)
  const isConnection = steps.connections.has(type.name)
  const isRoot = type === schema.getQueryType()
  // The fields of a connection share one page, and its count is a read of its own in any case.
  const atOneLevel = isConnection ? asking.filter((node) => asksBelow(context, type, node)) : asking
  return atOneLevel.length <= 1 && asking.every((node) => {
    const asksOnce = steps.at(node) !== undefined || ((isConnection || isRoot) && !steps.custom.has(node.coordinate))
    if (!asksOnce) return false
    const below = getNamedType(fieldAt(type, node)!.type)
    return isObjectType(below) ? asksOneAtATime(context, below, node.children) : node.children.size === 0
  })
}

/** The nodes that take more than their row. */
function askingIn(context: CompileContext, type: GraphQLObjectType, nodes: PlanNodes): PlanNode[] {
  return nodesOf(type, nodes).map(([, node]) => node).filter((node) => !isInlineField(context, type, node))
}

function asksBelow(context: CompileContext, parent: GraphQLObjectType, node: PlanNode): boolean {
  const below = getNamedType(fieldAt(parent, node)!.type)
  return isObjectType(below) && askingIn(context, below, node.children).length > 0
}
