// Whether a plan asks the store for one thing at a time. Then nothing can travel together, so nothing has to wait for
// others that might, and what a store has in hand is taken at once.
//
//   { posts { nodes { writers { name } } pageInfo { endCursor } } }     a page, then all writers: one at a time
//   { posts { … } writers { … } }                                       two pages side by side: one wave
//
// Only ways to read are followed that are sure to ask once: pages and documents of root fields, and documents that are
// gathered for all rows of a level. Whatever else a relation or somebody's own resolver does goes in waves.

import { getNamedType, isObjectType, type GraphQLObjectType } from 'graphql'
import type { PlanNode } from '../../plan/plan.ts'
import { fieldAt, fieldsOf, isInlineField, type Places, type Vocabulary } from './row-code.ts'

export function asksOneAtATime(vocabulary: Vocabulary, type: GraphQLObjectType, places: Places): boolean {
  const { schema, steps } = vocabulary
  const asking = askingIn(vocabulary, type, places)
  const isConnection = steps.connections.has(type.name)
  const isRoot = type === schema.getQueryType()
  // The fields of a connection have one page between them, and the count is asked for by itself in any case.
  const atOneLevel = isConnection ? asking.filter((place) => asksBelow(vocabulary, type, place)) : asking
  return atOneLevel.length <= 1 && asking.every((place) => {
    const asksOnce = steps.at(place) !== undefined || ((isConnection || isRoot) && !steps.custom.has(place.coordinate))
    if (!asksOnce) return false
    const below = getNamedType(fieldAt(type, place)!.type)
    return isObjectType(below) ? asksOneAtATime(vocabulary, below, place.children) : place.children.size === 0
  })
}

/** The places that take more than their row. */
function askingIn(vocabulary: Vocabulary, type: GraphQLObjectType, places: Places): PlanNode[] {
  return fieldsOf(type, places).map(([, place]) => place).filter((place) => !isInlineField(vocabulary, type, place))
}

function asksBelow(vocabulary: Vocabulary, parent: GraphQLObjectType, place: PlanNode): boolean {
  const below = getNamedType(fieldAt(parent, place)!.type)
  return isObjectType(below) && askingIn(vocabulary, below, place.children).length > 0
}
