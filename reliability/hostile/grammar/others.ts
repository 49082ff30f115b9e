// Requests for documents that only their owners may read, on every path that leads to them: by id, in lists, through
// relations, in mutation payloads, with valid cursors and global ids, and by counting.

import { getNamedType, isInputObjectType, type GraphQLInputObjectType } from 'graphql'
import type { Random } from '../random.ts'
import { operation, type HostileClass } from '../hostile-request.ts'
import { othersPrefix } from '../others-documents.ts'
import { selectionOf, waysTo } from '../places.ts'
import { literal, operationOf, plausible } from '../values.ts'
import { listsOf, type World } from '../world.ts'

export const others: HostileClass = {
  name: "what is another's", weight: 12, suits: ({ who }) => who !== 'everyone',
  make(random, world) {
    const type = random.pick(world.owned)
    const { query, variables, empty } = random.pick(asking)(type, random, world)
    const hostile = operation(query, variables, random.chance(0.1) ? { 'quire-trace': '1' } : undefined)
    return empty === undefined ? hostile : { ...hostile, afterwards: async ({ body }) => (/"totalCount":[1-9]/.test(body) ? [`${empty} that are another's are counted`] : []) }
  },
}

type Asking = (type: string, random: Random, world: World) => Asked

interface Asked {
  readonly query: string
  readonly variables?: object
  /** A list that must be empty for the sender. */
  readonly empty?: string
}

const onTheWay: Asking = (type, random, world) => {
  const way = random.pick(waysTo(world.schema, type))
  return operationOf(way, random, world)
}

const asking: readonly Asking[] = [
  onTheWay, onTheWay, onTheWay,
  (type, random, world) => ({ query: `query($nodeId: ID!) { node(nodeId: $nodeId) { nodeId ... on ${type}${all(world, type)} } }`, variables: { nodeId: random.pick(world.nodeIds) } }),
  (type, random, world) => ({ query: `{ ${['a', 'b', 'c', 'd'].map((name) => `${name}: node(nodeId: ${literal(random.pick(world.nodeIds))}) { ... on ${type}${all(world, type)} }`).join(' ')} }` }),
  (type, random, world) => paged(type, world, `(first: ${random.pick([1, 100, 1000])}, after: ${literal(cursorOf(type, random, world))})`),
  (type, random, world) => paged(type, world, `(last: ${random.pick([1, 100])}, before: ${literal(cursorOf(type, random, world))})`),
  (type, random, world) => paged(type, world, `(filter: { ${random.pick(['not: { id: { eq: "x" } }', `id: { in: ${literal(world.ids.get(type)!)} }`, `id: { eq: ${literal(random.pick(world.ids.get(type)!))} }`, 'or: [{}, { not: {} }]'])} })`),
  (type, random, world) => ordered(type, random, world),
  (type, random, world) => counted(type, random, world),
]

/** In every order, because cursors contain the value of the order. */
function ordered(type: string, random: Random, world: World): Asked {
  const field = world.schema.getQueryType()!.getFields()[listOf(type, world)]!
  const { type: order } = field.args.find(({ name }) => name === 'orderBy')!
  return paged(type, world, `(orderBy: ${literal(plausible(order, 'orderBy', random, world, type), order)})`)
}

/** Only other viewers' texts begin like that, so a count above zero is a leak. */
function counted(type: string, random: Random, world: World): Asked {
  const filter = world.schema.getType(`${type}Filter`) as GraphQLInputObjectType
  const texts = Object.values(filter.getFields()).filter((field) => {
    const comparisons = getNamedType(field.type)
    return field.name !== 'id' && isInputObjectType(comparisons) && Object.hasOwn(comparisons.getFields(), 'startsWith')
  })
  const { query } = paged(type, world, `(filter: { ${random.pick(texts).name}: { startsWith: ${literal(othersPrefix)} } })`)
  return { query, empty: listOf(type, world) }
}

function listOf(type: string, world: World): string {
  return listsOf(world.schema).find((list) => list.type === type)!.field
}

function paged(type: string, world: World, given: string): Asked {
  return { query: `{ ${listOf(type, world)}${given} { totalCount nodes${all(world, type)} edges { cursor node${all(world, type)} } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }` }
}

function all(world: World, type: string): string {
  return selectionOf(world.schema.getType(type) as never)
}

function cursorOf(type: string, random: Random, world: World): string {
  return random.pick(world.cursors.get(listOf(type, world))!)
}
