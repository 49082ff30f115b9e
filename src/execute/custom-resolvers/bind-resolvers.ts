// Binds the schema's own resolvers to a gateway: each call gets a context that knows its field, and what it returns for a field
// of a document type may be a document, or only its id.

import { defaultFieldResolver, getNamedType, getNullableType, isIntrospectionType, isListType, isObjectType, type GraphQLField, type GraphQLObjectType } from 'graphql'
import { storedTypes } from '../../model/stored-types.ts'
import type { DocumentType, Model } from '../../model/model.ts'
import { storageTraits } from '../../model/storages.ts'
import { FieldContext, OwnLists, type OperationQuire, type OwnCodeParts } from './field-context.ts'

type Context = { readonly quire: OperationQuire }
type Field = GraphQLField<unknown, Context>

/**
 * `given` has the `Type.field` of every resolver that the schema gives. Returns these, and the fields of types that such resolvers
 * return: what is in them is theirs.
 */
export function bindOwnResolvers(parts: OwnCodeParts, given: ReadonlySet<string>): ReadonlySet<string> {
  const { schema, declaration: { model } } = parts
  if (given.size === 0) return given
  const fields = new Set(given)
  const lists = new OwnLists(parts)
  const held = new Set([...storedTypes(model)].map(({ name }) => name))
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue
    for (const field of Object.values(type.getFields())) {
      const coordinate = `${type.name}.${field.name}`
      if (!given.has(coordinate) && !isOwnDocument(type, field, held, model)) continue
      bind(field, coordinate, lists, model)
      fields.add(coordinate)
    }
  }
  return fields
}

/** Whether it is a field of an own type, without a word about how it is stored, that returns documents. */
function isOwnDocument({ name }: GraphQLObjectType, field: Field, held: ReadonlySet<string>, { documents, contained }: Model): boolean {
  const declared = contained.get(name)?.fields.get(field.name)
  return declared !== undefined && storageTraits[declared.storage.kind].holds === 'value' && !held.has(name) && documents.has(getNamedType(field.type).name)
}

function bind(field: Field, coordinate: string, lists: OwnLists, model: Model): void {
  const { resolve, subscribe } = field
  const target = model.documents.get(getNamedType(field.type).name)
  if (subscribe) field.subscribe = (source, args, context, info) => subscribe(source, args, bound(context, new FieldContext(lists, context, info)), info)
  if (!resolve && !target) return
  const isList = isListType(getNullableType(field.type))
  field.resolve = (source, args, context, info) => {
    const quire = new FieldContext(lists, context, info)
    const value: unknown = resolve ? resolve(source, args, bound(context, quire), info) : defaultFieldResolver(source, args, context, info)
    return target ? documentsFrom(value, { target, isList, quire, coordinate }) : value
  }
}

/** The rest of the context is inherited, and not copied: it notes whether anything of the request is read from it. */
function bound(context: Context, quire: FieldContext): Context {
  return Object.create(context, { quire: { value: quire } }) as Context
}

interface Expected {
  readonly target: DocumentType
  readonly isList: boolean
  readonly quire: FieldContext
  readonly coordinate: string
}

/** What GraphQL.js is to complete: documents in place of their ids. */
function documentsFrom(value: unknown, expected: Expected): unknown {
  const { target, isList, quire, coordinate } = expected
  if (value === null || value === undefined || value instanceof Error) return value
  if (value instanceof Promise) return value.then((known) => documentsFrom(known, expected))
  if (isList && isIterable(value)) return Array.from(value, (each) => documentsFrom(each, { ...expected, isList: false }))
  if (typeof value === 'string' || typeof value === 'number') return quire.load(target.name, String(value))
  if (typeof value === 'object' && 'body' in value) return value
  throw new TypeError(`The resolver of ${coordinate} returned something that is no document. Return what quire.load or quire.query gave, or the id of the ${target.name}.`)
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}
