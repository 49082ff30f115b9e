// Turns documents that a person has written, or code in a schema folder has made, into writes: the declaration says which
// container and partition each belongs to. A document may leave its partition key out where Quire can compute it.

import { ConfigError } from '../../errors.ts'
import { partitionText, type Partition } from '../../model/keys/key.ts'
import { partitionsFrom, placed } from '../../model/keys/partition.ts'
import { storesProperty, type DocumentType, type Model } from '../../model/model.ts'
import { partitionPaths } from '../../model/partition-key.ts'
import { isBody, isObject, type Body, type Json } from '../../model/json/json.ts'
import type { Write } from '../../store/store.ts'

/**
 * Lists of documents by the name of their type. Documents without a type, such as buckets, are listed by container.
 *
 * @example
 * ```ts
 * const documents: DocumentsByType = { Post: [{ id: 'p1', title: 'Hello' }], Tag: [] }
 * ```
 */
export interface DocumentsByType {
  readonly [typeOrContainer: string]: readonly Body[]
}

/** `file` is where the documents come from, for messages. */
export function placeDocuments(model: Model, documents: DocumentsByType, file: string): Write[] {
  if (!isObject(documents)) throw new ConfigError(`${file}: expected an object with a list of documents for each type, such as { "${[...model.documents.keys()][0] ?? 'Type'}": [] }.`)
  return Object.entries(documents).flatMap(([name, bodies]: [string, unknown]) => {
    const type = model.documents.get(name)
    const owner = type ?? [...model.documents.values()].find(({ container }) => container === name)
    if (!owner) throw new ConfigError(`${file}: ${name} is neither a document type nor a container. The document types are ${[...model.documents.keys()].join(', ')}.`)
    if (!Array.isArray(bodies)) throw new ConfigError(`${file}: ${name} is not a list of documents. Write a list.`)
    return bodies.map((body: Json, index): Write => {
      if (!isBody(body) || typeof body['id'] !== 'string') throw new ConfigError(`${file}: ${name} number ${index + 1} has no id. Give every document an id, as a string.`)
      const { partition, body: filled } = type ? placeTyped(type, body, file) : { partition: partitionIn(owner, body), body }
      if (!partition) throw new ConfigError(`${file}: ${name} ${body['id']} has no partition key. Give it ${pathsOf(owner)}${type ? ', or the properties that it is computed from' : ''}.`)
      return { kind: 'put', container: owner.container, key: { partition, id: body['id'] }, body: filled }
    })
  })
}

function placeTyped(type: DocumentType, given: Body, file: string): { partition: Partition | undefined; body: Body } {
  const body = type.discriminator === undefined ? given : { ...given, type: type.discriminator }
  const declared = Object.fromEntries(Object.entries(body).filter(([property]) => property === 'id' || storesProperty(type, property)))
  const possible = partitionsFrom(type, declared)
  if (!possible) return { partition: undefined, body }
  const stated = partitionIn(type, body)
  if (!stated) return placed(type, body)
  // A key with a random suffix has several right values, and a document that states one keeps it.
  if (!possible.some((partition) => partitionText(partition) === partitionText(stated))) {
    const right = possible.length === 1 ? possible[0]!.join(', ') : `one of ${possible[0]!.join(', ')} to ${possible.at(-1)!.join(', ')}`
    throw new ConfigError(`${file}: ${type.name} ${String(body['id'])} has the wrong partition key: ${pathsOf(type)} is ${stated.join(', ')} and should be ${right}. Correct it, or leave it out.`)
  }
  return { partition: stated, body }
}

/** The partition that a document states, if it states all parts of it. */
function partitionIn({ partitionKey }: DocumentType, body: Body): Partition | undefined {
  const values = partitionPaths(partitionKey).map((path) => path.reduce<Json | undefined>((value, part) => (isBody(value) ? value[part] : undefined), body))
  return values.every((value) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') ? values : undefined
}

function pathsOf({ partitionKey }: DocumentType): string {
  return partitionPaths(partitionKey).map((path) => `/${path.join('/')}`).join(' and ')
}
