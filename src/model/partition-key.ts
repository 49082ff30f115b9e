// How a schema declares what decides a document's partition. Computing one from values is
// model/keys/partition.ts's business.

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
  return `the partition key has to be a path like "/postId", a list of paths, or { concat: [...] }`
}

/** The property paths that hold the key in a stored document. */
export function partitionPaths(key: PartitionKey): readonly (readonly string[])[] {
  return key.form === 'paths' ? key.paths : [[key.at]]
}

function readPaths(declared: readonly unknown[]): PartitionKey | string {
  if (declared.length < 1 || declared.length > 3) {
    return `a hierarchical partition key has two or three paths, and ${declared.length} are given`
  }
  const paths: string[][] = []
  for (const path of declared) {
    if (typeof path !== 'string' || !/^(\/[^/]+)+$/.test(path)) {
      return `${JSON.stringify(path)} is not a partition key path; write it with a slash, like "/postId"`
    }
    paths.push(path.slice(1).split('/'))
  }
  return { form: 'paths', paths }
}

function readSynthetic(declared: Record<string, unknown>): PartitionKey | string {
  const { at = 'partitionKey', concat, suffix, ...unknown } = declared
  const [stray] = Object.keys(unknown)
  if (stray) return `a synthetic partition key knows concat, suffix and at, not ${stray}`
  if (typeof at !== 'string') return `at names the property that holds the partition key, so it has to be text`
  if (!isListOfText(concat)) {
    return `a synthetic partition key joins properties; name them, like { concat: ["symbol", "date"] }`
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
  return `a suffix is { random: 400 } or { hashOf: "id", spread: 400 }, with a spread of at least 2`
}

function isSpread(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 2
}

function isListOfText(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')
}
