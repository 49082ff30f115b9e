// The old model, built from the declaration that the store keeps. It is enough to read documents and their links. It has no rules,
// descriptions or indexes, because documents do not depend on them.

import type { ContainedType, DocumentType, Field, Model } from '../../../model/model.ts'
import type { PartitionKey } from '../../../model/partition-key.ts'
import type { Storage } from '../../../model/storages.ts'
import { layoutOf } from '../../../relations/declaration.ts'
import type { ContainerLayout, IndexLayout } from '../../../store/store.ts'
import { tenantedLayout } from '../../../store/tenants/tenant-layout.ts'
import type { DeclaredField, DeclaredStorage, DeclaredType } from '../../declared/declared-storage.ts'

/** Of what was dropped, only what `now` declares again. */
export function storedModel(before: DeclaredStorage, now: DeclaredStorage): Model {
  const isObject = (target: string): boolean => before.documents[target] !== undefined || before.contained[target] !== undefined
  const documents = Object.entries(before.documents).filter(([name, { dropped }]) => !dropped || now.documents[name])
  return {
    documents: new Map(documents.map(([name, type]) => [name, documentOf(name, type, now.documents[name], isObject)])),
    contained: new Map(Object.entries(before.contained).filter(([name]) => before.documents[name] === undefined || before.documents[name].dropped).map(([name, type]) => [name, containedOf(name, type, now.contained[name], isObject)])),
    unions: new Map(),
    enums: new Map(),
    roots: new Map(),
  }
}

/** The containers of both models: a store that has them can be read as it was and written as it will be. */
export function layoutOfBoth(before: Model, now: readonly ContainerLayout[], tenants: boolean): ContainerLayout[] {
  const layouts = new Map(now.map((layout) => [layout.name, layout]))
  const own = layoutOf(before)
  for (const layout of tenants ? tenantedLayout(own) : own) {
    const known = layouts.get(layout.name)
    layouts.set(layout.name, known ? { ...known, indexes: distinct([...known.indexes, ...layout.indexes]), untyped: known.untyped === true && layout.untyped === true } : layout)
  }
  return [...layouts.values()]
}

function distinct(indexes: readonly IndexLayout[]): IndexLayout[] {
  return [...new Map(indexes.map((index) => [JSON.stringify(index), index])).values()]
}

type Fields = Pick<DeclaredType, 'fields'>
type IsObject = (target: string) => boolean

function documentOf(name: string, type: DeclaredType, now: Fields | undefined, isObject: IsObject): DocumentType {
  return { name, container: type.container, discriminator: type.type, partitionKey: partitionKeyOf(type), singular: name, plural: name, fields: fieldsOf(name, type, now, isObject), indexes: [] }
}

function containedOf(name: string, type: Fields, now: Fields | undefined, isObject: IsObject): ContainedType {
  return { name, has: undefined, fields: fieldsOf(name, type, now, isObject) }
}

function partitionKeyOf({ partitionKey, partitionPaths }: DeclaredType): PartitionKey {
  return partitionKey.startsWith('{') ? { form: 'synthetic', ...(JSON.parse(partitionKey) as Omit<Extract<PartitionKey, { form: 'synthetic' }>, 'form'>) } : { form: 'paths', paths: partitionPaths }
}

function fieldsOf(owner: string, { fields }: Fields, now: Fields | undefined, isObject: IsObject): Map<string, Field> {
  return new Map(Object.entries(fields).filter(([name, { dropped }]) => !dropped || now?.fields[name]).map(([name, field]) => [name, fieldOf(owner, name, field, isObject)]))
}

function fieldOf(owner: string, name: string, { storage, target, shape, required }: DeclaredField, isObject: IsObject): Field {
  const leaf = !isObject(target)
  return { owner, name, coordinate: `${owner}.${name}`, description: undefined, target, shape, singular: name, required, leaf, indexed: false, storage: withIndexes(storage) }
}

/** A stored declaration has no indexes: documents do not depend on them. */
function withIndexes(storage: DeclaredField['storage']): Storage {
  return { ...storage, ...('fields' in storage ? { indexed: [] } : {}) } as unknown as Storage
}
