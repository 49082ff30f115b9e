// Documents that somebody has written down, as writes: by the name of their type, or, for what is of no
// type, such as buckets, by the name of their container. What decides the partition may be left out
// where it can be computed, and may not be anything else where it is given.

import { ConfigError } from '../config.ts'
import { partitionText, type Partition } from '../model/keys/key.ts'
import { partitionsFrom, placed } from '../model/keys/partition.ts'
import { storesProperty, type DocumentType, type Model } from '../model/model.ts'
import { partitionPaths } from '../model/partition-key.ts'
import { isBody, isObject, type Body, type Json } from '../model/json/json.ts'
import type { Write } from '../store/store.ts'

export interface GivenDocuments {
  readonly [typeOrContainer: string]: readonly Body[]
}

export function givenDocuments(model: Model, documents: GivenDocuments): Write[] {
  if (!isObject(documents)) throw new ConfigError('documents.json has to be an object with a list of documents for each type.')
  return Object.entries(documents).flatMap(([name, bodies]: [string, unknown]) => {
    const type = model.documents.get(name)
    const owner = type ?? [...model.documents.values()].find(({ container }) => container === name)
    if (!owner) throw new ConfigError(`documents.json has documents of ${name}, which is neither a document type nor a container. There are ${[...model.documents.keys()].join(', ')}.`)
    if (!Array.isArray(bodies)) throw new ConfigError(`documents.json has to have a list of documents under ${name}.`)
    return bodies.map((body: Json, index): Write => {
      if (!isBody(body) || typeof body['id'] !== 'string') throw new ConfigError(`${name} number ${index + 1} in documents.json has no id. Give it one, as text.`)
      const { partition, body: filled } = type ? ofType(type, body) : { partition: partitionGiven(owner, body), body }
      if (!partition) throw new ConfigError(`${name} ${body['id']} in documents.json does not say which partition it is in: ${pathsOf(owner)} is missing.`)
      return { kind: 'put', container: owner.container, key: { partition, id: body['id'] }, body: filled }
    })
  })
}

function ofType(type: DocumentType, given: Body): { partition: Partition | undefined; body: Body } {
  const body = type.discriminator === undefined ? given : { ...given, type: type.discriminator }
  const declared = Object.fromEntries(Object.entries(body).filter(([property]) => property === 'id' || storesProperty(type, property)))
  const possible = partitionsFrom(type, declared)
  if (!possible) return { partition: undefined, body }
  const said = partitionGiven(type, body)
  if (!said) return placed(type, body)
  // One of many suffixes was chosen when the document was written down.
  if (!possible.some((partition) => partitionText(partition) === partitionText(said))) {
    const right = possible.length === 1 ? possible[0]!.join(', ') : `one of ${possible[0]!.join(', ')} to ${possible.at(-1)!.join(', ')}`
    throw new ConfigError(`${type.name} ${String(body['id'])} in documents.json has ${said.join(', ')} at ${pathsOf(type)}, and belongs to ${right}. Leave it out, or write that.`)
  }
  return { partition: said, body }
}

/** The partition that a document says it is in, where it says all of it. */
function partitionGiven({ partitionKey }: DocumentType, body: Body): Partition | undefined {
  const values = partitionPaths(partitionKey).map((path) => path.reduce<Json | undefined>((value, part) => (isBody(value) ? value[part] : undefined), body))
  return values.every((value) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') ? values : undefined
}

function pathsOf({ partitionKey }: DocumentType): string {
  return partitionPaths(partitionKey).map((path) => `/${path.join('/')}`).join(' and ')
}
