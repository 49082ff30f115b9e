// What is for its owner alone, asked for by everyone else, on every way that leads to it: by id, in lists, through
// relations, in the payloads of mutations, and with cursors and global ids that are good.

import type { Random } from '../random.ts'
import { operation, type HostileClass } from '../hostile-request.ts'
import { selectionOf, waysTo } from '../places.ts'
import { literal, operationOf } from '../values.ts'
import { listsOf, type World } from '../world.ts'

export const others: HostileClass = {
  name: "what is another's", weight: 12, suits: ({ who }) => who !== 'everyone',
  make(random, world) {
    const type = random.pick(world.owned)
    const { query, variables } = random.pick(asking)(type, random, world)
    return operation(query, variables, random.chance(0.1) ? { 'quire-trace': '1' } : undefined)
  },
}

type Asking = (type: string, random: Random, world: World) => { query: string; variables?: object }

const onTheWay: Asking = (type, random, world) => {
  const way = random.pick(waysTo(world.schema, type))
  return operationOf(way, random, world)
}

const asking: readonly Asking[] = [
  onTheWay, onTheWay, onTheWay,
  (type, random, world) => ({ query: `query($nodeId: ID!) { node(nodeId: $nodeId) { nodeId ... on ${type}${all(world, type)} } }`, variables: { nodeId: random.pick(world.nodeIds) } }),
  (type, random, world) => ({ query: `{ ${random.pick(world.nodeIds.length > 3 ? ['a', 'b', 'c'] : ['a'])}: node(nodeId: ${literal(random.pick(world.nodeIds))}) { ... on ${type}${all(world, type)} } }` }),
  (type, random, world) => paged(type, world, `(first: ${random.pick([1, 100, 1000])}, after: ${literal(cursorOf(type, random, world))})`),
  (type, random, world) => paged(type, world, `(last: ${random.pick([1, 100])}, before: ${literal(cursorOf(type, random, world))})`),
  (type, random, world) => paged(type, world, `(filter: { ${random.pick(['not: { id: { eq: "x" } }', 'id: { in: ["1", "2", "f1"] }', `id: { eq: ${literal(idOf(type, random, world))} }`, 'or: [{ id: { gt: "" } }, {}]', 'id: { isNull: false }'])} })`),
  (type, random, world) => paged(type, world, `(orderBy: { field: ${random.pick(['ID', 'NAME', 'LAST_NAME'])}, direction: ${random.pick(['ASC', 'DESC'])} })`),
]

function listOf(type: string, world: World): string {
  return listsOf(world.schema).find((list) => list.type === type)!.field
}

function paged(type: string, world: World, given: string): { query: string } {
  return { query: `{ ${listOf(type, world)}${given} { totalCount nodes${all(world, type)} edges { cursor node${all(world, type)} } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }` }
}

function all(world: World, type: string): string {
  return selectionOf(world.schema.getType(type) as never)
}

function cursorOf(type: string, random: Random, world: World): string {
  return random.pick(world.cursors.get(listOf(type, world))!)
}

function idOf(type: string, random: Random, world: World): string {
  return random.pick(world.ids.get(type)!)
}
