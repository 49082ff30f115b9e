// Checks the resolvers of a gateway against its schema: a root field without a resolver would answer null for ever, and a
// misspelt resolver would never be called.

import type { IResolvers } from '@graphql-tools/utils'
import { isEnumType, isInputObjectType, isInterfaceType, isObjectType, isScalarType, type GraphQLInterfaceType, type GraphQLNamedType, type GraphQLSchema } from 'graphql'
import { listArguments } from '../model/api/list-arguments.ts'
import { allFields, type Field, type Model } from '../model/model.ts'
import { DeclarationError } from '../model/sdl/declaration-error.ts'
import { placedByName } from '../model/sdl/source-location.ts'
import { didYouMean } from '../model/sdl/suggest-name.ts'
import type { Declaration } from '../relations/declaration.ts'
import { isResolved } from '../relations/shape/stored-shape.ts'

/** Throws a `DeclarationError` that lists every mistake. */
export function checkResolvers(declaration: Declaration, schema: GraphQLSchema, resolvers: IResolvers = {}): void {
  const { sdl, model } = declaration
  const problems = [
    ...ownFields(declaration).flatMap((field) => checkAnswered(field, resolvers)),
    ...allFields(model).flatMap((field) => checkArguments(field, model, schema, resolvers)),
    ...Object.entries(resolvers).flatMap(([name, fields]) => checkType(name, fields as object, schema)),
  ]
  if (problems.length > 0) throw new DeclarationError(problems.map((problem) => placedByName(problem, sdl)))
}

/** For gateways that run a schema without its code, to measure the reads below its root fields. */
export function refusingResolvers(declaration: Declaration): IResolvers {
  const byType = Map.groupBy(ownFields(declaration).map((field) => field.split('.') as [string, string]), ([type]) => type)
  return Object.fromEntries([...byType].map(([type, fields]) => [type, Object.fromEntries(fields.map(([, name]) => [name, type === 'Subscription' ? { subscribe: refuse } : refuse]))]))
}

/** The `Type.field` of every field that only a resolver of the schema's own can answer. */
function ownFields({ rootFields, model }: Declaration): string[] {
  return [...rootFields, ...allFields(model).filter(isResolved).map(({ coordinate }) => coordinate)]
}

function refuse(): never {
  throw new Error('This gateway runs without the resolvers of its schema.')
}

function checkAnswered(coordinate: string, resolvers: IResolvers): string[] {
  const [type, name] = coordinate.split('.') as [string, string]
  const given = (resolvers[type] as Record<string, unknown> | undefined)?.[name]
  if (type !== 'Subscription') return given === undefined ? [`${coordinate}: no resolver answers it. Add resolvers: { ${type}: { ${name}: (_, args, { quire }) => … } }, or remove the field.`] : []
  if (typeof (given as { subscribe?: unknown } | undefined)?.subscribe === 'function') return []
  return [`${coordinate}: no resolver subscribes to it. Add resolvers: { ${type}: { ${name}: { subscribe: (_, args, { quire }) => … } } }, or remove the field.`]
}

const pageArguments = new Set(['first', 'after', 'last', 'before'])

/** Only a resolver of the schema's own reads other arguments than those of pages, filters and orders. */
function checkArguments(field: Field, model: Model, schema: GraphQLSchema, resolvers: IResolvers): string[] {
  const { coordinate, owner, name, shape } = field
  const type = schema.getType(owner)
  const known = new Set(listArguments(field, model).map((argument) => `${argument.name}: ${argument.type}`))
  const given = isObjectType(type) ? type.getFields()[name]!.args.filter((argument) => !known.has(`${argument.name}: ${String(argument.type)}`)).map((argument) => argument.name) : []
  const ignored = given.filter((argument) => shape !== 'connection' || !pageArguments.has(argument))
  if (ignored.length === 0 || (resolvers[owner] as Record<string, unknown> | undefined)?.[name] !== undefined) return []
  return [`${coordinate}: nothing reads its ${ignored.length === 1 ? 'argument' : 'arguments'} ${ignored.join(' and ')}. Remove ${ignored.length === 1 ? 'it' : 'them'}, or add resolvers: { ${owner}: { ${name}: (parent, args) => … } }.`]
}

function checkType(name: string, given: object, schema: GraphQLSchema): string[] {
  const type = schema.getType(name)
  if (!type) return [`resolvers.${name}: the schema has no type ${name}.${didYouMean(name, typeNames(schema))}`]
  if (isScalarType(type)) return []
  if (isInputObjectType(type)) return [`resolvers.${name}: ${name} is an input, and inputs have no resolvers. Remove it.`]
  return Object.entries(given).filter(([key]) => !key.startsWith('__')).flatMap(([key, value]) => checkEntry(type, key, value, schema))
}

function checkEntry(type: GraphQLNamedType, key: string, value: unknown, schema: GraphQLSchema): string[] {
  if (isInterfaceType(type) && key in type.getFields()) return [`resolvers.${type.name}.${key}: ${type.name} is an interface, and its fields are answered by the types that implement it. Move the resolver to ${implementersOf(type, schema)}.`]
  const known = isEnumType(type) ? type.getValues().map((each) => each.name) : isObjectType(type) || isInterfaceType(type) ? Object.keys(type.getFields()) : []
  if (!known.includes(key)) return [`resolvers.${type.name}.${key}: ${type.name} has no ${isEnumType(type) ? 'value' : 'field'} ${key}.${didYouMean(key, known) || ' Declare it in the schema, or remove the resolver.'}`]
  if (isEnumType(type) || typeof value === 'function' || (typeof value === 'object' && value !== null)) return []
  return [`resolvers.${type.name}.${key}: it is not a function. Write ${key}: (parent, args, { quire }) => ….`]
}

function implementersOf(type: GraphQLInterfaceType, schema: GraphQLSchema): string {
  return schema.getPossibleTypes(type).map(({ name }) => name).join(' and ') || 'one of them'
}

function typeNames(schema: GraphQLSchema): string[] {
  return Object.keys(schema.getTypeMap()).filter((name) => !name.startsWith('__'))
}
