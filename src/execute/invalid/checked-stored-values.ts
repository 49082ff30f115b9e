// Values that do not fit their type, before GraphQL.js meets them: its own error would quote a stored value, or say nothing that
// helps. Each value that does not fit becomes an error in its place, so GraphQL.js decides which nulls follow, and everything
// else is answered.

import {
  getNamedType, isIntrospectionType, isLeafType, isListType, isNonNullType, isObjectType,
  type GraphQLField, type GraphQLLeafType, type GraphQLObjectType, type GraphQLOutputType, type GraphQLSchema,
} from 'graphql'
import type { Body } from '../../model/json/json.ts'
import { objectType, type Field, type Model } from '../../model/model.ts'
import { Copy } from '../../relations/kind.ts'
import { whenRead } from '../../store/maybe-promise.ts'
import { checkedValue } from '../answer/checked-values.ts'
import { documentOf, noteEntries, noteHolder } from './document-holders.ts'
import { DocumentInvalidError } from './document-invalid.ts'
import { shapeOf } from '../resolvers.ts'

export interface CheckedValues {
  readonly model: Model
  /** The `Type.field` of the schema's own resolvers: what they return is not stored. */
  readonly custom: ReadonlySet<string>
  /** Whether clients see the value that does not fit. */
  readonly development: boolean
}

/** Compiled plans leave such values to GraphQL.js, so only its resolvers are checked. */
export function checkStoredValues(schema: GraphQLSchema, checked: CheckedValues): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue
    for (const field of Object.values(type.getFields())) checkField(type, field, checked)
  }
}

function checkField(type: GraphQLObjectType, field: GraphQLField<unknown, unknown>, checked: CheckedValues): void {
  // Without a resolver it is a field of what a resolver of Quire, or a mutation of the schema, returned.
  if (!field.resolve) return
  const coordinate = `${type.name}.${field.name}`
  const stored = checked.custom.has(coordinate) ? undefined : objectType(checked.model, type.name)?.fields.get(field.name)
  if (stored) after(field, fitting(stored, field.type, type.name, checked))
  else if (checked.model.contained.has(type.name.replace(/Connection$/, '')) && (field.name === 'nodes' || field.name === 'edges')) after(field, ofConnection)
}

type Look = (value: unknown, source: unknown) => unknown

function after(field: GraphQLField<unknown, unknown>, look: Look): void {
  const resolve = field.resolve!
  field.resolve = (source, args, context, info) => whenRead(resolve(source, args, context, info), (value) => look(value, source))
}

const ofConnection: Look = (listed, connection) => {
  noteEntries(connection, listed as readonly object[])
  return listed
}

/** Replaces what does not fit, in a list its elements, by errors. */
function fitting(field: Field, type: GraphQLOutputType, typeName: string, { model, custom, development }: CheckedValues): Look {
  const named = getNamedType(type)
  const leaf = isLeafType(named) ? named : undefined
  // A resolver of the schema's own may know more shapes.
  const shapes = custom.has(`${field.target}.__resolveType`) ? undefined : model.unions.get(field.target)
  const hasShape = (value: Body): boolean => !shapes || shapeOf(value, shapes) !== undefined
  return (value, source) => {
    const holder = documentOf(source, typeName)
    // An object that a resolver of the schema's own has made.
    if (!holder) return leaf ? checkedValue(value, leaf, field.coordinate, source) : value
    const misfit = (found: unknown): Error => new DocumentInvalidError({
      coordinate: field.coordinate, expected: String(type), value: found,
      document: holder,
      ...(source instanceof Copy ? { copyOf: { type: typeName, id: String(source.body['id']) } } : {}),
      advice: source instanceof Copy ? 'Run "quire check --repair".' : adviceOn(field),
    }, development)
    if (!leaf) noteHolder(value, holder)
    if ((value === null || value === undefined) && isNonNullType(type)) return misfit(storedValue(field, source))
    return fitted(value, type, { misfit, hasShape })
  }
}

interface Checks {
  readonly misfit: (found: unknown) => Error
  readonly hasShape: (value: Body) => boolean
}

/** GraphQL.js treats an error as one that was thrown where it stands. */
function fitted(value: unknown, type: GraphQLOutputType, checks: Checks): unknown {
  if (isNonNullType(type)) return value === null || value === undefined ? checks.misfit(null) : fitted(value, type.ofType, checks)
  if (value === null || value === undefined || value instanceof Error) return value
  if (isListType(type)) {
    if (!Array.isArray(value)) return checks.misfit(value)
    const elements = value.map((each) => fitted(each, type.ofType, checks))
    return elements.some((each, at) => each !== value[at]) ? elements : value
  }
  if (isLeafType(type)) return canSerialize(type, value) ? value : checks.misfit(value)
  if (typeof value !== 'object' || Array.isArray(value)) return checks.misfit(value)
  return checks.hasShape(value as Body) ? value : checks.misfit(value)
}

/** As the document has it, to tell a property that is missing from one that is null. */
function storedValue({ storage, name }: Field, source: unknown): unknown {
  if (source instanceof Copy) return source.body[name]
  const body = (source as { readonly body?: Record<string, unknown> }).body ?? (source as Record<string, unknown>)
  return 'at' in storage ? body[storage.at] : null
}

function adviceOn({ storage }: Field): string {
  if (!('at' in storage)) return 'Correct the document or the function that computes the field, or make the field nullable.'
  return 'Correct the document or the type of the field; "quire check" finds all such documents.'
}

function canSerialize(leaf: GraphQLLeafType, value: unknown): boolean {
  try {
    leaf.serialize(value)
    return true
  } catch {
    return false
  }
}
