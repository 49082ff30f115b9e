// `@bucketed`: a list that grows without bound. The newest entries are in the document, newest first; the
// older ones are in bucket documents of a fixed size in the same partition. Each entry has a `number`,
// counted from 0, which gives its bucket (model/keys/bucket.ts).

import { bucketKey, bucketOf } from '../model/keys/bucket.ts'
import type { Position } from '../model/keys/position.ts'
import { plannedByKey, upTo } from '../read/planned-reads.ts'
import type { Listing, Page, Window } from '../read/listing.ts'
import type { Asker } from '../read/read-log.ts'
import type { Reads } from '../read/reads.ts'
import type { StorageFrom, StorageOf } from '../model/storages.ts'
import { comesFrom, type Field, type Model } from '../model/model.ts'
import type { Body } from '../model/json/json.ts'
import { allRead, whenRead, type MaybePending } from '../store/maybe-promise.ts'
import { isPointer } from '../model/pointers.ts'
import { aggregatesOver, measuredIn } from './aggregates/aggregated-values.ts'
import { withAppended } from './aggregates/appended-value.ts'
import { withAmount } from './aggregates/stored-amount.ts'
import { auditBuckets, fillBuckets, type Places } from './buckets/bucket-audit.ts'
import { some } from './count-advice.ts'
import type { Kind } from './kind.ts'

type Bucketed = Field<StorageOf<'bucketed'>>

/** The property of a bucket that holds its entries, oldest first. */
export const entriesAt = 'entries'

export const bucketed: Kind<StorageOf<'bucketed'>> = {
  check(field, model) {
    const { recent, size, key } = field.storage
    const owner = model.documents.get(field.owner)
    const name = field.coordinate
    if (!owner) return [`${name}: @bucketed needs a document that owns the buckets, and ${field.owner} is not a document type. Move the field to a document type.`]
    if (field.shape !== 'connection') return [`${name}: a @bucketed list can grow without bound. Return ${field.target}Connection!.`]
    if (!model.contained.has(field.target)) return [`${name}: @bucketed is for contained types, and ${field.target} is a document type. Remove its @document, or declare the field @reverse.`]
    const problems: string[] = []
    const paths = owner.partitionKey.form === 'paths' ? owner.partitionKey.paths.map((path) => path.join('/')) : []
    if (paths.length !== 1 || paths[0] !== key || owner.fields.has(key)) {
      problems.push(`${name}: key is ${key}, which is not the partition key of the container ${owner.container}. Declare ${owner.name} with partitionKey: "/${key}".`)
    }
    if (recent < 1 || size < 1) problems.push(`${name}: recent is ${recent} and size is ${size}. Give both a number above 0.`)
    // Deleting a document does not search all buckets, so entries must be valid without their target.
    for (const inner of model.contained.get(field.target)!.fields.values()) {
      if (isPointer(inner) && inner.required && inner.shape === 'one') {
        problems.push(`${inner.coordinate}: bucketed lists are not searched when the target is deleted, so this reference may come to point at nothing. Make it nullable.`)
      }
    }
    return problems
  },

  // For reading all buckets owner by owner.
  indexes(field, model) {
    const { container } = model.documents.get(field.owner)!
    return [{ container, type: field.storage.type, orderBy: [field.storage.key] }]
  },

  prepare(field, { model }) {
    return {
      lookUp: (holder, reads, asker) => listing(field, model, holder, reads, asker),
      plannedReads(window) {
        const max = maxBuckets(field.storage, window)
        const { container } = model.documents.get(field.owner)!
        return { stages: max > 0 ? [plannedByKey(container, upTo(max))] : [], rows: upTo(window.limit), optional: true }
      },
      lookupReason: `the newest ${field.storage.recent} are in the document, older ones in buckets of ${field.storage.size}`,
    }
  },

  // Adds an entry to the document and moves what no longer fits to its bucket: one entry, or more after
  // `recent` was made smaller. All of it is in one partition, so every store writes it atomically.
  async append(field, owner, entry, read, model) {
    const { at, recent, size, key, type } = field.storage
    const before = (owner[at] ?? []) as readonly Body[]
    const newest = { ...entry, number: before[0] ? numberOf(before[0]) + 1 : 0 }
    const kept = [newest, ...before]
    const countAt = countProperty(field, model)
    const ownerId = owner['id'] as string
    const older = async (): Promise<readonly Body[]> => (await Promise.all(bucketed.parts!(field, owner, model).map(async (place) => ((await read(place))?.[entriesAt] ?? []) as readonly Body[]))).flat()
    const grown = await withAppended(field, { ...owner, [at]: kept.slice(0, recent), [countAt]: ((owner[countAt] as number | undefined) ?? 0) + 1 }, newest, async () => [...(await older()), ...kept], model)
    const leaving = Map.groupBy(kept.slice(recent).toReversed(), (each) => bucketOf(numberOf(each), size))
    const parts = await Promise.all([...leaving].map(async ([bucket, entries]) => {
      const place = bucketKey(ownerId, field.name, bucket)
      const there = ((await read(place))?.[entriesAt] ?? []) as readonly Body[]
      return { key: place, body: { id: place.id, [key]: ownerId, type, [entriesAt]: [...there, ...entries] } }
    }))
    return { owner: grown, parts }
  },

  fill: (field, owner, parts, entries, model) => fillBuckets(field, placesOf(field, model), owner, parts, entries),

  reserves: (field, id) => new RegExp(`\\.${field.name}\\.\\d+$`).test(id),

  parts(field, owner, model) {
    const older = ((owner[countProperty(field, model)] as number | undefined) ?? 0) - ((owner[field.storage.at] ?? []) as readonly Body[]).length
    const buckets = Math.max(0, Math.ceil(older / field.storage.size))
    return Array.from({ length: buckets }, (_, bucket) => bucketKey(owner['id'] as string, field.name, bucket))
  },

  partType(field, model) {
    const entries: Field = { ...field, name: entriesAt, shape: 'list', storage: { kind: 'contained', at: entriesAt, max: field.storage.size } }
    return { ...model.documents.get(field.owner)!, name: field.coordinate, discriminator: field.storage.type, fields: new Map([[entriesAt, entries]]) }
  },

  audit: (field, owner, parts, model) => auditBuckets(field, placesOf(field, model), owner, parts),

  remark({ storage: { recent } }, { paged, documents }) {
    if (paged === 0) return []
    if (documents === 0) return [`${some(paged, 'page')} an hour, all from the newest ${recent} in the document.`]
    return [`${some(paged, 'page')} an hour, for which ${some(documents, 'bucket')} had to be read. A larger recent than ${recent} saves bucket reads for pages that are slightly longer, and makes every read of the document cost more.`]
  },
}

function placesOf(field: Bucketed, model: Model): Places {
  const aggregates = aggregatesOver(field, model)
  return {
    entriesAt, countAt: countProperty(field, model), counted: countedField(field, model)?.coordinate ?? field.coordinate,
    amounts: aggregates.map(({ coordinate, storage: { at } }) => ({ coordinate, at })),
    withAmounts: (owner, entries) => aggregates.reduce((body, each) => withAmount(each.storage, body, measuredIn(each, model, entries)), owner),
  }
}

/** The property of the owner that has the number of entries. */
export function countProperty(field: Bucketed, model: Model): string {
  return countedField(field, model)?.storage.at ?? `countOf${field.name.charAt(0).toUpperCase()}${field.name.slice(1)}`
}

function countedField(field: Bucketed, model: Model): Field<StorageFrom<'list'>> | undefined {
  return [...model.documents.get(field.owner)!.fields.values()].find(
    (one): one is Field<StorageFrom<'list'>> => comesFrom(one, 'list') && !('function' in one.storage) && one.storage.relation === field.name)
}

function listing(field: Bucketed, model: Model, holder: Body, reads: Reads, asker: Asker): Listing {
  const recent = (holder[field.storage.at] ?? []) as readonly Body[]
  const countAt = countProperty(field, model)
  return {
    scope: asker.field,
    // The count is written with the entries, in the same document, so it is never stale.
    count: () => (holder[countAt] as number | undefined) ?? recent.length,
    page({ limit, after, backwards }: Window): MaybePending<Page> {
      const newest = recent[0] ? numberOf(recent[0]) : -1
      const numbers = numbersOnPage(newest, limit, after, backwards)
      const inDocument = new Map(recent.map((entry) => [numberOf(entry), entry]))
      const buckets = [...new Set(numbers.filter((number) => !inDocument.has(number)).map((number) => bucketOf(number, field.storage.size)))]
      return whenRead(allRead(buckets.length, (at) => readBucket(field, model, holder, buckets[at]!, reads, asker)), (read) => {
        const all = new Map([...inDocument, ...read.flat().map((entry) => [numberOf(entry), entry] as const)])
        const nodes = numbers.map((number) => all.get(number)).filter((entry) => entry !== undefined)
        return {
          nodes,
          positionOf: (index) => ({ value: numberOf(nodes[index]!), id: String(nodes[index]!['id']) }),
          more: numbersOnPage(newest, limit + 1, after, backwards).length > limit,
        }
      })
    },
  }
}

/** Entries are numbered without gaps, so the numbers on a page are known before anything is read. */
function numbersOnPage(newest: number, limit: number, after: Position | undefined, backwards: boolean): number[] {
  const behind = after === undefined ? undefined : Number(after.value)
  // The cursor may be from the longer list of another owner.
  const start = backwards ? (behind ?? -1) + 1 : Math.min(behind ?? Infinity, newest + 1) - 1
  const available = backwards ? newest - start + 1 : start + 1
  return Array.from({ length: Math.max(0, Math.min(limit, available)) }, (_, index) => (backwards ? start + index : start - index))
}

/** The most buckets that a page can need: the newest entries are in the document, and the others may start in the middle of a bucket. */
function maxBuckets({ recent, size }: Bucketed['storage'], { limit, after, backwards }: Window): number {
  const older = after === undefined && !backwards ? limit - recent : limit
  return older > 0 ? Math.ceil((older - 1) / size) + 1 : 0
}

function readBucket(field: Bucketed, model: Model, holder: Body, bucket: number, reads: Reads, asker: Asker): MaybePending<readonly Body[]> {
  const { container } = model.documents.get(field.owner)!
  return whenRead(reads.at(container, bucketKey(holder['id'] as string, field.name, bucket), asker), (document) => (document?.body[entriesAt] ?? []) as readonly Body[])
}

function numberOf(entry: Body): number {
  return entry['number'] as number
}
