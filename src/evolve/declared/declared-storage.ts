// How a schema stores everything, as a plain object that can be kept in a store, read by people and compared. Descriptions, rules and
// indexes are not in it: documents do not depend on them.

import { createHash } from 'node:crypto'
import { isObject } from '../../model/json/json.ts'
import type { DocumentType, Field, Model, ObjectType } from '../../model/model.ts'
import { storageTraits } from '../../model/storages.ts'
import { declaredName, type ContainerLocations } from '../../store/migration/container-locations.ts'

export interface DeclaredStorage {
  readonly documents: Readonly<Record<string, DeclaredType>>
  readonly contained: Readonly<Record<string, Pick<DeclaredType, 'fields'>>>
}

export interface DeclaredType {
  readonly container: string
  /** The value of the `type` property, where the container is shared. */
  readonly type?: string
  /** As text: `/postId`, or the rule of a synthetic key. */
  readonly partitionKey: string
  /** The property paths that hold the key. */
  readonly partitionPaths: readonly (readonly string[])[]
  readonly fields: Readonly<Record<string, DeclaredField>>
  /** It is not declared any more; its documents stay. */
  readonly dropped?: true
}

export interface DeclaredField {
  /** The directive, with its arguments. */
  readonly storage: Readonly<Record<string, unknown>> & { readonly kind: string; readonly at?: string }
  readonly target: string
  readonly shape: Field['shape']
  readonly required: boolean
  /** Of an enum, its values; of a union, the properties that tell its members apart. */
  readonly values?: readonly string[]
  readonly unique?: true
  /** It is not declared any more; documents still have its property. */
  readonly dropped?: true
}

export function declaredStorage(model: Model): DeclaredStorage {
  return {
    documents: Object.fromEntries([...model.documents.values()].map((type) => [type.name, documentOf(type, model)])),
    contained: Object.fromEntries([...model.contained.values()].map((type) => [type.name, { fields: fieldsOf(type, model) }])),
  }
}

/** As the schema names its containers, wherever their documents are. */
export function namedStorage({ model, locations }: { readonly model: Model; readonly locations: ContainerLocations }): DeclaredStorage {
  const { documents, contained } = declaredStorage(model)
  return { documents: Object.fromEntries(Object.entries(documents).map(([name, type]) => [name, { ...type, container: declaredName(locations, type.container) }])), contained }
}

/** The same for the same storage, in whatever order a schema declares it. */
export function storageHash(storage: DeclaredStorage): string {
  return createHash('sha256').update(JSON.stringify(storage, (_, value: unknown) => (isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))) : value))).digest('base64url').slice(0, 16)
}

function documentOf(type: DocumentType, model: Model): DeclaredType {
  const { container, discriminator, partitionKey: key } = type
  return {
    container,
    ...(discriminator === undefined ? {} : { type: discriminator }),
    partitionKey: key.form === 'paths' ? key.paths.map((path) => `/${path.join('/')}`).join(', ') : JSON.stringify({ at: key.at, concat: key.concat, suffix: key.suffix }),
    partitionPaths: key.form === 'paths' ? key.paths : [[key.at]],
    fields: fieldsOf(type, model),
  }
}

function fieldsOf(type: ObjectType, model: Model): Record<string, DeclaredField> {
  return Object.fromEntries([...type.fields.values()].map((field) => {
    const { name, storage, target, shape, required, unique } = field
    return [name, { storage: declaredKind(storage), target, shape, required, ...valuesOf(field, model), ...(unique ? { unique } : {}) }]
  }))
}

/** In whatever order the schema declares them. */
function valuesOf({ storage, target }: Field, { enums, unions }: Model): Pick<DeclaredField, 'values'> {
  const values = storageTraits[storage.kind].holds === 'value' ? (enums.get(target) ?? unions.get(target)?.flatMap(({ has }) => has ?? [])) : undefined
  return values ? { values: values.toSorted() } : {}
}

/** The directive of a field with its arguments, without indexes. */
export function declaredKind(storage: Field['storage']): DeclaredField['storage'] {
  return JSON.parse(JSON.stringify({ ...storage, indexed: undefined })) as DeclaredField['storage']
}

/**
 * What a store knows after it is served under another schema: everything that was declared before and is not now is dropped, and not
 * forgotten. `forgotten` are types of which a migration has left no document, and fields whose property it has removed.
 */
export function merged(before: DeclaredStorage, now: DeclaredStorage, forgotten: readonly string[] = []): DeclaredStorage {
  const gone = new Set([...forgotten, ...Object.keys(before.documents).filter((name) => !now.documents[name] && typeAt(now, before.documents[name]!))])
  const documents = { ...droppedOf(before.documents, now.documents, gone), ...withDropped(before.documents, now.documents, gone) }
  const contained = Object.fromEntries(Object.entries(before.contained).filter(([name]) => !now.documents[name]))
  return { documents, contained: { ...contained, ...withDropped(before.contained, now.contained, gone) } }
}

/** A type as its documents are stored. One that was renamed has them where they were. */
export function storedTypeOf({ documents }: DeclaredStorage, name: string, now: DeclaredType): DeclaredType | undefined {
  return documents[name] ?? Object.values(documents).find(({ container, type }) => container === now.container && type === now.type)
}

/** The name of the type whose documents are in the same place. */
export function typeAt({ documents }: DeclaredStorage, { container, type }: DeclaredType): string | undefined {
  return Object.keys(documents).find((name) => !documents[name]!.dropped && documents[name]!.container === container && documents[name]!.type === type)
}

function droppedOf(before: DeclaredStorage['documents'], now: DeclaredStorage['documents'], gone: ReadonlySet<string>): Record<string, DeclaredType> {
  return Object.fromEntries(Object.entries(before).filter(([name]) => !now[name] && !gone.has(name)).map(([name, type]) => [name, { ...type, dropped: true as const }]))
}

function withDropped<T extends Pick<DeclaredType, 'fields'>>(before: Readonly<Record<string, T>>, now: Readonly<Record<string, T>>, forgotten: ReadonlySet<string>): Record<string, T> {
  return Object.fromEntries(Object.entries(now).map(([name, type]) => {
    const gone = Object.entries(before[name]?.fields ?? {}).filter(([field]) => !type.fields[field] && !forgotten.has(`${name}.${field}`))
    return [name, { ...type, fields: { ...Object.fromEntries(gone.map(([field, each]) => [field, { ...each, dropped: true as const }])), ...type.fields } }]
  }))
}
