// Checks that apply to every relation kind. Each problem names `Type.field`, says what is wrong and what to write
// instead. The checks of one kind are in that kind's file in relations/.

import { checkRules } from './check-rules.ts'
import { allFields, type ContainedType, type DocumentType, type Field, type Model } from './model.ts'
import { partitionPaths } from './partition-key.ts'
import { holdsIds } from './pointers.ts'
import { storageTraits } from './storages.ts'

export function checkModel(model: Model): string[] {
  const documents = [...model.documents.values()]
  if (documents.length === 0) return ['There is no document type. Add @document to a type whose documents are to be served.']
  return [
    ...documents.flatMap((type) => [...checkIdentity(type), ...checkPartitionKey(type)]),
    ...checkContainers(documents),
    ...checkRootFields(documents),
    ...allFields(model).flatMap((field) => [...checkNames(field), ...checkTarget(field, model), ...checkBound(field), ...checkIndexed(field)]),
    ...[...model.unions].flatMap(([name, members]) => checkShapes(name, members)),
    ...checkRules(model),
  ]
}

function checkIdentity(type: DocumentType): string[] {
  const problems: string[] = []
  const id = type.fields.get('id')
  if (!id || id.target !== 'ID' || id.shape !== 'one' || !id.required || id.storage.kind !== 'stored') {
    problems.push(`${type.name} is a document type, so it needs the field id: ID!.`)
  }
  for (const given of ['nodeId', 'etag']) {
    if (type.fields.has(given)) problems.push(`${type.name}.${given} is given to every document type by Quire. Remove the field or rename it.`)
  }
  return problems
}

function checkPartitionKey(type: DocumentType): string[] {
  const key = type.partitionKey
  const properties = new Set([...type.fields.values()].flatMap((field) => ('at' in field.storage ? [field.storage.at] : [])))
  if (key.form === 'synthetic') {
    return [...key.concat, ...(key.suffix?.form === 'hashed' ? [key.suffix.hashOf] : [])]
      .filter((property) => !properties.has(property))
      .map((property) => `${type.name}: the partition key uses ${property}, which no field of ${type.name} is stored as. Name a stored property.`)
  }
  const undeclared = key.paths.filter(([property]) => !properties.has(property!))
  if (undeclared.length < 2) return []
  const names = undeclared.map((path) => `/${path.join('/')}`).join(' and ')
  return [`${type.name}: no field is stored at ${names}. At most one part of a partition key can be left out, and holds the id: declare the others.`]
}

function checkContainers(documents: readonly DocumentType[]): string[] {
  const problems: string[] = []
  const kept = new Map<string, { name: string; type: string | undefined; paths: string }[]>()
  const keep = (container: string, name: string, type: string | undefined, paths: string) =>
    kept.set(container, [...(kept.get(container) ?? []), { name, type, paths }])
  for (const document of documents) {
    const paths = partitionPaths(document.partitionKey).map((path) => `/${path.join('/')}`).join(', ')
    keep(document.container, document.name, document.discriminator, paths)
    for (const field of document.fields.values()) {
      if (field.storage.kind === 'bucketed') keep(document.container, `the buckets of ${field.coordinate}`, field.storage.type, paths)
    }
  }
  for (const [container, all] of kept) {
    for (const [index, one] of all.entries()) {
      for (const other of all.slice(index + 1)) {
        const both = `${one.name} and ${other.name} share the container ${container}`
        const untyped = [one, other].find(({ type }) => type === undefined)
        if (untyped) problems.push(`${both}, and ${untyped.name} has no type. Add type: "…" to tell their documents apart.`)
        else if (one.type === other.type) problems.push(`${both} and the type "${other.type}". Give each its own.`)
        if (one.paths !== other.paths) {
          problems.push(`${both}, which has one partition key: ${one.paths} and ${other.paths} have to be the same.`)
        }
      }
    }
  }
  return problems
}

function checkRootFields(documents: readonly DocumentType[]): string[] {
  const problems: string[] = []
  const taken = new Map<string, string>([['node', 'Quire itself']])
  for (const type of documents) {
    for (const name of [type.singular, type.plural]) {
      const other = taken.get(name)
      if (other) problems.push(`${type.name} would have the root field ${name}, which is taken by ${other}. Say @document(plural: "…").`)
      taken.set(name, type.name)
    }
  }
  return problems
}

/** Documents and inputs would seem to have such a property even if they do not. */
function checkNames({ coordinate, name, storage }: Field): string[] {
  const at = 'at' in storage ? storage.at : undefined
  if (name in Object.prototype) return [`${coordinate} has a name that every object of JavaScript has already. Call it something else.`]
  if (at !== undefined && at in Object.prototype) return [`${coordinate} is stored at "${at}", which every object of JavaScript has already. Store it under another name.`]
  // In paths, "*" stands for every element of a list.
  if (at === '*') return [`${coordinate} is stored at "*", which means every element of a list. Store it under another name.`]
  return []
}

function checkTarget(field: Field, model: Model): string[] {
  const document = model.documents.has(field.target)
  const { kind } = field.storage
  if (document && (kind === 'stored' || kind === 'contained' || kind === 'derived')) {
    return [`${field.coordinate} returns ${field.target} documents and does not say how they are found. Add @reference, @snapshot, @reverse or @joined.`]
  }
  if (field.shape === 'connection' && !storageTraits[kind].pages) {
    return [`${field.coordinate} is a connection, and @${kind} does not page. Return ${field.target} or [${field.target}!]!, or declare it @reverse, @joined or @bucketed.`]
  }
  return []
}

function checkBound(field: Field): string[] {
  const { storage } = field
  if (field.shape !== 'list' || (storage.kind !== 'stored' && storage.kind !== 'contained')) return []
  if (storage.kind === 'contained' && storage.max !== undefined) return []
  return [`${field.coordinate} is a list inside its document with no bound. Say how long it can get with @contained(max: …), or declare it @bucketed.`]
}

function checkIndexed(field: Field): string[] {
  const { kind } = field.storage
  if (!field.indexed) return []
  if ((kind === 'stored' && field.leaf) || holdsIds(field) || kind === 'counted') return []
  return [`${field.coordinate} is @indexed, and a store can only index what it stores. Put @indexed on a stored scalar or on a reference.`]
}

function checkShapes(union: string, members: readonly ContainedType[]): string[] {
  return members.filter((member) => member.has === undefined).map(
    (member) => `${union} can be ${member.name}, and nothing tells that shape from the others. Add @shape(has: "…") to ${member.name}.`,
  )
}
