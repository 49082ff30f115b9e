// The types of the schema's own resolvers: what GraphQL gives them, and what they return. The root fields that Quire generates
// have resolvers already, so they are not here.

import {
  getNullableType, isEnumType, isInputObjectType, isInterfaceType, isListType, isNonNullType, isObjectType, isScalarType, isUnionType, Kind,
  type DocumentNode, type GraphQLArgument, type GraphQLField, type GraphQLInputField, type GraphQLInputObjectType, type GraphQLInputType, type GraphQLObjectType,
  type GraphQLOutputType, type GraphQLSchema,
} from 'graphql'
import { objectType, type Model } from '../../model/model.ts'
import { isResolved } from '../../relations/shape/stored-shape.ts'
import { scalarTypes, type StoredTypesText } from './stored-types.ts'
import { exportedType, listText, literal, objectText, unionText, type PropertyText, type TypeNames } from './type-text.ts'

const roots = ['Query', 'Mutation', 'Subscription']

export interface ResolverTypesOptions {
  /** The SDL of the user. */
  readonly given: DocumentNode
  readonly model: Model
  /** The served schema. */
  readonly schema: GraphQLSchema
  readonly names: TypeNames
  readonly stored: StoredTypesText
}

export class ResolverTypesText {
  readonly #options: ResolverTypesOptions
  /** The types that arguments and results need, by name, in the order in which they are first needed. */
  readonly #needed = new Map<string, string>()

  constructor(options: ResolverTypesOptions) {
    this.#options = options
  }

  declarations(): string[] {
    const { given, schema, names } = this.#options
    const enums = namesIn(given, [Kind.ENUM_TYPE_DEFINITION]).map((name) => {
      const type = schema.getType(name)
      return exportedType(names.of(`enum ${name}`, name), unionText(isEnumType(type) ? type.getValues().map((value) => literal(value.name)) : []), type?.description)
    })
    const resolvers = objectText([...roots.flatMap((root) => this.#root(root)), ...this.#others()])
    return [...enums, ...this.#needed.values(), exportedType('Resolvers', resolvers, 'What resolvers.ts exports: a resolver for each root field that the SDL adds.')]
  }

  #root(root: string): PropertyText[] {
    const type = this.#options.schema.getType(root)
    const fields = isObjectType(type) ? fieldNamesIn(this.#options.given, root).map((name) => type.getFields()[name]!) : []
    if (fields.length === 0) return []
    const kind = root === 'Subscription' ? 'Subscriber' : 'Resolver'
    return [{ name: root, type: objectText(fields.map((field) => ({ name: field.name, description: field.description, type: `${kind}<${this.#args(root, field)}, ${this.#result(field.type)}>` }))) }]
  }

  /** What a schema may resolve besides: fields of its types, custom scalars, the types of interfaces. */
  #others(): PropertyText[] {
    const { given, schema, model, stored } = this.#options
    return namesIn(given, [Kind.OBJECT_TYPE_DEFINITION, Kind.SCALAR_TYPE_DEFINITION, Kind.INTERFACE_TYPE_DEFINITION]).flatMap((name): PropertyText[] => {
      const type = schema.getType(name)
      if (isScalarType(type)) return [{ name, optional: true, type: 'GraphQLScalarType' }]
      if (isInterfaceType(type)) return [{ name, optional: true, type: objectText([{ name: '__resolveType', type: '(source: never) => string | undefined' }]) }]
      if (!isObjectType(type) || roots.includes(name)) return []
      // A document may be answered from a snapshot of it, which has the names of fields.
      const source = model.documents.has(name) ? '{ readonly body: Body }' : model.contained.has(name) ? stored.name(name) : 'unknown'
      const fields = fieldNamesIn(given, name)
      const resolved = fields.filter((each) => isResolved(objectType(model, name)?.fields.get(each)))
      const others = fields.filter((each) => !resolved.includes(each))
      const any = others.length > 0 ? [`FieldResolvers<${source}, ${unionText(others.map(literal))}>`] : []
      return [{ name, optional: resolved.length === 0, type: [...any, ...(resolved.length > 0 ? [this.#resolved(type, resolved)] : [])].join(' & ') }]
    })
  }

  /** Fields that only a resolver answers. Its source is the document itself: no snapshot has such a field. */
  #resolved(type: GraphQLObjectType, fields: readonly string[]): string {
    const { model, stored } = this.#options
    const source = model.documents.has(type.name) ? `StoredDocument<${stored.name(type.name)}>` : stored.name(type.name)
    return objectText(fields.map((name) => {
      const field = type.getFields()[name]!
      return { name, description: field.description, type: `Resolver<${this.#args(type.name, field)}, ${this.#result(field.type)}, ${source}>` }
    }))
  }

  #args(root: string, field: GraphQLField<unknown, unknown>): string {
    if (field.args.length === 0) return 'Record<never, never>'
    const name = this.#options.names.of(`args ${root}.${field.name}`, `${root}${field.name.charAt(0).toUpperCase()}${field.name.slice(1)}Args`)
    this.#needed.set(name, '')
    this.#needed.set(name, exportedType(name, this.#inputs(field.args), `The arguments of ${root}.${field.name}.`))
    return name
  }

  #inputs(fields: readonly (GraphQLArgument | GraphQLInputField)[]): string {
    return objectText(fields.map(({ name, description, type, defaultValue }) => ({ name, description, type: this.#input(type), optional: !isNonNullType(type) && defaultValue === undefined })))
  }

  #input(type: GraphQLInputType): string {
    if (!isNonNullType(type)) return `${this.#given(type)} | null`
    return this.#given(type.ofType)
  }

  #given(type: GraphQLInputType): string {
    const nullable = getNullableType(type)
    if (isListType(nullable)) return listText(this.#input(nullable.ofType))
    if (isInputObjectType(nullable)) return this.#inputObject(nullable)
    const { name } = nullable as { name: string }
    if (isEnumType(nullable)) return this.#enum(name, nullable.getValues().map((value) => value.name))
    // A custom scalar gives what its parseValue returns.
    return scalarTypes[name] ?? 'unknown'
  }

  #inputObject(type: GraphQLInputObjectType): string {
    const name = this.#options.names.of(`input ${type.name}`, type.name)
    if (this.#needed.has(name)) return name
    this.#needed.set(name, '')
    const fields = Object.values(type.getFields())
    const text = type.isOneOf
      ? fields.map((given) => objectText(fields.map((field) => (field === given ? { name: field.name, type: this.#given(field.type) } : { name: field.name, type: 'never', optional: true })))).join(' | ')
      : this.#inputs(fields)
    this.#needed.set(name, exportedType(name, text, type.description))
    return name
  }

  /** Enums of the user are declared by their names; those that Quire generates are written out. */
  #enum(name: string, values: readonly string[]): string {
    return namesIn(this.#options.given, [Kind.ENUM_TYPE_DEFINITION]).includes(name) ? this.#options.names.of(`enum ${name}`, name) : unionText(values.map(literal))
  }

  #result(type: GraphQLOutputType): string {
    if (isNonNullType(type)) return this.#returned(type.ofType)
    return `${this.#returned(type)} | null | undefined`
  }

  #returned(type: GraphQLOutputType): string {
    const { model, schema, stored } = this.#options
    const nullable = getNullableType(type)
    if (isListType(nullable)) return listText(this.#result(nullable.ofType))
    const { name } = nullable as { name: string }
    if (isEnumType(nullable)) return this.#enum(name, nullable.getValues().map((value) => value.name))
    // GraphQL accepts a number for an ID.
    if (isScalarType(nullable)) return name === 'ID' ? 'string | number' : (scalarTypes[name] ?? 'unknown')
    // Of a document its id is enough.
    if (model.documents.has(name)) return 'StoredDocument | string'
    const listed = /^(.+)Connection$/.exec(name)?.[1]
    if (listed !== undefined && model.documents.has(listed)) return 'DocumentPage'
    if (model.contained.has(name)) return stored.name(name)
    if (name === 'Node') return 'StoredDocument & { readonly typename: string }'
    if (isUnionType(nullable) || isInterfaceType(nullable)) return unionText([...new Set(schema.getPossibleTypes(nullable).map((member) => this.#returned(member)))])
    return isObjectType(nullable) && !/(Connection|Edge)$|^PageInfo$/.test(name) ? this.#payload(nullable) : 'unknown'
  }

  #payload(type: GraphQLObjectType): string {
    const name = this.#options.names.of(`payload ${type.name}`, type.name)
    if (this.#needed.has(name)) return name
    this.#needed.set(name, '')
    const fields = Object.values(type.getFields()).map((field): PropertyText =>
      ({ name: field.name, description: field.description, type: isNonNullType(field.type) ? this.#result(field.type) : `${this.#returned(field.type)} | null`, optional: !isNonNullType(field.type) }))
    this.#needed.set(name, exportedType(name, objectText(fields), type.description))
    return name
  }
}

/** The names that the SDL defines, in its order. */
function namesIn({ definitions }: DocumentNode, kinds: readonly Kind[]): string[] {
  return definitions.flatMap((node) => (kinds.includes(node.kind) && 'name' in node && node.name ? [node.name.value] : []))
}

/** The fields that the SDL gives to a type, also where it extends it. */
function fieldNamesIn({ definitions }: DocumentNode, type: string): string[] {
  return definitions.flatMap((node) =>
    ((node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.OBJECT_TYPE_EXTENSION) && node.name.value === type ? (node.fields ?? []).map(({ name }) => name.value) : []))
}
