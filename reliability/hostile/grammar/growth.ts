// Operations whose answers grow with their depth: round the cycles of the schema, wide and narrow, with large pages, filters
// and counts. Each must be answered or refused, and no gateway may end or stand still.

import { getNamedType, isInputObjectType, type GraphQLEnumType, type GraphQLField, type GraphQLInputObjectType, type GraphQLSchema } from 'graphql'
import { cyclesOf, goingRound, type Cycle } from '../growth.ts'
import { operation, type HostileClass } from '../hostile-request.ts'
import type { Random } from '../random.ts'
import type { World } from '../world.ts'

export const growth: HostileClass = {
  name: 'growth', weight: 1,
  make(random, world) {
    const width = random.pick([1, 1, 1, 2, 3])
    const depth = random.between(3, width === 1 ? 28 : 8)
    return operation(goingRound(random.pick(cyclesIn(world.schema)), { depth, width, argumentsOf: (field) => argumentsOf(field, random, world) }), undefined, random.chance(0.3) ? { 'quire-trace': '1' } : {})
  },
}

const known = new WeakMap<GraphQLSchema, readonly Cycle[]>()

function cyclesIn(schema: GraphQLSchema): readonly Cycle[] {
  const cycles = known.get(schema) ?? cyclesOf(schema)
  known.set(schema, cycles)
  return cycles
}

function argumentsOf({ args, type }: GraphQLField<unknown, unknown>, random: Random, world: World): string {
  const names = new Set(args.map(({ name }) => name))
  if (names.has('id')) return `(id: ${JSON.stringify(random.pick(world.ids.get(getNamedType(type).name) ?? ['none']))})`
  if (names.has('nodeId')) return `(nodeId: ${JSON.stringify(random.pick(world.nodeIds))})`
  const given = [
    ...(names.has('first') && random.chance(0.7) ? [`first: ${random.pick([1, 20, 1000, 2_000_000_000])}`] : []),
    ...(names.has('filter') && random.chance(0.4) ? [`filter: ${nots(random.pick([1, 5, 60]), random.pick([1, 50]))}`] : []),
  ]
  const order = names.has('orderBy') && random.chance(0.3) ? getNamedType(args.find(({ name }) => name === 'orderBy')!.type) : undefined
  if (isInputObjectType(order)) given.push(`orderBy: [${orders(random, order, random.pick([1, 2, 3, 500]))}]`)
  return given.length === 0 ? '' : `(${given.join(', ')})`
}

/** Some in an order that an index has, most in none. */
function orders(random: Random, order: GraphQLInputObjectType, length: number): string {
  const fields = (getNamedType(order.getFields()['field']!.type) as GraphQLEnumType).getValues()
  return Array.from({ length }, () => `{ field: ${random.pick(fields).name}, direction: ${random.pick(['ASC', 'DESC'])} }`).join()
}

function nots(depth: number, values: number): string {
  return `${'{ not: '.repeat(depth)}{ id: { in: [${Array.from({ length: values }, (_, at) => `"${at}"`).join()}] } }${' }'.repeat(depth)}`
}
