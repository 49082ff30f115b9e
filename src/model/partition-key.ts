// The partition key as `@document(partitionKey:)` declares it. keys/partition.ts computes partitions from it.

import { isObject } from './json/json.ts'

export type PartitionKey =
  | { readonly form: 'paths'; readonly paths: readonly (readonly string[])[] }
  | {
      readonly form: 'synthetic'
      readonly at: string
      readonly concat: readonly string[]
      readonly suffix?: Suffix
    }

export type Suffix =
  | { readonly form: 'random'; readonly spread: number }
  | { readonly form: 'hashed'; readonly hashOf: string; readonly spread: number }

/** Reads the argument of `@document(partitionKey:)`, or says what is wrong with it. */
export function readPartitionKey(declared: unknown): PartitionKey | string {
  if (typeof declared === 'string') return readPaths([declared])
  if (Array.isArray(declared)) return readPaths(declared)
  if (isObject(declared)) return readSynthetic(declared)
  return `the partition key is neither a path nor an object. Write a path like "/postId", a list of paths, or { concat: [...] }`
}

/** The property paths that hold the key in a stored document. */
export function partitionPaths(key: PartitionKey): readonly (readonly string[])[] {
  return key.form === 'paths' ? key.paths : [[key.at]]
}

function readPaths(declared: readonly unknown[]): PartitionKey | string {
  if (declared.length < 1 || declared.length > 3) {
    return `the partition key has ${declared.length} paths. A hierarchical key has two or three`
  }
  const paths: string[][] = []
  for (const path of declared) {
    if (typeof path !== 'string' || !/^(\/[^/]+)+$/.test(path)) {
      return `${JSON.stringify(path)} is not a partition key path. Begin it with a slash, like "/postId"`
    }
    paths.push(path.slice(1).split('/'))
  }
  return { form: 'paths', paths }
}

function readSynthetic(declared: Record<string, unknown>): PartitionKey | string {
  const { at = 'partitionKey', concat, suffix, ...unknown } = declared
  const [stray] = Object.keys(unknown)
  if (stray) return `a synthetic partition key has no ${stray}. It can have concat, suffix and at`
  if (typeof at !== 'string') return `at of a synthetic partition key is not text. Write the name of the property that holds the key`
  if (!isListOfText(concat)) {
    return `a synthetic partition key joins no properties. Name them, like { concat: ["symbol", "date"] }`
  }
  if (suffix === undefined) return { form: 'synthetic', at, concat }
  const read = readSuffix(suffix)
  return typeof read === 'string' ? read : { form: 'synthetic', at, concat, suffix: read }
}

function readSuffix(declared: unknown): Suffix | string {
  if (isObject(declared)) {
    const { random, hashOf, spread, ...unknown } = declared
    if (Object.keys(unknown).length === 0) {
      if (isSpread(random) && hashOf === undefined && spread === undefined) return { form: 'random', spread: random }
      if (typeof hashOf === 'string' && isSpread(spread) && random === undefined) return { form: 'hashed', hashOf, spread }
    }
  }
  return `the suffix of the partition key cannot be read. Write { random: 400 } or { hashOf: "id", spread: 400 }, with at least 2 suffixes`
}

function isSpread(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 2
}

function isListOfText(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')
}
