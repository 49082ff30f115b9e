// Valid filters that are far too large: deep, wide, and with endless lists of values.

import { getNamedType, isInputObjectType, type GraphQLInputObjectType } from 'graphql'
import type { Random } from '../random.ts'
import { posted, type HostileClass } from '../hostile-request.ts'
import type { Place } from '../places.ts'
import { operationAt } from '../values.ts'
import { hostileText } from './payloads.ts'

export const filters: HostileClass = {
  name: 'filters', weight: 3,
  make(random, world) {
    const place = random.pick(world.places.filter(isFilter))
    const { query, variables } = operationAt(place, 'FILTER', random, world)
    // As text, because JSON.stringify cannot write such deep nesting.
    return posted(JSON.stringify({ query, variables }).replace('"FILTER"', () => random.pick(shapes)(random, getNamedType(place.type) as GraphQLInputObjectType)))
  },
}

/** The whole argument: a recursive input. */
function isFilter({ path, type }: Place): boolean {
  const named = getNamedType(type)
  return path.length === 0 && isInputObjectType(named) && isRecursive(named)
}

function isRecursive(input: GraphQLInputObjectType): boolean {
  return ['and', 'or', 'not'].every((name) => Object.hasOwn(input.getFields(), name))
}

const depths = [10, 100, 400, 1100, 3000, 6000]
const widths = [2, 100, 1100, 3000]

type Shape = (random: Random, filter: GraphQLInputObjectType) => string

const shapes: readonly Shape[] = [
  (random) => deep(random, '{"not":', '{}', '}'),
  (random, filter) => deep(random, '{"not":', condition(random, filter), '}'),
  (random, filter) => deep(random, '{"and":[', condition(random, filter), ']}'),
  (random, filter) => deep(random, `{"or":[${condition(random, filter)},`, condition(random, filter), ']}'),
  (random, filter) => deep(random, `{"and":[${condition(random, filter)},`, condition(random, filter), ']}'),
  (random, filter) => `{"or":${wide(random, filter)}}`,
  (random, filter) => `{"and":${wide(random, filter)}}`,
  (random, filter) => `{"not":{"or":${wide(random, filter)}}}`,
  (random, filter) => `{"and":[${Array.from({ length: 40 }, () => `{"or":[${Array.from({ length: 40 }, () => condition(random, filter)).join(',')}]}`).join(',')}]}`,
  (random) => JSON.stringify({ id: { in: Array.from({ length: random.pick([0, 100, 5000]) }, (_, at) => `${at}`) } }),
  (random) => JSON.stringify({ id: { in: Array.from({ length: 500 }, () => hostileText(random).slice(0, 50)) } }),
  (random) => random.pick(['{"or":[]}', '{"and":[]}', '{"not":{}}', '{"not":{"or":[]}}']),
]

function wide(random: Random, filter: GraphQLInputObjectType): string {
  return `[${Array.from({ length: random.pick(widths) }, () => condition(random, filter)).join(',')}]`
}

function deep(random: Random, open: string, inner: string, close: string): string {
  const levels = random.pick(depths)
  return open.repeat(levels) + inner + close.repeat(levels)
}

/** A condition on one of its fields, or on what one of them contains, lists or leads to. */
function condition(random: Random, filter: GraphQLInputObjectType): string {
  const { name, type } = random.pick(Object.values(filter.getFields()).filter((field) => !['and', 'or', 'not'].includes(field.name)))
  const input = getNamedType(type) as GraphQLInputObjectType
  const comparisons = Object.values(input.getFields())
  if (isRecursive(input)) return `{${JSON.stringify(name)}:${random.chance(0.3) ? deep(random, '{"not":', condition(random, input), '}') : condition(random, input)}}`
  const { name: comparison, type: compared } = random.pick(comparisons)
  const inner = getNamedType(compared)
  if (isInputObjectType(inner)) return `{${JSON.stringify(name)}:{${JSON.stringify(comparison)}:${condition(random, inner)}}}`
  const value = { Int: random.below(100), Float: random.below(100) / 4, Boolean: random.chance(0.5) }[getNamedType(compared).name] ?? random.pick(['b1', 'a', '\u{10ffff}', "'", '"'])
  return JSON.stringify({ [name]: { [comparison]: String(compared).startsWith('[') ? [value] : value } })
}
