// Objects with the id of another document, compared with that document: which of their properties it has too, and how often the two differ.

import { sameJson } from '../../model/json/same-json.ts'
import type { Body, Json } from '../../model/json/json.ts'

export interface CopiedProperties {
  readonly pairs: readonly CopyPair[]
  /** By the name of a property of the objects, without the id. */
  readonly properties: ReadonlyMap<string, CopiedProperty>
}

export interface CopyPair {
  readonly copy: Body
  readonly original: Body
}

export interface CopiedProperty {
  /** How many objects have the value of the document, and how many another. */
  readonly equal: number
  readonly drifted: number
  /** How many of the documents have the property at all. */
  readonly inOriginals: number
}

/** Quire's own property of snapshots. */
const version = '_v'

export function copiesOf(pairs: readonly CopyPair[]): CopiedProperties {
  const names = new Set(pairs.flatMap(({ copy }) => Object.keys(copy)).filter((name) => name !== 'id' && name !== version))
  return {
    pairs,
    properties: new Map([...names].map((name) => {
      const equal = pairs.filter(({ copy, original }) => isSame(copy[name], original[name])).length
      return [name, { equal, drifted: pairs.length - equal, inOriginals: pairs.filter(({ original }) => isValue(original[name])).length }]
    })),
  }
}

/** Null and absent are the same to readers. */
export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return sameJson(one ?? null, other ?? null)
}

function isValue(value: Json | undefined): boolean {
  return value !== undefined && value !== null
}
