// Random mutations with the same outcome on any store: they create documents with given ids, change, increment, upsert and delete
// them, one or several at a time, with references to existing and missing documents.

import type { Arbitrary } from 'fast-check'
import {
  getNamedType, getNullableType, isEnumType, isInputObjectType, isListType, isNonNullType, isRequiredInputField,
  type GraphQLInputObjectType, type GraphQLInputType, type GraphQLSchema,
} from 'graphql'
import fc from '../fast-check.ts'
import type { KnownValues } from '../random/random-arguments.ts'
import type { TwoTenants } from './two-tenants.ts'

export interface RandomMutation {
  readonly query: string
  readonly variables: { readonly input?: unknown; readonly inputs?: unknown }
}

/** `scattered` are the types with a random partition, whose documents cannot be created twice alike. */
export function randomMutation({ schema, known, scattered }: Pick<TwoTenants, 'schema' | 'known' | 'scattered'>): Arbitrary<RandomMutation> {
  const types = Object.keys(known.arguments).filter((name) => name !== 'Query.node').map((name) => getNamedType(schema.getQueryType()!.getFields()[name.slice('Query.'.length)]!.type).name)
  return fc.oneof(...types.flatMap((type) => ['create', 'update', 'update', 'upsert', 'delete'].filter((verb) => verb === 'update' || verb === 'delete' || !scattered.has(type)).flatMap((verb) => {
    const fields = schema.getMutationType()!.getFields()
    const field = fields[`${verb}${type}`]!
    const input = getNullableType(field.args[0]!.type) as GraphQLInputObjectType
    const many = Object.values(fields).find((each) => each.name.startsWith(verb) && getNamedType(each.args[0]!.type) === input && each.args[0]!.name === 'inputs')!
    const one = `${type[0]!.toLowerCase()}${type.slice(1)}`
    const given = inputOf(input, idsOf(schema, known), type)
    return [
      given.map((each): RandomMutation => ({ query: `mutation Change($input: ${input.name}!) { ${field.name}(input: $input) { clientMutationId ${one} { id } } }`, variables: { input: each } })),
      fc.array(given, { maxLength: 3 }).map((inputs): RandomMutation => ({ query: `mutation Change($inputs: [${input.name}!]!) { ${many.name}(inputs: $inputs) { written results { clientMutationId ${one} { id } failure { code message } } } }`, variables: { inputs } })),
    ]
  })))
}

/** Ids by the name of a type: some that exist, one that may be created meanwhile, and one that never exists. */
type Ids = ReadonlyMap<string, readonly string[]>

function idsOf(schema: GraphQLSchema, known: KnownValues): Ids {
  return new Map(Object.entries(known.arguments).filter(([name]) => name !== 'Query.node').map(([name, sets]) =>
    [getNamedType(schema.getQueryType()!.getFields()[name.slice('Query.'.length)]!.type).name, [...new Set([...sets.map(({ id }) => String(id)), 'new1'])]]))
}

/** Of the type that a field is called after: `id` is the document's own, `writerId` and `writerIds` are of a writer; of any where no type is called so. */
function idsFor(name: string, type: string, ids: Ids): readonly string[] {
  const called = name === 'id' ? type : name.replace(/Ids?$/, '').replace(/^./, (letter) => letter.toUpperCase())
  return ids.get(called) ?? [...ids.values()].flat()
}

function inputOf(input: GraphQLInputObjectType, ids: Ids, of: string): Arbitrary<Record<string, unknown>> {
  const fields = Object.values(input.getFields()).filter(({ name }) => name !== 'ifMatch')
  const required = ['id', ...fields.filter(isRequiredInputField).map(({ name }) => name)]
  return fc.record(Object.fromEntries(fields.map(({ name, type }) => [name, name === 'id' ? scalar('ID', idsFor(name, of, ids)) : valueOf(type, ids, name, of)])), { requiredKeys: required.filter((name) => fields.some((field) => field.name === name)) })
}

function valueOf(type: GraphQLInputType, ids: Ids, name: string, of: string): Arbitrary<unknown> {
  const inner = getNullableType(type)
  const value = isListType(inner) ? fc.array(valueOf(inner.ofType, ids, name, of), { maxLength: 2 })
    : isInputObjectType(inner) ? inputOf(inner, ids, of)
    : isEnumType(inner) ? fc.constantFrom(...inner.getValues().map((one) => one.name))
    : scalar(inner.name, idsFor(name, of, ids))
  return isNonNullType(type) ? value : fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) })
}

function scalar(name: string, ids: readonly string[]): Arbitrary<unknown> {
  switch (name) {
    case 'ID': return fc.constantFrom(...ids)
    case 'Int': return fc.integer({ min: 0, max: 9 })
    case 'Float': return fc.integer({ min: 1, max: 9 })
    case 'Boolean': return fc.boolean()
    default: return fc.constantFrom('Ann', 'Sol', '2001-02-03', 'x')
  }
}
