// What a stored document looks like: its properties, their values, and which of them may be absent. It describes documents as
// Quire reads them, so a list may be absent (it counts as empty), although Quire always writes one.

import { comesFrom, storesProperty, type DocumentType, type Field, type Model, type ObjectType } from '../../model/model.ts'
import { partitionPaths } from '../../model/partition-key.ts'
import { hasNumericIds } from '../../model/pointers.ts'
import { storageTraits } from '../../model/storages.ts'
import { countProperty } from '../bucketed.ts'

export interface StoredProperty {
  readonly name: string
  readonly description: string | undefined
  readonly value: StoredValue
  readonly list: boolean
  /** Whether elements of the list can be null. */
  readonly nullableElements: boolean
  /** Whether it can be absent or null. */
  readonly optional: boolean
  /** Whether Quire fills it in, so that a new document may leave it out. */
  readonly filled: boolean
}

export type StoredValue =
  /** A value of that scalar, enum, contained type, or union or interface of contained types. */
  | { readonly form: 'value'; readonly type: string }
  /** An id; as a number where it looks like one, if `numeric`. */
  | { readonly form: 'id'; readonly numeric: boolean }
  | { readonly form: 'copy'; readonly properties: readonly StoredProperty[] }
  /** An entry of a bucketed list, which has a `number`. */
  | { readonly form: 'entry'; readonly type: string }
  | { readonly form: 'count' }
  /** Any text, or exactly this one. */
  | { readonly form: 'text'; readonly text?: string }

export function storedProperties(type: ObjectType, model: Model): StoredProperty[] {
  const document = model.documents.get(type.name)
  return [...[...type.fields.values()].flatMap((field) => ownProperties(field, model)), ...(document ? addedProperties(document) : [])]
}

/** The fields that functions compute from a stored object of this type. */
export function derivedFields(type: ObjectType): Field[] {
  return [...type.fields.values()].filter((field) => comesFrom(field, 'document'))
}

/** Whether only a resolver of the schema's own can answer a field. */
export function isResolved(field: Field | undefined): boolean {
  return comesFrom(field, 'resolver')
}

/** The stored properties of one field. */
function ownProperties(field: Field, model: Model): StoredProperty[] {
  const { shape, storage, required, description, target } = field
  if (!('at' in storage)) return []
  const property = (value: StoredValue): StoredProperty =>
    ({ name: storage.at, description, value, list: shape === 'list', nullableElements: !required, optional: shape === 'list' || !required, filled: false })
  switch (storageTraits[storage.kind].holds) {
    case 'value':
      return [property({ form: 'value', type: target })]
    case 'ids':
      return [property({ form: 'id', numeric: hasNumericIds(field) })]
    case 'snapshots':
      return [property({ form: 'copy', properties: 'fields' in storage ? copiedProperties(storage.fields, model.documents.get(target)!) : [] })]
    case 'entries': {
      const count = comesFrom(field, 'entries') ? countProperty(field, model) : ''
      return [
        { ...property({ form: 'entry', type: target }), list: true, nullableElements: false, optional: true },
        ...(storesProperty(model.documents.get(field.owner)!, count) ? [] : [added(count, { form: 'count' }, true)]),
      ]
    }
    case 'count':
      // Inside a contained object the list itself is counted.
      return model.documents.has(field.owner) ? [{ ...property('function' in storage ? { form: 'value', type: target } : { form: 'count' }), optional: true }] : []
  }
}

/** A snapshot has the names of fields, and a value for each: null, or an empty list, where the document has none. */
function copiedProperties(names: readonly string[], target: DocumentType): StoredProperty[] {
  const copied = names.filter((name) => name !== 'id').map((name) => target.fields.get(name)!)
  return [
    added('id', { form: 'id', numeric: false }),
    ...copied.map(({ name, description, target: type, shape, required }): StoredProperty =>
      ({ name, description, value: { form: 'value', type }, list: shape === 'list', nullableElements: !required, optional: shape === 'one' && !required, filled: false })),
  ]
}

/** The partition key and the type of a document, where no field declares them. */
function addedProperties(type: DocumentType): StoredProperty[] {
  const keys = partitionPaths(type.partitionKey).filter((path) => path.length === 1).map(([name]) => name!)
  return [
    ...(type.discriminator === undefined || storesProperty(type, 'type') ? [] : [added('type', { form: 'text', text: type.discriminator })]),
    ...keys.filter((name) => !storesProperty(type, name)).map((name) => added(name, { form: 'text' })),
  ]
}

function added(name: string, value: StoredValue, optional = false): StoredProperty {
  return { name, description: undefined, value, list: false, nullableElements: false, optional, filled: true }
}
