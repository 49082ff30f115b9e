// Checks that apply to every relation kind. Each problem names `Type.field`, says what is wrong and what to write
// instead. The checks of one kind are in that kind's file in relations/.

import { checkGeneratedNames } from './check-names.ts'
import { checkPartitionKey } from './check-partition-key.ts'
import { checkNames, checkProperties } from './check-properties.ts'
import { checkRules } from './check-rules.ts'
import { checkContainedIndex } from '../contained-fields.ts'
import { storedTypes, innerTypes, isInside } from '../stored-types.ts'
import { checkIndexes } from '../declared-indexes.ts'
import { allFields, comesFrom, type ContainedType, type DocumentType, type Field, type Model, type ObjectType } from '../model.ts'
import { isFoundById } from '../keys/partition.ts'
import { partitionPaths } from '../partition-key.ts'
import { holdsIds, isPointer } from '../pointers.ts'
import { knownScalars } from '../values/known-scalars.ts'
import { storageTraits } from '../storages.ts'

export function checkModel(model: Model): string[] {
  const documents = [...model.documents.values()]
  if (documents.length === 0) return ['The schema has no document type. Add @document(container: "…") to each type that is stored as documents.']
  const held = storedTypes(model)
  return [
    ...documents.flatMap((type) => [...checkIdentity(type), ...checkPartitionKey(type, model), ...checkIndexes(type, model)]),
    ...checkContainers(documents),
    ...checkProperties(model),
    ...checkGeneratedNames(model),
    ...allFields(model).flatMap((field) => [...checkNames(field), ...checkIndexed(field, model), ...checkUnique(field, model), ...checkWritten(field)]),
    // What resolvers of the schema's own return need not be found or bounded.
    ...[...held].flatMap(({ fields }) => [...fields.values()]).flatMap((field) => [...checkTarget(field, model), ...checkBound(field)]),
    ...checkInnerObjects(held, model),
    ...[...model.unions].flatMap(([name, members]) => checkShapes(name, members)),
    ...checkRules(model),
  ]
}

function checkIdentity(type: DocumentType): string[] {
  const problems: string[] = []
  const id = type.fields.get('id')
  if (!id || id.target !== 'ID' || id.shape !== 'one' || !id.required || !comesFrom(id, 'client')) {
    problems.push(`${type.name}: a document type needs an id. Add the field id: ID!.`)
  }
  for (const given of ['nodeId', 'etag']) {
    if (type.fields.has(given)) problems.push(`${type.name}.${given}: Quire adds a field of this name to every document type. Remove or rename yours.`)
  }
  return problems
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
      if (comesFrom(field, 'entries')) keep(document.container, `the buckets of ${field.coordinate}`, field.storage.type, paths)
    }
  }
  for (const [container, all] of kept) {
    for (const [index, one] of all.entries()) {
      for (const other of all.slice(index + 1)) {
        const both = `${one.name} and ${other.name} share the container ${container}`
        const untyped = [one, other].find(({ type }) => type === undefined)
        if (untyped) problems.push(`${both}, but ${untyped.name} has no type to tell its documents apart. Add type: "…" to its @document.`)
        else if (one.type === other.type) problems.push(`${both} and the type "${other.type}". Give each a type of its own.`)
        if (one.paths !== other.paths) {
          problems.push(`${both} but have different partition keys, ${one.paths} and ${other.paths}. Give both the same partitionKey.`)
        }
      }
    }
  }
  return problems
}

function checkTarget(field: Field, model: Model): string[] {
  const document = model.documents.has(field.target)
  const { kind } = field.storage
  if (document && comesFrom(field, 'client', 'part', 'document', 'copy')) {
    return [`${field.coordinate}: it returns ${field.target} documents but does not declare how to find them. Add @reference, @snapshot, @reverse or @joined, or @resolved with a resolver.`]
  }
  if (field.shape === 'connection' && !storageTraits[kind].pages) {
    return [`${field.coordinate}: @${kind} cannot return a connection. Return ${field.target} or [${field.target}!]!, or declare it @reverse, @joined or @bucketed.`]
  }
  return []
}

/** Objects inside of documents need a type that says what is stored. */
function checkInnerObjects(held: ReadonlySet<ObjectType>, model: Model): string[] {
  return [...held].flatMap(({ fields }) => [...fields.values()]).flatMap((field) => {
    if (!isInside(field, model) || innerTypes(field, model)) return []
    return [`${field.coordinate}: ${field.target} is neither an object type nor a union of object types, so nothing says what is stored. Return an object type, or a union whose members have @shape(has: "…").`]
  })
}

function checkBound(field: Field): string[] {
  if (field.shape !== 'list' || !comesFrom(field, 'client', 'part')) return []
  if ('max' in field.storage && field.storage.max !== undefined) return []
  return [`${field.coordinate}: a list inside a document needs a max length. Add @contained(max: …), or declare it @bucketed.`]
}

function checkIndexed(field: Field, model: Model): string[] {
  if (!field.indexed || field.unique) return []
  // Filters and orders are those of documents.
  if (!model.documents.has(field.owner)) return checkContainedIndex(field, model)
  if (field.leaf && isIncomparable(field)) return [`${field.coordinate}: values of ${field.target} cannot be compared, so there is no index of them. Remove @indexed.`]
  if ((comesFrom(field, 'client', 'part', 'copy') && field.leaf) || holdsIds(field) || comesFrom(field, 'list')) return []
  return [`${field.coordinate}: @indexed needs a stored value. Put it on a stored scalar, a list of scalars, a reference, a count or an aggregate, or on the fields of what is contained.`]
}

function isIncomparable({ target }: Field): boolean {
  return Object.hasOwn(knownScalars, target) && !knownScalars[target]!.comparable
}

function checkUnique(field: Field, model: Model): string[] {
  if (!field.unique) return []
  if (!model.documents.has(field.owner)) return [`${field.coordinate}: @unique does nothing here, because ${field.owner} is not a document type. Remove it, or store the value as a field of the document.`]
  if (field.name === 'id' && isFoundById(model.documents.get(field.owner)!)) return [`${field.coordinate}: an id is unique already. Remove @unique.`]
  if (comesFrom(field, 'client') && field.leaf && field.shape === 'one' && !isIncomparable(field)) return []
  return [`${field.coordinate}: @unique needs one stored value. Put it on a stored scalar or enum that is not a list.`]
}

/** Clients write only some kinds, and Quire keeps the others. */
function checkWritten(field: Field): string[] {
  const { constraint, default: given, storage, coordinate, name } = field
  if (!constraint && !given) return []
  const word = constraint ? 'constraint' : 'default'
  if (name === 'id' && given) return [`${coordinate}: Quire generates an id where none is given. Remove @default.`]
  if (comesFrom(field, 'client', 'part')) return []
  if (given || !isPointer(field)) return [`${coordinate}: @${word} needs a value that clients write, and this one is @${storage.kind}. Remove it.`]
  return field.storage.onDelete === 'SET_NULL' && (constraint!.minItems ?? 0) > 0 ? [`${coordinate}: @constraint(minItems:) cannot hold with onDelete: SET_NULL, which takes entries out. Choose RESTRICT or CASCADE.`] : []
}

function checkShapes(union: string, members: readonly ContainedType[]): string[] {
  return members.flatMap(({ name, has }) => {
    if (has === undefined) return [`${union}: nothing tells ${name} from the other shapes. Add @shape(has: "…") to ${name}.`]
    // Every object would seem to be of this shape.
    return has in Object.prototype ? [`${name}: @shape(has: "${has}") names a property that every JavaScript object has. Name one that only objects of this shape have.`] : []
  })
}
