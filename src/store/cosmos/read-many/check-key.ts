// Which keys can be the address of a document. A request with any other key fails, and with it every key in the same request.

import type { ItemKey } from './items.ts'

/** Why no document can have this key, and what to pass instead; undefined if one can. */
export function problemOf({ id, partitionKey }: ItemKey, levels: number): string | undefined {
  if (typeof id !== 'string') return `The id is ${shown(id)}. Pass a string.`
  if (!isAddressable(id)) return `The id is ${shown(id)}. Pass 1 to 1023 bytes that are not blank, without / \\ #.`
  if (partitionKey.length !== levels) {
    return `The partition key of ${shown(id)} has ${partitionKey.length} values, and the container's has ${levels}. Pass ${levels === 1 ? 'one value' : `a list of ${levels} values`}.`
  }
  const wrong = partitionKey.find((value) => !isPossibleValue(value))
  return wrong === undefined ? undefined : `The partition key of ${shown(id)} holds ${shown(wrong)}. Pass a string, a finite number, a boolean, null or undefined.`
}

/** Whether a document can have the id. */
export function isAddressable(id: string): boolean {
  return /^[^/\\#]+$/.test(id) && Buffer.byteLength(id) <= 1023 && id !== '.' && id !== '..' && id.trim() !== '' && id.isWellFormed()
}

function isPossibleValue(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean'
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value)
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
