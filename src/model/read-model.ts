// Reads the model from SDL. check-model.ts and each relation kind check whether the declarations make sense; this
// file rejects only what cannot be read at all.

import {
  getDirectiveValues, getNamedType, getNullableType, isEnumType, isLeafType, isListType,
  isNonNullType, isObjectType, isUnionType, type DocumentNode, type GraphQLField, type GraphQLObjectType, type GraphQLSchema,
} from 'graphql'
import { buildSchema } from './sdl/build-schema.ts'
import { baseSdl, nodeOfConnection, withConnections } from './api/connections.ts'
import { fieldNamed, pluralOf, singularOf } from './api/plurals.ts'
import { DeclarationError } from './sdl/declaration-error.ts'
import type { ContainedType, DocumentType, Field, Model, ObjectType } from './model.ts'
import { defaultKind, storageTraits, type Storage } from './storages.ts'
import { readIndexes } from './declared-indexes.ts'
import { misplacedStorage } from './check/misplaced-storage.ts'
import { nestedLists } from './check/nested-lists.ts'
import { readPartitionKey } from './partition-key.ts'
import { placedByName } from './sdl/source-location.ts'
import { misplacedRules, readRootRules, readRule } from './read-rules.ts'
import { joined, vocabulary } from './sdl/read-sdl.ts'
import { readValues } from './values/read-values.ts'

/** Every kind of storage that has to be declared, under the name of its directive. */
const kinds = Object.keys(storageTraits).filter((kind) => kind !== defaultKind)

export interface ReadModel {
  readonly model: Model
  /** The given SDL with connections filled in, the vocabulary and the base: what the served schema is made from. */
  readonly sdl: DocumentNode
}

/** `containers` are those whose documents are elsewhere, by their declared names. */
export function readModel(given: DocumentNode, containers: Readonly<Record<string, string>> = {}): ReadModel {
  const sdl = joined([vocabulary, baseSdl, withConnections(given)])
  const schema = buildSchema(sdl)
  const problems: string[] = []
  const documents = new Map<string, DocumentType>()
  const contained = new Map<string, ContainedType>()
  const own = ownObjectTypes(schema)
  for (const type of own) {
    const object = readObject(schema, type, problems)
    const declared = directive(schema, type, 'document')
    if (declared) documents.set(type.name, { ...readDocument(object, declared, containers, readIndexes(schema, type), problems), subscribable: directive(schema, type, 'subscribable') !== undefined })
    else if (directive(schema, type, 'subscribable')) problems.push(`${type.name}: @subscribable is for types that are stored as documents. Add @document(container: "…"), or remove @subscribable.`)
    else if (readIndexes(schema, type).length > 0) problems.push(`${type.name}: @index is for document types. Remove it, or add @document to ${type.name}.`)
    else contained.set(type.name, { ...object, has: directive(schema, type, 'shape')?.['has'] as string | undefined })
  }
  problems.push(...nestedLists(schema, documents.keys()))
  problems.push(...misplacedStorage(schema, new Set(own.map(({ name }) => name)), [...kinds, defaultKind, 'indexed', 'unique', 'constraint', 'default']))
  problems.push(...misplacedRules(schema, new Set(own.map(({ name }) => name))))
  if (problems.length > 0) throw new DeclarationError(problems.map((problem) => placedByName(problem, given)))
  const unions = Object.values(schema.getTypeMap()).filter(isUnionType).map((union) => {
    const members = union.getTypes().flatMap((member) => contained.get(member.name) ?? [])
    return [union.name, members] as const
  })
  const enums = Object.values(schema.getTypeMap()).filter(isEnumType).map((each) => [each.name, each.getValues().map(({ name }) => name)] as const)
  return { model: { documents, contained, unions: new Map(unions), enums: new Map(enums), roots: readRootRules(schema) }, sdl }
}

/** The types that hold data: not the root types, mutation payloads, connections and edges. */
function ownObjectTypes(schema: GraphQLSchema): GraphQLObjectType[] {
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()])
  // A mutation may also return a document itself.
  const payloads = new Set(Object.values(schema.getMutationType()?.getFields() ?? {}).map((field) => getNamedType(field.type)).filter((type) => !isObjectType(type) || !directive(schema, type, 'document')))
  const isPaging = ({ name }: GraphQLObjectType) => {
    const node = nodeOfConnection(name.replace(/Edge$/, 'Connection'))
    return name === 'PageInfo' || (node !== undefined && schema.getType(node) !== undefined && schema.getType(`${node}Connection`) !== undefined)
  }
  return Object.values(schema.getTypeMap()).filter(isObjectType).filter(
    (type) => !type.name.startsWith('__') && !roots.has(type) && !payloads.has(type) && !isPaging(type))
}

function readObject(schema: GraphQLSchema, type: GraphQLObjectType, problems: string[]): ObjectType {
  const fields = Object.values(type.getFields()).map((field) => [field.name, readField(schema, type, field, problems)] as const)
  return { name: type.name, fields: new Map(fields), readable: readRule(schema, type, 'readable'), writable: readRule(schema, type, 'writable') }
}

function readDocument(object: ObjectType, declared: Record<string, unknown>, containers: Readonly<Record<string, string>>, indexes: DocumentType['indexes'], problems: string[]): DocumentType {
  const partitionKey = readPartitionKey(declared['partitionKey'])
  if (typeof partitionKey === 'string') problems.push(`${object.name}: ${partitionKey}.`)
  const singular = fieldNamed(object.name)
  return {
    ...object,
    container: containers[declared['container'] as string] ?? (declared['container'] as string),
    partitionKey: typeof partitionKey === 'string' ? { form: 'paths', paths: [['id']] } : partitionKey,
    discriminator: declared['type'] as string | undefined,
    singular,
    plural: (declared['plural'] as string | undefined) ?? pluralOf(singular),
    indexes,
  }
}

function readField(schema: GraphQLSchema, type: GraphQLObjectType, field: GraphQLField<unknown, unknown>, problems: string[]): Field {
  const coordinate = `${type.name}.${field.name}`
  const nullable = getNullableType(field.type)
  const named = getNamedType(field.type)
  const node = nodeOfConnection(named.name)
  const target = node ?? named.name
  const shape = node !== undefined ? 'connection' : isListType(nullable) ? 'list' : 'one'
  const storage = readStorage(schema, field, coordinate, problems)
  const unique = directive(schema, field, 'unique') !== undefined
  return {
    owner: type.name,
    name: field.name,
    coordinate,
    description: field.description ?? undefined,
    target,
    shape,
    singular: ('singular' in storage ? storage.singular : undefined) ?? (shape === 'one' ? field.name : nameOfOne(field.name, target)),
    required: isNonNullType(isListType(nullable) ? nullable.ofType : field.type),
    leaf: isLeafType(named),
    indexed: unique || directive(schema, field, 'indexed') !== undefined,
    ...(unique ? { unique } : {}),
    ...readValues(coordinate, field, problems),
    readable: readRule(schema, field, 'readable'),
    storage,
  }
}

/** A list that is named after its target has the target's name: no library knows how a plural came about. */
function nameOfOne(list: string, target: string): string {
  return pluralOf(fieldNamed(target)) === list ? fieldNamed(target) : singularOf(list)
}

function readStorage(schema: GraphQLSchema, field: GraphQLField<unknown, unknown>, coordinate: string, problems: string[]): Storage {
  const declared = kinds.flatMap((kind) => {
    const values = directive(schema, field, kind)
    return values ? [{ kind, values }] : []
  })
  const stored = directive(schema, field, defaultKind)
  if (declared.length + (stored ? 1 : 0) > 1) {
    const names = [...declared.map(({ kind }) => `@${kind}`), ...(stored ? ['@stored'] : [])]
    problems.push(`${coordinate}: it is declared ${names.join(' and ')}, but a field is stored in one way. Keep one of them.`)
  }
  const { kind, values } = declared[0] ?? { kind: defaultKind, values: stored ?? {} }
  const named = schema.getDirective(kind)?.args.some((argument) => argument.name === 'at')
  // The directive's arguments have been coerced by its definition, so they have the types of Storages.
  return { kind, ...(named ? { at: field.name } : {}), ...values } as Storage
}

function directive(schema: GraphQLSchema, on: GraphQLObjectType | GraphQLField<unknown, unknown>, name: string) {
  const definition = schema.getDirective(name)
  return definition && on.astNode ? getDirectiveValues(definition, on.astNode) : undefined
}
