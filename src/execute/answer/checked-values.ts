// Values of the schema's own resolvers that their type cannot represent. GraphQL's own error would quote the value to clients; this
// one names the field instead. Stored values are in invalid/.

import { getNamedType, isIntrospectionType, isLeafType, isObjectType, type GraphQLField, type GraphQLLeafType, type GraphQLSchema } from 'graphql'
import { ClientVisibleError } from '../../errors.ts'

/** Compiled plans leave such values to GraphQL.js, so only its resolvers are checked. */
export function checkValues(schema: GraphQLSchema, isStored: (coordinate: string) => boolean): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue
    for (const field of Object.values(type.getFields())) {
      const leaf = getNamedType(field.type)
      if (isLeafType(leaf) && !isStored(`${type.name}.${field.name}`)) check(field, leaf, `${type.name}.${field.name}`)
    }
  }
}

class UnrepresentableValueError extends ClientVisibleError {
  override readonly name = 'UnrepresentableValueError'
  override readonly code = 'INTERNAL_SERVER_ERROR'
  readonly #id: unknown
  readonly #coordinate: string

  /** The log has no ids of documents, so only clients see the id. */
  constructor(coordinate: string, leaf: GraphQLLeafType, id: unknown) {
    super(`${coordinate}: ${leaf.name} cannot represent its value. Correct the value, or the type of the field.`)
    this.#coordinate = coordinate
    this.#id = id
  }

  override get clientMessage(): string {
    return typeof this.#id === 'string' ? this.message.replace(this.#coordinate, () => `${this.#coordinate} of ${this.#id as string}`) : this.message
  }
}

function check(field: GraphQLField<unknown, unknown>, leaf: GraphQLLeafType, coordinate: string): void {
  const { resolve } = field
  // Compiled plans read such fields inline, and leave those that do not fit to `measuredProperty`.
  if (!resolve) return
  field.resolve = (source, args, context, info) => checkedValue(resolve(source, args, context, info), leaf, coordinate, source)
}

/** The value, or an error in place of it. */
export function checkedValue(value: unknown, leaf: GraphQLLeafType, coordinate: string, source: unknown): unknown {
  if (value instanceof Promise) return value.then((found) => checkedValue(found, leaf, coordinate, source))
  // An element may be late, and fails by itself.
  if (Array.isArray(value) && value.some((each) => each instanceof Promise)) return value.map((each) => checkedValue(each, leaf, coordinate, source))
  if (!isRepresentable(value, leaf)) throw new UnrepresentableValueError(coordinate, leaf, idOf(source))
  return value
}

function isRepresentable(value: unknown, leaf: GraphQLLeafType): boolean {
  if (value === null || value === undefined || value instanceof Error) return true
  if (Array.isArray(value)) return value.every((each) => isRepresentable(each, leaf))
  try {
    leaf.serialize(value)
    return true
  } catch {
    return false
  }
}

/** Of a document, or of the snapshot in place of it. */
function idOf(source: unknown): unknown {
  return (source as { readonly body?: { readonly id?: unknown } } | undefined)?.body?.id
}
