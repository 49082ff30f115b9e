// The partition key of a container: what the database says, or, where it says nothing, what the documents show. A property that only holds the key is
// filled by Quire, and is no field.

import type { Body } from '../../model/json/json.ts'
import { singularOf } from '../../model/api/plurals.ts'
import { isNameForId } from '../../model/check/check-partition-key.ts'
import { partitionFrom } from '../../model/keys/partition.ts'
import type { DocumentType } from '../../model/model.ts'
import type { Suffix } from '../../model/partition-key.ts'
import type { Path } from '../../store/query.ts'
import type { TypeProfile } from '../profile/type-profile.ts'
import type { GuessedBuckets } from './buckets.ts'

export interface GuessedPartitionKey {
  /** As `@document` has it; undefined for the default. */
  readonly argument: string | undefined
  /** The properties that Quire fills. */
  readonly filled: ReadonlySet<string>
  /** Properties that have to be fields. */
  readonly needed: readonly string[]
  readonly evidence?: string
}

/** The key of a type, whose container also holds the others. */
export function partitionKeyOf(type: TypeProfile, sharing: readonly TypeProfile[], buckets: readonly GuessedBuckets[]): GuessedPartitionKey {
  const known = type.container.partitionKey
  const paths = known ?? [guessedPath(sharing, buckets)]
  const says = known ? 'as the container has it' : 'a guess, since nothing tells it'
  if (paths.length === 1) {
    const [property, ...below] = paths[0]! as [string, ...string[]]
    const synthetic = below.length === 0 && sharing.length === 1 ? syntheticKey(type, property) : undefined
    if (synthetic) return { argument: synthetic.argument, filled: new Set([property]), needed: [], evidence: `${property} is made of ${synthetic.of}` }
    if (property === 'id' && below.length === 0) return { argument: undefined, filled: new Set(), needed: [] }
  }
  const filled = new Set(paths.flatMap((path) => (path.length === 1 && path[0] !== 'id' && holdsOwnId(type, path[0]!) ? [path[0]!] : [])))
  // Only one part can be filled with the id.
  const first = [...filled].slice(0, 1)
  const texts = paths.map((path) => JSON.stringify(`/${path.join('/')}`))
  return {
    argument: texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`,
    filled: new Set(first),
    needed: paths.map(([property]) => property!).filter((property) => !first.includes(property) && property !== 'id'),
    evidence: says,
  }
}

function guessedPath(sharing: readonly TypeProfile[], buckets: readonly GuessedBuckets[]): Path {
  const bucket = buckets.find(({ part }) => sharing.includes(part))
  if (bucket) return [bucket.key]
  const inAll = [...sharing[0]!.properties.properties.keys()].filter((name) => sharing.every(({ properties, documents }) => properties.properties.get(name)?.texts === documents))
  const named = inAll.find((name) => /^(partitionKey|partition|pk)$/i.test(name)) ?? inAll.find((name) => name !== 'id' && sharing.some((type) => holdsOwnId(type, name)))
  return [named ?? 'id']
}

function holdsOwnId(type: TypeProfile, property: string): boolean {
  const { container: { name: container }, type: discriminator } = type
  return type.ownIds.get(property) === type.documents && isNameForId({ container, discriminator, singular: singularOf(discriminator ?? container) }, property)
}

/** More suffixes are not tried. */
const maxSpread = 1000
const comparedDocuments = 50

interface SyntheticKey {
  readonly argument: string
  readonly of: string
}

/** Values that are other properties joined by hyphens, with or without a suffix. */
function syntheticKey(type: TypeProfile, at: string): SyntheticKey | undefined {
  const examples = type.examples(comparedDocuments)
  const first = examples[0]
  if (first === undefined || typeof first[at] !== 'string' || type.ownIds.get(at) === type.documents) return undefined
  const [, text, suffix] = /^(.*?)(\.\d+)?$/s.exec(first[at])!
  const concat = partsOf(text!, first, at)
  if (!concat || (concat.length < 2 && suffix === undefined)) return undefined
  const name = at === 'partitionKey' ? '' : `, at: ${JSON.stringify(at)}`
  const list = `concat: [${concat.map((each) => JSON.stringify(each)).join(', ')}]`
  if (suffix === undefined) return fits(undefined) ? { argument: `{ ${list}${name} }`, of: concat.join(' and ') } : undefined
  const least = Math.max(2, ...examples.map((each) => Number(/\.(\d+)$/.exec(String(each[at]))?.[1] ?? 0)))
  for (let spread = least; spread <= maxSpread; spread++) {
    if (fits({ form: 'hashed', hashOf: 'id', spread })) return { argument: `{ ${list}, suffix: { hashOf: "id", spread: ${spread} }${name} }`, of: `${concat.join(' and ')}, with a suffix computed from the id` }
  }
  const isRandom = examples.every((each) => String(each[at]).replace(/\.\d+$/, '') === concat.map((property) => each[property]).join('-'))
  return isRandom ? { argument: `{ ${list}, suffix: { random: ${least} }${name} }`, of: `${concat.join(' and ')}, with a suffix at random` } : undefined

  function fits(rule: Suffix | undefined): boolean {
    const declared = { partitionKey: { form: 'synthetic', at, concat: concat!, ...(rule ? { suffix: rule } : {}) }, fields: new Map() } as unknown as DocumentType
    return examples.every((each) => partitionFrom(declared, each)?.[0] === each[at])
  }
}

/** The properties whose values, joined by hyphens, are the text. */
function partsOf(text: string, document: Body, without: string): string[] | undefined {
  for (const [name, value] of Object.entries(document)) {
    if (name === without || name === 'id' || (typeof value !== 'string' && typeof value !== 'number') || value === '') continue
    if (String(value) === text) return [name]
    if (!text.startsWith(`${value}-`)) continue
    const rest = partsOf(text.slice(String(value).length + 1), document, without)
    if (rest && !rest.includes(name)) return [name, ...rest]
  }
  return undefined
}
