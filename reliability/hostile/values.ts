// Values for the arguments of a schema: plausible ones, so that a request gets as far as its one hostile value, and that
// value at its position.

import {
  getNamedType, getNullableType, isEnumType, isInputObjectType, isListType, isNonNullType, isRequiredArgument, isRequiredInputField,
  isObjectType, type GraphQLInputType,
} from 'graphql'
import type { Random } from './random.ts'
import { selectionOf, type Place, type Way } from './places.ts'
import type { World } from './world.ts'

/** An operation with a value at one position and plausible ones elsewhere, all in variables. */
export function operationAt(place: Place, value: unknown, random: Random, world: World): Operation {
  return operationOf(place, random, world, { ...place, value })
}

interface Operation {
  readonly query: string
  readonly variables: Record<string, unknown>
}

/** An operation that selects everything at the end of a path, with its required arguments and one given value. */
export function operationOf(way: Way, random: Random, world: World, own?: Pick<Place, 'argument' | 'path'> & { readonly value: unknown }): Operation {
  const variables: Record<string, unknown> = {}
  const declared: string[] = []
  const fields = way.trail.map((field, depth) => {
    const last = depth === way.trail.length - 1
    const given = field.args.flatMap((argument) => {
      const aimed = own !== undefined && last && argument === own.argument
      if (!aimed && !isRequiredArgument(argument)) return []
      const name = `v${Object.keys(variables).length}`
      variables[name] = aimed ? put(argument.type, own.path, own.value, random, world) : plausible(argument.type, argument.name, random, world, field.name)
      declared.push(`$${name}: ${String(argument.type)}`)
      return [`${argument.name}: $${name}`]
    })
    return `${field.name}${given.length > 0 ? `(${given.join(', ')})` : ''}`
  })
  const text = fields.reduceRight((below, field) => `${field}${below === '' ? selectionOf(way.trail.at(-1)!.type) : ` {${below} }`}`, '')
  return { query: `${way.operation}${declared.length > 0 ? `(${declared.join(', ')})` : ''} { ${text} }`, variables }
}

/** A value of a type with the given one at a path inside it. */
function put(type: GraphQLInputType, path: readonly string[], value: unknown, random: Random, world: World): unknown {
  const nullable = getNullableType(type)
  if (path.length === 0) return isListType(nullable) && !Array.isArray(value) && random.chance(0.8) ? [value] : value
  if (isListType(nullable)) return [put(nullable.ofType, path, value, random, world)]
  const [name, ...rest] = path
  const named = getNamedType(type)
  if (!isInputObjectType(named)) return value
  const base = plausible(type, '', random, world, named.name) as Record<string, unknown>
  return { ...base, [name!]: put(named.getFields()[name!]!.type, rest, value, random, world) }
}

/** A realistic value: ids of existing documents, words, small numbers; for inputs, their required fields. */
export function plausible(type: GraphQLInputType, name: string, random: Random, world: World, of: string): unknown {
  const nullable = getNullableType(type)
  if (isListType(nullable)) return [plausible(nullable.ofType, name, random, world, of)]
  const named = getNamedType(type)
  if (isEnumType(named)) return random.pick(named.getValues()).name
  if (isInputObjectType(named)) {
    return Object.fromEntries(Object.values(named.getFields()).filter((field) => isRequiredInputField(field) || (named.isOneOf && random.chance(0.5)))
      .map((field) => [field.name, plausible(field.type, field.name, random, world, named.name)]))
  }
  return scalar(named.name, name, random, world, of)
}

function scalar(type: string, name: string, random: Random, world: World, of: string): unknown {
  if (type === 'Int') return random.between(1, 5)
  if (type === 'Float') return random.between(1, 500) / 4
  if (type === 'Boolean') return random.chance(0.5)
  if (type === 'ID') return idFor(name, of, random, world)
  return random.pick(['Ann', 'Zürich', '2026-08-09', 'b1'])
}

/** `bookId` is the id of a Book, and so is the `id` of an `UpdateBookInput` or of a field that returns a Book. */
function idFor(name: string, of: string, random: Random, world: World): string {
  if (name === 'nodeId') return random.pick(world.nodeIds)
  const holder = world.schema.getType(of.replace(/^(Create|Update)/, '').replace(/(Input|Filter)$/, ''))
  const led = isObjectType(holder) ? holder.getFields()[name.replace(/Ids?$/, '')] : undefined
  const about = name === 'id' ? of : led ? getNamedType(led.type).name : name
  const type = [...world.ids.keys()].find((each) => about.toLowerCase().includes(each.toLowerCase()))
  return random.pick(type === undefined ? ['none'] : world.ids.get(type)!)
}

/** As a GraphQL literal; texts are quoted as in JSON. */
export function literal(value: unknown, type?: GraphQLInputType): string {
  if (value === null || value === undefined) return 'null'
  const nullable = type && (isNonNullType(type) ? type.ofType : type)
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, isListType(nullable) ? nullable.ofType : undefined)).join(', ')}]`
  if (typeof value === 'object') {
    const fields = isInputObjectType(nullable) ? nullable.getFields() : {}
    return `{ ${Object.entries(value).map(([name, each]) => `${name}: ${literal(each, Object.hasOwn(fields, name) ? fields[name]!.type : undefined)}`).join(', ')} }`
  }
  return isEnumType(nullable) && typeof value === 'string' ? value : JSON.stringify(value)
}
