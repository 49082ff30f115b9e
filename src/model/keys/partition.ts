// Computes partitions from values: of a document that is written, and of a document that is read, if the reader knows
// enough of it. That decides between a point read and a query of every partition.

import { createHash, randomInt } from 'node:crypto'
import { storesProperty, type DocumentType } from '../model.ts'
import type { PartitionKey, Suffix } from '../partition-key.ts'
import type { Key, Partition, PartitionValue } from './key.ts'

type Properties = { readonly [property: string]: unknown }

/**
 * The partition of a document with these properties. Undefined if they do not determine it: a part is missing, or the
 * key has a random suffix, which cannot be computed again. The id is used for a part that the type does not declare.
 */
export function partitionFrom(type: DocumentType, known: Properties): Partition | undefined {
  const key = type.partitionKey
  if (key.form === 'synthetic') {
    if (key.suffix?.form === 'random') return undefined
    const text = synthetic(key, known, (suffix) => suffixFrom(suffix, known))
    return text === undefined ? undefined : [text]
  }
  const parts = key.paths.map((path) => valueAt(known, path) ?? (storesProperty(type, path[0]!) ? undefined : known['id']))
  return parts.every(isPartitionValue) ? parts : undefined
}

/** The partition of a new document, and its body with the partition key filled in. */
export function placed<B extends Properties>(type: DocumentType, body: B): { partition: Partition; body: B } {
  const key = type.partitionKey
  if (key.form === 'synthetic') {
    const text = synthetic(key, body, (suffix) => (suffix.form === 'random' ? 1 + randomInt(suffix.spread) : suffixFrom(suffix, body)))
    if (text === undefined) throw new Error(`${type.name} ${String(body['id'])} cannot be written: it lacks a property of its partition key.`)
    return { partition: [text], body: { ...body, [key.at]: text } }
  }
  const partition = partitionFrom(type, body)
  if (!partition) throw new Error(`${type.name} ${String(body['id'])} cannot be written: it lacks a property of its partition key.`)
  const filled = Object.fromEntries(key.paths.flatMap((path, part) => (path.length === 1 ? [[path[0]!, partition[part]]] : [])))
  return { partition, body: { ...body, ...filled } }
}

/** Whether the id alone gives the key of a document. */
export function isFoundById(type: DocumentType): boolean {
  return keyById(type) !== undefined
}

/** Computes the key of a document from its id; undefined where the id alone is not enough. Prepared once for each type. */
export function keyById(type: DocumentType): ((id: string) => Key) | undefined {
  if (keysById.has(type)) return keysById.get(type)
  const { partitionKey } = type
  const found = partitionFrom(type, { id: '0' }) === undefined ? undefined
    : partitionKey.form !== 'synthetic' && partitionKey.paths.length === 1 ? (id: string): Key => ({ partition: [id], id })
    : (id: string): Key => ({ partition: partitionFrom(type, { id })!, id })
  keysById.set(type, found)
  return found
}

const keysById = new WeakMap<DocumentType, ((id: string) => Key) | undefined>()

/** Every partition that documents with these properties can be in, one for each suffix; undefined if it could be any. */
export function partitionsFrom(type: DocumentType, known: Properties): Partition[] | undefined {
  const key = type.partitionKey
  const exact = partitionFrom(type, known)
  if (exact) return [exact]
  if (key.form !== 'synthetic' || !key.suffix) return undefined
  const every = Array.from({ length: key.suffix.spread }, (_, suffix) => synthetic(key, known, () => suffix + 1))
  return every.every((text) => text !== undefined) ? every.map((text) => [text]) : undefined
}

function synthetic(
  key: PartitionKey & { form: 'synthetic' }, known: Properties, suffixOf: (suffix: Suffix) => number | undefined,
): string | undefined {
  const parts = key.concat.map((property) => known[property])
  if (!parts.every(isPartitionValue)) return undefined
  const text = parts.join('-')
  if (!key.suffix) return text
  const suffix = suffixOf(key.suffix)
  return suffix === undefined ? undefined : `${text}.${suffix}`
}

/** From 1 to spread, always the same for the same value. Never change this function: stored documents would not be found. */
function suffixFrom(suffix: Suffix, known: Properties): number | undefined {
  if (suffix.form === 'random') return undefined
  const value = known[suffix.hashOf]
  if (!isPartitionValue(value)) return undefined
  return 1 + (createHash('sha256').update(String(value)).digest().readUInt32BE() % suffix.spread)
}

function valueAt(known: Properties, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, part) => (value as Properties | undefined | null)?.[part], known)
}

function isPartitionValue(value: unknown): value is PartitionValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
