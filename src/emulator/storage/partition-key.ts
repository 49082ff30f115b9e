// Partition keys: read from a request's header or from a document, named, and hashed as the service hashes them. Tests hold the hash
// against that of the SDK.

import type { PartitionKeyDefinition } from './definition.ts'
import { isObject } from '../../model/json/json.ts'
import { effectiveKey, type KeyValue } from '../../store/cosmos/read-many/effective-key.ts'
import { Refusal } from '../http-messages.ts'
import { parsePath } from './property-path.ts'

export interface PartitionKey {
  /** undefined where a document has no such property; on the wire it is {}. */
  readonly values: readonly KeyValue[]
  /** The key as JSON: equal keys have equal names. */
  readonly name: string
  readonly hash: string
}

export class PartitionKeys {
  private readonly definition: PartitionKeyDefinition
  private readonly paths: readonly (readonly string[])[]
  /** Hashing is the slowest part of a point request, and tests ask for the same keys again and again. */
  private readonly known = new Map<string, PartitionKey>()

  constructor(definition: PartitionKeyDefinition) {
    this.definition = definition
    this.paths = definition.paths.map(parsePath)
  }

  isComplete(key: PartitionKey): boolean {
    return key.values.length === this.paths.length
  }

  fromHeader(header: string): PartitionKey {
    const values: unknown = parsed(header)
    if (!Array.isArray(values) || values.length === 0 || values.length > this.paths.length) {
      throw new Refusal(400, `Partition key ${header} is invalid.`)
    }
    return this.of(values.map(keyValue))
  }

  fromDocument(document: Record<string, unknown>): PartitionKey {
    return this.of(this.paths.map((path) => keyValue(path.reduce<unknown>(property, document))))
  }

  private of(values: readonly KeyValue[]): PartitionKey {
    const name = JSON.stringify(values.map((value) => (value === undefined ? {} : value)))
    const known = this.known.get(name)
    if (known !== undefined) return known
    if (Buffer.byteLength(name) > 2048) throw new Refusal(400, 'The partition key is longer than 2,048 bytes.')
    const key = { values, name, hash: this.hash(values) }
    this.known.set(name, key)
    return key
  }

  /** Clients of containers with version 1 that compute hashes themselves look for documents elsewhere. */
  private hash(values: readonly KeyValue[]): string {
    return effectiveKey(values, { ...this.definition, version: 2 })!
  }
}

function parsed(header: string): unknown {
  try {
    return JSON.parse(header)
  } catch {
    return undefined
  }
}

function property(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function keyValue(value: unknown): KeyValue {
  if (value === undefined || value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (isObject(value) && Object.keys(value).length === 0) return undefined
  throw new Refusal(400, 'A partition key has to be a string, a number, a boolean or null.')
}
