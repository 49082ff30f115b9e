// Finds bucketed lists: documents that hold older entries of a list, in the form in which Quire writes them, beside documents that hold the newest.

import type { Body, Json } from '../../model/json/json.ts'
import type { TypeProfile } from '../profile/type-profile.ts'
import { counted } from './evidence.ts'

export interface GuessedBuckets {
  readonly owner: TypeProfile
  readonly part: TypeProfile
  readonly field: string
  /** The property of the owner that has the newest entries. */
  readonly at: string
  readonly recent: number
  readonly size: number
  /** The property of a bucket that has the id of its owner. */
  readonly key: string
  readonly evidence: string
}

export function bucketsIn(types: readonly TypeProfile[]): GuessedBuckets[] {
  return types.flatMap((part) => {
    const bucket = part.type === undefined ? undefined : partOf(part)
    if (!bucket) return []
    const owner = types.find((type) => type !== part && type.container === part.container && type.type !== undefined && recentIn(type) !== undefined)
    return owner ? [{ owner, part, ...bucket, ...recentIn(owner)!, evidence: `${counted(part.documents)} buckets with the type "${part.type}"` }] : []
  })
}

/** Ids of buckets are made of the id of the owner, the name of the list and a number. */
function partOf(part: TypeProfile): Pick<GuessedBuckets, 'field' | 'size' | 'key'> | undefined {
  const read = part.examples(100).map((document) => ({ document, parts: /^(.*)\.(\w+)\.(\d+)$/s.exec(String(document['id'])) }))
  const first = read[0]?.parts
  if (!first || read.some(({ document, parts }) => parts?.[2] !== first[2] || !isEntries(document['entries']))) return undefined
  const key = Object.keys(read[0]!.document).find((name) => read.every(({ document, parts }) => document[name] === parts![1]))
  if (key === undefined) return undefined
  // The first entry of a bucket has the number of the bucket times its size.
  const sizes = read.flatMap(({ document, parts }) => (Number(parts![3]) === 0 ? [] : [Math.min(...numbersIn(document)) / Number(parts![3])]))
  const longest = Math.max(...read.map(({ document }) => (document['entries'] as readonly Json[]).length))
  return { field: first[2]!, key, size: Math.max(longest, sizes.length > 0 ? Math.floor(Math.min(...sizes)) : longest < 10 ? 10 : 100) }
}

function recentIn({ properties }: TypeProfile): Pick<GuessedBuckets, 'at' | 'recent'> | undefined {
  for (const [at, { elements, lengths }] of properties.properties) {
    const numbered = elements?.object?.properties.get('number')
    if (elements && numbered && elements.objects === elements.values && numbered.integers === elements.objects) return { at, recent: Math.max(1, lengths.max) }
  }
  return undefined
}

function isEntries(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((entry) => typeof (entry as Body | null)?.['number'] === 'number')
}

function numbersIn(bucket: Body): number[] {
  return (bucket['entries'] as readonly Body[]).map((entry) => entry['number'] as number)
}
