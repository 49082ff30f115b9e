// Global ids: the type and the key of a document in one opaque text. The partition is included only where it does not
// follow from the id.

import type { DocumentType, Model } from '../model.ts'
import { partitionPaths } from '../partition-key.ts'
import type { Key, Partition } from './key.ts'
import { isFoundById, partitionFrom } from './partition.ts'

export function nodeId(type: DocumentType, id: string, partition: Partition | undefined): string {
  const parts = isFoundById(type) ? [type.name, id] : [type.name, id, partition]
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** The type and the key in a global id; undefined if it is not a global id of this model. */
export function readNodeId(model: Model, text: string): { type: DocumentType; key: Key } | undefined {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
  if (!Array.isArray(parts)) return undefined
  const [name, id, written] = parts as unknown[]
  const type = typeof name === 'string' ? model.documents.get(name) : undefined
  if (!type || typeof id !== 'string') return undefined
  const partition = partitionFrom(type, { id }) ?? (isPartition(written, partitionPaths(type.partitionKey).length) ? written : undefined)
  return partition && { type, key: { partition, id } }
}

function isPartition(value: unknown, levels: number): value is Partition {
  return Array.isArray(value) && value.length === levels && value.every((part) => ['string', 'number', 'boolean'].includes(typeof part))
}
