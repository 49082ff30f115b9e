// Checks that something fills every part of a partition key. A part that no field stores holds the id of the document, so a path that
// is misspelt, or that has the name of an input, would silently store the id there for ever.

import { inputName } from '../api/mutations.ts'
import { singularOf } from '../api/plurals.ts'
import { fieldStoredAt, objectType, type DocumentType, type Model } from '../model.ts'
import { holdsIds } from '../pointers.ts'
import { didYouMean } from '../sdl/suggest-name.ts'
import { storageTraits } from '../storages.ts'

export function checkPartitionKey(type: DocumentType, model: Model): string[] {
  const key = type.partitionKey
  if (key.form === 'synthetic') {
    return [...key.concat, ...(key.suffix?.form === 'hashed' ? [key.suffix.hashOf] : [])]
      .filter((property) => !fieldStoredAt(type, property))
      .map((property) => `${type.name}: the partition key uses ${property}, but no field of ${type.name} is stored under that name.${otherProperty(type, property) || ' Name a stored property.'}`)
  }
  const undeclared = key.paths.filter(([property]) => !fieldStoredAt(type, property!))
  if (undeclared.length >= 2) {
    const names = undeclared.map(textOf).join(' and ')
    return [`${type.name}: no field is stored at ${names}. Only one part of a partition key may be undeclared; it holds the id. Declare the others.`]
  }
  return key.paths.flatMap((path) => (fieldStoredAt(type, path[0]!) ? checkDeclared(type, path, model) : checkUndeclared(type, path)))
}

/** The document's own id is stored there, so the name must be one for it. */
function checkUndeclared(type: DocumentType, path: readonly string[]): string[] {
  const [property] = path as [string]
  const text = textOf(path)
  if (path.length > 1) return [`${type.name}: the partition key is ${text}, but no field of ${type.name} is stored at "${property}".${otherProperty(type, property) || ' Name a stored property.'}`]
  const input = [...type.fields.values()].find((field) => inputName(field) === property || field.name === property)
  if (input && 'at' in input.storage) {
    const named = holdsIds(input) ? `${input.coordinate} is stored at "${input.storage.at}", and ${property} is only its name in inputs` : `${input.coordinate} is stored at "${input.storage.at}"`
    return [`${type.name}: the partition key is ${text}, but ${named}. The document's own id would be stored there. Write @${input.storage.kind}(at: "${property}"), or partitionKey: "/${input.storage.at}${storageTraits[input.storage.kind].holds === 'snapshots' ? '/id' : ''}".`]
  }
  if (isNameForId(type, property)) return []
  return [`${type.name}: no field of ${type.name} is stored at ${text}, so it would hold the document's own id.${otherProperty(type, property) || ` Name a stored property, or write partitionKey: "/${type.singular}Id" for the id.`}`]
}

/** Below a property come the properties of the object that is stored there. */
function checkDeclared(type: DocumentType, path: readonly string[], model: Model): string[] {
  const problem = (why: string): string[] => [`${type.name}: the partition key is ${textOf(path)}, but ${why}`]
  let holder: { readonly name: string } & Parameters<typeof fieldStoredAt>[0] = type
  for (const [at, property] of path.entries()) {
    const field = fieldStoredAt(holder, property)
    const isLast = at === path.length - 1
    if (!field) return problem(`no field of ${holder.name} is stored at "${property}".${otherProperty(holder, property) || ' Name a stored property.'}`)
    const { holds } = storageTraits[field.storage.kind]
    if (field.shape !== 'one') return problem(`${field.coordinate} is a list. A partition key is one value.`)
    if (holds === 'snapshots') {
      const [id] = path.slice(at + 1)
      return at === path.length - 2 && id === 'id' ? [] : problem(`${field.coordinate} is a snapshot, which changes with its source. Write "/${[...path.slice(0, at + 1), 'id'].join('/')}".`)
    }
    if (isLast) return field.leaf || holds === 'ids' ? [] : problem(`${field.coordinate} is an object. Name one of its properties, like "/${[...path, 'id'].join('/')}".`)
    const inside = field.leaf ? undefined : objectType(model, field.target)
    if (!inside) return problem(`${field.coordinate} has no properties. Write "/${path.slice(0, at + 1).join('/')}".`)
    holder = inside
  }
  return []
}

/** `postId` of a Post, or of the type "post", or in the container "posts"; or a name that says it is the key. */
export function isNameForId({ singular, discriminator, container }: Pick<DocumentType, 'singular' | 'discriminator' | 'container'>, property: string): boolean {
  const names = [singular, discriminator, singularOf(container), container].flatMap((name) => (name === undefined ? [] : [`${name}id`]))
  return ['id', 'pk', 'key', 'partition', 'partitionKey', ...names].some((name) => plain(name) === plain(property))
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

function otherProperty(type: Parameters<typeof fieldStoredAt>[0], property: string): string {
  return didYouMean(property, [...type.fields.values()].flatMap(({ storage }) => ('at' in storage ? [storage.at] : [])))
}

function textOf(path: readonly string[]): string {
  return `/${path.join('/')}`
}
