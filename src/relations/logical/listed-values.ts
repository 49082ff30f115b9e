// The values of a field in a document, as a list, whatever holds them: one value, a list, or a list whose older entries are in buckets
// (newest first). Migrations read values so.

import type { Body, Json } from '../../model/json/json.ts'
import { bucketKey } from '../../model/keys/bucket.ts'
import type { Key } from '../../model/keys/key.ts'
import { comesFrom, type Field, type Model } from '../../model/model.ts'
import type { StorageFrom } from '../../model/storages.ts'
import { bucketed, countProperty, entriesAt } from '../bucketed.ts'
import type { View } from '../maintenance.ts'

export async function valuesOf(field: Field, body: Body, model: Model, view: View): Promise<readonly Json[]> {
  const held = body['at' in field.storage ? field.storage.at : field.name]
  const here = held === undefined || held === null ? [] : isList(held) ? held : [held]
  if (!comesFrom(field, 'entries')) return here
  const parts = await bucketsOf(field, body, model, view)
  const older = parts.flatMap((part) => (part[entriesAt] ?? []) as readonly Body[])
  const byNumber = new Map([...older, ...(here as readonly Body[])].map((entry) => [entry['number'] as number, entry]))
  const ordered = [...byNumber.keys()].toSorted((one, other) => other - one).map((number) => byNumber.get(number)!)
  const isDeclared = model.contained.get(field.target)?.fields.values().some(({ storage }) => 'at' in storage && storage.at === 'number')
  return isDeclared ? ordered : ordered.map(({ number: _, ...entry }) => entry)
}

/** The buckets of a list, in no order. */
async function bucketsOf(field: Field<StorageFrom<'entries'>>, owner: Body, model: Model, view: View): Promise<readonly Body[]> {
  const part = bucketed.partType!(field, model)
  const found = await view.find(part, { op: 'eq', path: [field.storage.key], value: owner['id'] as string })
  return found.map(({ after }) => after!)
}

/** Where the buckets of a list are; none for a list without. */
export async function bucketKeys(field: Field, owner: Body, model: Model, view: View): Promise<readonly Key[]> {
  if (!comesFrom(field, 'entries')) return []
  const { partition } = bucketKey(owner['id'] as string, field.name, 0)
  return (await bucketsOf(field, owner, model, view)).map((part) => ({ partition, id: part['id'] as string }))
}

/** The id of the document that a bucket belongs to. */
export function bucketOwner(field: Field, bucket: Body): string | undefined {
  return comesFrom(field, 'entries') && bucket['type'] === field.storage.type ? String(bucket[field.storage.key]) : undefined
}

/** The property with the number of entries that a list with buckets has beside it. */
export function countBeside(field: Field, model: Model): string | undefined {
  return comesFrom(field, 'entries') ? countProperty(field, model) : undefined
}

/** `Array.isArray` does not narrow read-only lists. */
function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
