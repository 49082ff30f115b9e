// The checked model: how the data of a schema is stored, in the form that the rest of Quire uses. It is read
// from the SDL alone and knows nothing of stores or requests.

import type { PartitionKey } from './partition-key.ts'
import type { Rule } from './rule.ts'
import type { Constraint } from './values/constraint.ts'
import type { Default } from './values/read-values.ts'
import { storageTraits, type Source, type Storage, type StorageFrom, type StorageHolding, type StorageKind, type StorageOf } from './storages.ts'

export interface Model {
  /** The types that are stored as documents, by name. */
  readonly documents: ReadonlyMap<string, DocumentType>
  /** The types that exist only inside documents, by name. */
  readonly contained: ReadonlyMap<string, ContainedType>
  /** The unions of contained types, by name. */
  readonly unions: ReadonlyMap<string, readonly ContainedType[]>
  /** The values of the schema's enums, by name. */
  readonly enums: ReadonlyMap<string, readonly string[]>
  /** The rules of root fields that the schema adds, by `Type.field`. */
  readonly roots: ReadonlyMap<string, Rule>
}

export interface ObjectType {
  readonly name: string
  /** Who may read it; everyone without a rule. */
  readonly readable?: Rule | undefined
  /** Who may write it, where the schema has a rule. */
  readonly writable?: Rule | undefined
  readonly fields: ReadonlyMap<string, Field>
}

export interface DocumentType extends ObjectType {
  readonly container: string
  readonly partitionKey: PartitionKey
  /** The value of the `type` property, where the container is shared. */
  readonly discriminator: string | undefined
  /** Whether clients can subscribe to its changes. */
  readonly subscribable?: boolean
  /** The names of the root fields: `post` and `posts`. */
  readonly singular: string
  readonly plural: string
  /** The fields of each `@index`, as they are written. declared-indexes.ts reads them. */
  readonly indexes: readonly (readonly string[])[]
}

export interface ContainedType extends ObjectType {
  /** The property that tells this shape from the others of its union. */
  readonly has: string | undefined
}

/** A field of a type and how its value is stored. */
export interface Field<S extends Storage = Storage> {
  /** The type that has the field. */
  readonly owner: string
  readonly name: string
  /** `Type.field`, as messages and the cost report name it. */
  readonly coordinate: string
  /** Its description in the SDL. */
  readonly description: string | undefined
  /** The type of a value, or of one element of a list, or of one node of a connection. */
  readonly target: string
  readonly shape: 'one' | 'list' | 'connection'
  /** The name of one value: `category` of the list `categories`. */
  readonly singular: string
  /** Whether the value cannot be null; for a list, whether its elements cannot be null. */
  readonly required: boolean
  /** Whether the value is a scalar or an enum. */
  readonly leaf: boolean
  readonly indexed: boolean
  /** Whether no two documents of its type have the same value. */
  readonly unique?: boolean
  /** What its values must be. */
  readonly constraint?: Constraint
  /** Its value in a new document. */
  readonly default?: Default
  /** Who may read it, among viewers who may read the type. */
  readonly readable?: Rule | undefined
  readonly storage: S
}

/** Narrows a field to one way of being stored. */
export function isStored<K extends StorageKind>(field: Field | undefined, ...kinds: K[]): field is Field<StorageOf<K>> {
  return field !== undefined && (kinds as StorageKind[]).includes(field.storage.kind)
}

/** Narrows a field to those whose values come from there. */
export function comesFrom<S extends Source>(field: Field | undefined, ...sources: S[]): field is Field<StorageFrom<S>> {
  return field !== undefined && (sources as Source[]).includes(storageTraits[field.storage.kind].from)
}

/** The object type of that name, a document type or a contained type. */
export function objectType(model: Model, name: string): ObjectType | undefined {
  return model.documents.get(name) ?? model.contained.get(name)
}

/** Every field of every type. */
export function allFields(model: Model): Field[] {
  return [...model.documents.values(), ...model.contained.values()].flatMap((type) => [...type.fields.values()])
}

/** The field behind `Type.field`. */
export function fieldAt(model: Model, coordinate: string): Field | undefined {
  const [type = '', field = ''] = coordinate.split('.')
  return objectType(model, type)?.fields.get(field)
}

/** The document type a checked relation points at. */
export function targetOf(model: Model, field: Field): DocumentType {
  const target = model.documents.get(field.target)
  if (!target) throw new Error(`${field.coordinate} points at ${field.target}, which is not a document type.`)
  return target
}

/** The property path of a stored value, or of the ids of a reference; `'*'` is any element of a list. */
export function storedPath({ shape, storage }: Field): readonly string[] | undefined {
  if (!('at' in storage)) return undefined
  const { holds } = storageTraits[storage.kind]
  if (holds === 'entries') return undefined
  return [storage.at, ...(shape === 'list' ? ['*'] : []), ...(holds === 'snapshots' ? ['id'] : [])]
}

/** The path of a field's copies, in the documents that hold snapshots of its document. */
export function copiedPath({ shape, storage: { at } }: Field<StorageHolding<'snapshots'>>, name: string): readonly string[] {
  return [at, ...(shape === 'list' ? ['*'] : []), name]
}

/** The field whose value or ids a document of this type stores in that property. */
export function fieldStoredAt(type: ObjectType, property: string): Field | undefined {
  return [...type.fields.values()].find(({ storage }) => 'at' in storage && storage.at === property)
}

export function storesProperty(type: ObjectType, property: string): boolean {
  return fieldStoredAt(type, property) !== undefined
}

/** The stored properties, beside the id, that a point read of a document needs. */
export function partitionProperties(type: DocumentType): readonly string[] {
  const key = type.partitionKey
  const parts = key.form === 'paths'
    ? key.paths.map(([property]) => property!).filter((property) => storesProperty(type, property))
    : [...key.concat, ...(key.suffix?.form === 'hashed' ? [key.suffix.hashOf] : [])]
  return parts.filter((property) => property !== 'id')
}
