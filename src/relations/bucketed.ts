// `@bucketed`: a list that grows for ever. The newest entries are in the document, newest first;
// the older ones are in bucket documents of a fixed size in the same partition. Entries carry a
// `number`, counted from 0, from which the bucket follows (keys/bucket.ts).

import { bucketKey, bucketOf } from '../keys/bucket.ts'
import type { Position } from '../keys/position.ts'
import type { Listing, Page, Window } from '../loaders/listing.ts'
import type { Asker } from '../loaders/ledger.ts'
import type { Reads } from '../loaders/reads.ts'
import type { Field, Model, StorageOf } from '../model/model.ts'
import type { Body } from '../store/store.ts'
import type { Kind } from './kind.ts'

type Bucketed = Field<StorageOf<'bucketed'>>

/** The property of a bucket that holds its entries, oldest first. */
export const entriesAt = 'entries'

export const bucketed: Kind<StorageOf<'bucketed'>> = {
  check(field, model) {
    const { recent, size, key } = field.storage
    const owner = model.documents.get(field.owner)
    const name = field.coordinate
    if (!owner) return [`${name} is declared @bucketed, and ${field.owner} is not a document type, so buckets have nothing to belong to.`]
    if (field.shape !== 'connection') return [`${name} can grow without bound. Return ${field.target}Connection! instead of a list.`]
    if (!model.contained.has(field.target)) return [`${name} keeps ${field.target} in buckets, and ${field.target} has documents of its own. Remove its @document, or declare the field @reverse.`]
    const problems: string[] = []
    const paths = owner.partitionKey.form === 'paths' ? owner.partitionKey.paths.map((path) => path.join('/')) : []
    if (paths.length !== 1 || paths[0] !== key || owner.fields.has(key)) {
      problems.push(`${name}: buckets are found by ${key}, which has to be what the container ${owner.container} is partitioned by. Declare ${owner.name} with partitionKey: "/${key}".`)
    }
    if (recent < 1 || size < 1) problems.push(`${name} keeps ${recent} recent entries and ${size} in a bucket. Give both a number above 0.`)
    return problems
  },

  prepare(field, { model }) {
    return {
      look: (holder, reads, asker) => listing(field, model, holder, reads, asker),
      because: `the newest ${field.storage.recent} are in the document, older ones in buckets of ${field.storage.size}`,
    }
  },

  // One entry more in the document, and the one that no longer fits goes into its bucket. Both are in
  // one partition, so every store writes them as one.
  async append(field, owner, entry, read, model) {
    const { at, recent, size, key, type } = field.storage
    const before = (owner[at] ?? []) as readonly Body[]
    const newest = { ...entry, number: before[0] ? numberOf(before[0]) + 1 : 0 }
    const kept = [newest, ...before]
    const countAt = countProperty(field, model)
    const grown = { ...owner, [at]: kept.slice(0, recent), [countAt]: ((owner[countAt] as number | undefined) ?? 0) + 1 }
    const leaving = kept[recent]
    if (!leaving) return { owner: grown }
    const ownerId = owner['id'] as string
    const bucket = bucketKey(ownerId, field.name, bucketOf(numberOf(leaving), size))
    const entries = ((await read(bucket))?.[entriesAt] ?? []) as readonly Body[]
    return { owner: grown, part: { key: bucket, body: { id: bucket.id, [key]: ownerId, type, [entriesAt]: [...entries, leaving] } } }
  },

  parts(field, owner, model) {
    const older = ((owner[countProperty(field, model)] as number | undefined) ?? 0) - ((owner[field.storage.at] ?? []) as readonly Body[]).length
    const buckets = Math.max(0, Math.ceil(older / field.storage.size))
    return Array.from({ length: buckets }, (_, bucket) => bucketKey(owner['id'] as string, field.name, bucket))
  },
}

/** The property of the owner that says how many entries there are. */
export function countProperty(field: Bucketed, model: Model): string {
  const counted = [...model.documents.get(field.owner)!.fields.values()].find(
    ({ storage }) => storage.kind === 'counted' && storage.relation === field.name)
  return counted?.storage.kind === 'counted' ? counted.storage.at : `countOf${field.name.charAt(0).toUpperCase()}${field.name.slice(1)}`
}

function listing(field: Bucketed, model: Model, holder: Body, reads: Reads, asker: Asker): Listing {
  const recent = (holder[field.storage.at] ?? []) as readonly Body[]
  const countAt = countProperty(field, model)
  return {
    scope: asker.field,
    // The count is written with the entries, in the same document: it is no copy of anything.
    count: () => Promise.resolve((holder[countAt] as number | undefined) ?? recent.length),
    async page({ limit, after, backwards }: Window): Promise<Page> {
      const newest = recent[0] ? numberOf(recent[0]) : -1
      const numbers = numbersOnPage(newest, limit, after, backwards)
      const inDocument = new Map(recent.map((entry) => [numberOf(entry), entry]))
      const buckets = new Set(numbers.filter((number) => !inDocument.has(number)).map((number) => bucketOf(number, field.storage.size)))
      const read = await Promise.all([...buckets].map((bucket) => readBucket(field, model, holder, bucket, reads, asker)))
      const all = new Map([...inDocument, ...read.flat().map((entry) => [numberOf(entry), entry] as const)])
      return {
        entries: numbers.flatMap((number) => {
          const entry = all.get(number)
          return entry ? [{ node: entry, position: { value: number, id: String(entry['id']) } }] : []
        }),
        more: numbersOnPage(newest, limit + 1, after, backwards).length > limit,
      }
    },
  }
}

/** Entries are numbered without gaps, newest highest, so a page is known before anything is read. */
function numbersOnPage(newest: number, limit: number, after: Position | undefined, backwards: boolean): number[] {
  const behind = after === undefined ? undefined : Number(after.value)
  const start = backwards ? (behind ?? -1) + 1 : (behind ?? newest + 1) - 1
  const available = backwards ? newest - start + 1 : start + 1
  return Array.from({ length: Math.max(0, Math.min(limit, available)) }, (_, index) => (backwards ? start + index : start - index))
}

async function readBucket(
  field: Bucketed, model: Model, holder: Body, bucket: number, reads: Reads, asker: Asker,
): Promise<readonly Body[]> {
  const owner = model.documents.get(field.owner)!
  const document = await reads.at(owner.container, bucketKey(holder['id'] as string, field.name, bucket), asker)
  return (document?.body[entriesAt] ?? []) as readonly Body[]
}

function numberOf(entry: Body): number {
  return entry['number'] as number
}
