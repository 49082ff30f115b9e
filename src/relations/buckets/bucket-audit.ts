// Where the entries of a bucketed list should be: all that are found, in the order of their numbers, numbered
// from 0 without gaps, the newest in the document and the older ones in their buckets. bucket-faults.ts
// describes how a list differs from that; nothing is read here.

import { bucketKey, bucketOf } from '../../model/keys/bucket.ts'
import { keyText } from '../../model/keys/key.ts'
import type { StorageOf } from '../../model/storages.ts'
import type { Field } from '../../model/model.ts'
import type { Body, Json } from '../../model/json/json.ts'
import { isSameAmount } from '../aggregates/stored-amount.ts'
import { faultsOf, identityOf, numberOf, type FoundList } from './bucket-faults.ts'
import type { Audit, Part } from '../kind.ts'

type Bucketed = Field<StorageOf<'bucketed'>>

/** The properties that hold entries, their count and what is aggregated of them, and the fields to name when one is wrong. */
export interface Places {
  readonly entriesAt: string
  readonly countAt: string
  readonly counted: string
  readonly amounts: readonly { readonly coordinate: string; readonly at: string }[]
  /** The owner with the amounts of all entries. */
  readonly withAmounts: (owner: Body, entries: readonly Body[]) => Body
}

export function auditBuckets(field: Bucketed, places: Places, owner: Body | undefined, parts: readonly Part[]): Audit {
  if (!owner) {
    const what = `has ${parts.length === 1 ? 'a bucket' : `${parts.length} buckets`}, and there is no such ${field.owner}. Repair with --accept-loss deletes them.`
    return { wrong: [{ kind: 'misplaced', at: field.coordinate, what }], owner, parts: [] }
  }
  const found = foundList(field, places, owner, parts)
  const ordered = orderedIn(found)
  const { newest, buckets, owner: audited } = laidOut(field, places, owner, parts, ordered)
  const kept = [JSON.stringify(owner[field.storage.at] ?? []), ...parts.map(textOf)]
  const inPlace = sameTexts(kept, [JSON.stringify(newest), ...buckets.map(textOf)])
  return {
    wrong: [...misplaced(field, ordered.length, inPlace ? [] : faultsOf(field.storage, found, newest.length)), ...miscounted(places, owner, ordered.length), ...wrongAmounts(places, owner, audited)],
    owner: audited,
    parts: buckets,
  }
}

/** The list with these entries: each replaces the one with its id, or is added as the newest. */
export function fillBuckets(field: Bucketed, places: Places, owner: Body, parts: readonly Part[], entries: readonly Body[]): { owner: Body; parts: readonly Part[] } {
  const given = new Map(entries.map((entry) => [identityOf(entry), entry]))
  const there = orderedIn(foundList(field, places, owner, parts))
  const known = new Set(there.map(identityOf))
  const added = [...given].filter(([identity]) => !known.has(identity)).map(([, entry], index) => ({ ...entry, number: there.length + index }))
  const kept = there.map((entry) => ({ ...entry, ...given.get(identityOf(entry)) }))
  const { owner: filled, buckets } = laidOut(field, places, owner, parts, [...kept, ...added])
  return { owner: filled, parts: buckets }
}

function orderedIn({ buckets, inDocument }: FoundList): Body[] {
  return inOrder([...buckets.flatMap(({ entries }) => entries), ...inDocument.toReversed()])
}

/** Entries from the oldest to the newest, each where it belongs. */
function laidOut(field: Bucketed, places: Places, owner: Body, parts: readonly Part[], ordered: readonly Body[]) {
  const newest = ordered.slice(-field.storage.recent).toReversed()
  const buckets = bucketsOf(field, places, owner, parts, ordered.slice(0, -field.storage.recent))
  return { newest, buckets, owner: places.withAmounts({ ...owner, [field.storage.at]: newest, [places.countAt]: ordered.length }, ordered) }
}

function misplaced(field: Bucketed, total: number, faults: readonly string[]): Audit['wrong'] {
  if (faults.length === 0) return []
  const listed = [...faults.slice(0, 3), ...(faults.length > 3 ? [`${faults.length - 3} more`] : [])].join(', and ')
  return [{ kind: 'misplaced', at: field.coordinate, what: `${listed}. Repair puts all entries in order, ${total} in all.` }]
}

function miscounted({ countAt, counted }: Places, owner: Body, total: number): Audit['wrong'] {
  const count = owner[countAt] ?? undefined
  if ((count ?? 0) === total) return []
  return [{ kind: 'miscounted', at: counted, what: `says ${count === undefined ? 'nothing' : JSON.stringify(count)}, and it is ${total}. Repair writes ${total}.` }]
}

function wrongAmounts({ amounts }: Places, owner: Body, audited: Body): Audit['wrong'] {
  return amounts.filter(({ at }) => owner[at] === undefined || !isSameAmount(owner[at], audited[at])).map(({ coordinate, at }) => ({
    kind: 'miscounted', at: coordinate, what: `says ${owner[at] === undefined ? 'nothing' : JSON.stringify(owner[at])}, and it is ${JSON.stringify(audited[at])}. Repair writes ${JSON.stringify(audited[at])}.`,
  }))
}

function foundList(field: Bucketed, { entriesAt }: Places, owner: Body, parts: readonly Part[]): FoundList {
  return {
    inDocument: entriesIn(owner[field.storage.at]),
    buckets: parts.map(({ key, body }) => ({
      id: key.id,
      entries: entriesIn(body[entriesAt]),
      holds: (number) => keyText(bucketKey(owner['id'] as string, field.name, bucketOf(number, field.storage.size))) === keyText(key),
    })),
  }
}

/** Oldest first, each once, with new numbers. Among equal numbers, sorting leaves those in the document last: they are newer. */
function inOrder(found: readonly Body[]): Body[] {
  const seen = new Set<string>()
  const distinct = found.toSorted((a, b) => numberOf(a) - numberOf(b)).filter((entry) => {
    const known = seen.has(identityOf(entry))
    seen.add(identityOf(entry))
    return !known
  })
  return distinct.map((entry, number) => ({ ...entry, number }))
}

/** Other properties of a bucket stay as they are. */
function bucketsOf(field: Bucketed, { entriesAt }: Places, owner: Body, parts: readonly Part[], older: readonly Body[]): Part[] {
  const { size, key: ownerAt, type } = field.storage
  const ownerId = owner['id'] as string
  const bodies = new Map(parts.map(({ key, body }) => [keyText(key), body]))
  return [...Map.groupBy(older, (entry) => bucketOf(numberOf(entry), size))].map(([bucket, entries]) => {
    const key = bucketKey(ownerId, field.name, bucket)
    return { key, body: { ...bodies.get(keyText(key)), id: key.id, [ownerAt]: ownerId, type, [entriesAt]: entries } }
  })
}

/** Values that are not objects are not entries. */
function entriesIn(value: Json | undefined): readonly Body[] {
  return Array.isArray(value) ? value.filter((entry): entry is Body => typeof entry === 'object' && entry !== null && !Array.isArray(entry)) : []
}

function textOf({ key, body }: Part): string {
  return `${keyText(key)} ${JSON.stringify(body)}`
}

function sameTexts(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && new Set([...some, ...others]).size === new Set(some).size
}
