// Transforms a document of the old model into the form of the new one: the rewritten document, and the documents that are created from
// it. Properties that neither model declares are kept. Snapshots get ids and the fields that were copied before; the rest of them, lists
// and counts are computed when all documents are stored.

import type { Body, Json } from '../../../model/json/json.ts'
import { sameJson } from '../../../model/json/same-json.ts'
import { samePartition, type Key } from '../../../model/keys/key.ts'
import { placed } from '../../../model/keys/partition.ts'
import { partitionProperties, storesProperty, type DocumentType, type Field } from '../../../model/model.ts'
import { partitionPaths } from '../../../model/partition-key.ts'
import { holdsIds, isPointer } from '../../../model/pointers.ts'
import { storageTraits } from '../../../model/storages.ts'
import { kindOf } from '../../../relations/kinds.ts'
import { isRelation, joiningEnds, linkedBy, linksOf, pointerBehind, pointersTo } from '../../../relations/logical/links.ts'
import { bucketKeys, countBeside, valuesOf } from '../../../relations/logical/listed-values.ts'
import type { View } from '../../../relations/maintenance.ts'
import { idsHeld, storedId } from '../../../relations/pointers/by-id.ts'
import type { StoredDocument } from '../../../store/store.ts'
import { withNextVersion } from '../../../write/snapshot-versions.ts'
import { isGeneratedId, joiningId, generatedId } from './generated-ids.ts'
import type { MatchedModels } from './matched-models.ts'
import { sourceOf, type Source } from './field-sources.ts'
import { isSamePartitionKey, type Making, type TypeWork } from './type-work.ts'
import { convertedValues, fillDefault, rewritten, storedValues, Unfit } from './transform-values.ts'

export interface DocumentLocation {
  readonly container: string
  readonly key: Key
}

export interface NewDocument extends DocumentLocation {
  readonly type: DocumentType
  readonly body: Body
  /** It is a bucket of a document of the type. */
  readonly isBucket?: true
}

export interface TransformedDocument {
  readonly puts: readonly NewDocument[]
  /** The locations of old documents that the new schema does not need. */
  readonly obsolete: readonly DocumentLocation[]
  /** The locations of old documents that new ones replace. */
  readonly replaced: readonly DocumentLocation[]
  /** By field, what the new model must answer for the document. */
  readonly answers: ReadonlyMap<Field, readonly Json[]>
}

/** Throws `Unfit` if it cannot be stored without losing something. */
export async function transformDocument(pairs: MatchedModels, { old, now, isPlacedAnew, superseded, makes }: TypeWork, document: StoredDocument, view: View): Promise<TransformedDocument> {
  if (!now) return { puts: [], obsolete: [{ container: old.container, key: document.key }], replaced: [], answers: new Map() }
  const { body } = document
  const found = new Map(await Promise.all([...now.fields.values()].map(async (field) => [field, await valuesFor(pairs, isPlacedAnew, field, body, view)] as const)))
  const base = rewritten(pairs, now, without([...superseded, ...countsOf(pairs, old)], now, withoutPlace(old, now, body)), (field) => storedFor(pairs, field, body, found.get(field) ?? []))
  const { body: listed, parts } = inBuckets(pairs, now, body, base, found)
  const settled = [...now.fields.values()].reduce<Body>((each, field) => kindOf(field).settle?.(field, each, pairs.now) ?? each, { ...listed, ...(now.discriminator === undefined ? {} : { type: now.discriminator }) })
  const main = placedBody(old, now, document, settled)
  const made = (await Promise.all(makes.map((making) => makingsOf(pairs, making, body, view)))).flat()
  const puts: NewDocument[] = [...main, ...parts.map((part) => ({ container: now.container, type: now, isBucket: true as const, ...part })), ...made]
  const kept = new Set(puts.map(({ container, key }) => JSON.stringify([container, key])))
  const isMoved = main.some(({ container, key }) => container !== old.container || key.id !== document.key.id || !samePartition(key.partition, document.key.partition))
  const oldPlaces: DocumentLocation[] = [...(isMoved ? [{ container: old.container, key: document.key }] : []), ...await oldBuckets(pairs, old, now, body, view)]
  return {
    puts,
    obsolete: oldPlaces.filter(({ container, key }) => !kept.has(JSON.stringify([container, key]))),
    replaced: oldPlaces.filter(({ container, key }) => kept.has(JSON.stringify([container, key]))),
    answers: new Map([...found].flatMap(([field, values]) => (values === undefined ? [] : [[field, values]]))),
  }
}

/** The values, ids or objects that a field must have; undefined where nothing changes. */
async function valuesFor(pairs: MatchedModels, isPlacedAnew: boolean, field: Field, body: Body, view: View): Promise<readonly Json[] | undefined> {
  const source = sourceOf(pairs, field)
  switch (source.from) {
    case 'links': return source.inverse ? linkedBy(source.old, body, pairs.old, view) : linksOf(source.old, body, pairs.old, view)
    case 'made': return madeIds(source.old, body, await valuesOf(source.old, body, pairs.old, view), pairs)
    case 'value':
    case 'entries': return convertedValues(pairs, source.old, field, await valuesOf(source.old, body, pairs.old, view))
    case 'documents': return inlined(pairs, source.old, field, body, view)
    case 'computed': return linksElsewhere(pairs, field, body, view)
    // Buckets move with their document.
    case 'same': return isPlacedAnew && holdsOf(field) === 'entries' ? valuesOf(pairs.oldField(field)!, body, pairs.old, view) : undefined
    default: return undefined
  }
}

/** What a field that stores nothing itself is to find. */
async function linksElsewhere(pairs: MatchedModels, field: Field, body: Body, view: View): Promise<readonly Json[] | undefined> {
  const old = pairs.oldField(field)
  if (!old || !pairs.now.documents.has(field.target)) return undefined
  if (pairs.old.contained.has(old.target)) return madeIds(old, body, await valuesOf(old, body, pairs.old, view), pairs)
  return isRelation(old, pairs.old) && isRelation(field, pairs.now) ? linksOf(old, body, pairs.old, view) : undefined
}

function storedFor(pairs: MatchedModels, field: Field, body: Body, values: readonly Json[]): Json | undefined {
  const source = sourceOf(pairs, field)
  const old = 'old' in source ? source.old : undefined
  if (isPointer(field)) {
    if (field.required && field.shape === 'one' && values.length === 0) throw new Unfit(`${field.coordinate} would have no value, and it cannot be null`)
    return valuesOrAbsent(pairs, field, body, pointersTo(field, values as readonly string[], old, body))
  }
  if (holdsIds(field)) return valuesOrAbsent(pairs, field, body, (values as readonly string[]).toSorted().map(storedId(field)))
  return holdsOf(field) === 'value' ? valuesOrAbsent(pairs, field, body, values) : undefined
}

/** What was absent stays so. Where the values were in other documents, nothing tells, and no values are stored as in a new document: as an empty list, or not at all. */
function valuesOrAbsent(pairs: MatchedModels, field: Field, body: Body, values: readonly Json[]): Json | undefined {
  const stored = storedValues(field, values)
  const before = propertyBefore(pairs, field)
  if (values.length > 0 || before === undefined) return stored
  return body[before] === undefined ? undefined : (stored ?? null)
}

/** The property of the same document that had what the field has now. */
function propertyBefore(pairs: MatchedModels, field: Field): string | undefined {
  const source = sourceOf(pairs, field)
  const old = source.from === 'same' ? pairs.oldField(field) : 'old' in source ? source.old : undefined
  return old && 'at' in old.storage && !('inverse' in source && source.inverse) ? old.storage.at : undefined
}

/** The linked documents as objects. */
async function inlined(pairs: MatchedModels, old: Field, field: Field, body: Body, view: View): Promise<readonly Json[]> {
  const [type, shape] = [pairs.old.documents.get(old.target)!, pairs.now.contained.get(field.target)!]
  const ids = await linksOf(old, body, pairs.old, view)
  // An object needs no versions of its own, and no id of the document that it is in.
  const pointer = pointerBehind(old, pairs.old)
  const implied = new Set(['_v', '_c', ...(pointer && pointer !== old && pointer.shape === 'one' ? [pointer.storage.at] : [])])
  const found = await view.read(ids.map((id) => ({ type, id })))
  const objects = ids.flatMap((id, index): Body[] => {
    const document = found[index]?.after
    if (!document) throw new Unfit(`${old.coordinate} points at ${type.name} ${id}, which does not exist`)
    const rest = Object.fromEntries(Object.entries(withoutPlace(type, undefined, document)).filter(([name]) => !implied.has(name)))
    const { id: own, ...others } = rewritten(pairs, shape, rest, (each, before) => convertedIn(pairs, each, before, rest))
    if (shape.fields.has('id')) return [{ id: own!, ...others }]
    if (!isGeneratedId(id, body['id'] as string, field.name)) throw new Unfit(`${type.name} ${id} would lose its id: ${shape.name} declares none`)
    return [others]
  })
  // Objects keep the order in which they were in the list, where it is known.
  const numbered = !isPointer(old) && objects.every((object) => typeof object['number'] === 'number') ? objects.toSorted((one, other) => (other['number'] as number) - (one['number'] as number)) : objects
  return shape.fields.has('number') ? numbered : numbered.map(({ number: _, ...object }) => object)
}

function convertedIn(pairs: MatchedModels, field: Field, old: Field, body: Body): Json | undefined {
  const held = 'at' in old.storage ? body[old.storage.at] : undefined
  if (held === undefined || !('at' in field.storage)) return undefined
  if (isPointer(field) && isPointer(old)) return storedValues(field, pointersTo(field, idsHeld(old, body), old, body)) ?? null
  return storedValues(field, convertedValues(pairs, old, field, Array.isArray(held) ? (held as readonly Json[]) : held === null ? [] : [held])) ?? null
}

function inBuckets(pairs: MatchedModels, now: DocumentType, before: Body, body: Body, found: ReadonlyMap<Field, readonly Json[] | undefined>): { body: Body; parts: readonly { key: Key; body: Body }[] } {
  const parts: { key: Key; body: Body }[] = []
  let owner = body
  for (const field of now.fields.values()) {
    const values = found.get(field)
    if (holdsOf(field) !== 'entries' || !values) continue
    const at = propertyBefore(pairs, field)
    if (values.length === 0 && at !== undefined && before[at] === undefined) continue
    // Numbered, so that equal entries stay as many as they are.
    const entries = (values as readonly Body[]).toReversed().map((entry, number) => ({ ...entry, number }))
    const filled = kindOf(field).fill!(field, owner, [], entries, pairs.now)
    owner = filled.owner
    parts.push(...filled.parts)
  }
  return { body: owner, parts }
}

function placedBody(old: DocumentType, now: DocumentType, { key, body: before }: StoredDocument, body: Body): NewDocument[] {
  const missing = partitionProperties(now).filter((property) => (body[property] ?? null) === null)
  if (missing.length > 0) throw new Unfit(`its partition key needs ${missing.join(' and ')}, which it lacks`)
  // A random suffix stays as it is.
  const stays = isSamePartitionKey(old, now) && now.partitionKey.form === 'synthetic' && partitionProperties(now).every((property) => sameJson(before[property], body[property]))
  const { partition, body: filled } = stays ? { partition: key.partition, body: { ...body, [partitionPaths(now.partitionKey)[0]![0]!]: key.partition[0]! } } : placed(now, body)
  const isSame = old.container === now.container && samePartition(partition, key.partition) && sameJson(filled, before)
  return isSame ? [] : [{ container: now.container, key: { partition, id: key.id }, type: now, body: withNextVersion(filled) }]
}

/** The document without what only says where it was stored. Removed references are for a propagator of the old model. */
function withoutPlace(old: DocumentType, now: DocumentType | undefined, { _left: _, _intent: __, _saga: ___, ...body }: Body): Body {
  const isStoredStill = (property: string): boolean => now !== undefined && storesProperty(now, property)
  const fillers = partitionPaths(old.partitionKey).flatMap((path) => (path.length === 1 && path[0] !== 'id' && !storesProperty(old, path[0]!) && !isStoredStill(path[0]!) ? path : []))
  const names = new Set([...fillers, ...(old.discriminator === undefined || storesProperty(old, 'type') ? [] : ['type'])])
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)))
}

/** The properties with the number of entries of lists whose buckets go. */
function countsOf(pairs: MatchedModels, old: DocumentType): string[] {
  return [...old.fields.values()].flatMap((field) => {
    const [count, next] = [countBeside(field, pairs.old), pairs.nowField(field)]
    return count !== undefined && next && sourceOf(pairs, next).from !== 'same' ? [count] : []
  })
}

function without(names: readonly string[], now: DocumentType, body: Body): Body {
  return names.length === 0 ? body : Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name) || storesProperty(now, name)))
}

async function oldBuckets(pairs: MatchedModels, old: DocumentType, now: DocumentType, body: Body, view: View): Promise<DocumentLocation[]> {
  const all = await Promise.all([...old.fields.values()].map(async (field) => {
    const next = pairs.nowField(field)
    if (!next || (sourceOf(pairs, next).from === 'same' && old.container === now.container)) return []
    return (await bucketKeys(field, body, pairs.old, view)).map((key): DocumentLocation => ({ container: old.container, key }))
  }))
  return all.flat()
}

async function makingsOf(pairs: MatchedModels, making: Making, body: Body, view: View): Promise<NewDocument[]> {
  if (making.of === 'links') {
    const ids = making.source.from === 'made' ? madeIds(making.source.old, body, await valuesOf(making.source.old, body, pairs.old, view), pairs) : await linksOf((making.source as Extract<Source, { from: 'links' }>).old, body, pairs.old, view)
    return ids.map((id) => joiningDocument(pairs, making.joined, making.type, body['id'] as string, id))
  }
  const { field, type } = making
  const values = await valuesOf(field, body, pairs.old, view)
  const ids = madeIds(field, body, values, pairs)
  // A list of ids has an order. Documents that are found are in the order of their ids, unless they are numbered.
  const isInOrder = isPointer(pairs.nowField(field)) || ids.every((id, index) => index === 0 || id > ids[index - 1]!)
  return values.map((value, index) => madeDocument(pairs, field, type, body, value as Body, ids[index]!, isInOrder ? undefined : values.length - 1 - index))
}

function joiningDocument(pairs: MatchedModels, joined: Field, type: DocumentType, near: string, far: string): NewDocument {
  const [one, other] = joiningEnds(joined, pairs.now)!
  const ends = { [one.storage.at]: storedId(one)(near), [other.storage.at]: storedId(other)(far) }
  return newDocument(pairs, type, { id: joiningId(near, far), ...ends })
}

/** `number` keeps the order of the list, as it does in buckets. */
function madeDocument(pairs: MatchedModels, old: Field, type: DocumentType, maker: Body, object: Body, id: string, number: number | undefined): NewDocument {
  const made = rewritten(pairs, type, object, (field, before) => {
    if (sourceOf(pairs, field).from === 'maker') return storedValues(field, isPointer(field) && before === old ? [storedId(field)(maker['id'] as string)] : [])
    return convertedIn(pairs, field, before, object)
  })
  return newDocument(pairs, type, { ...made, id, ...(number === undefined || storesProperty(type, 'number') ? {} : { number }) })
}

function newDocument(pairs: MatchedModels, type: DocumentType, given: Body): NewDocument {
  const next = { ...given } as Record<string, Json>
  for (const field of type.fields.values()) fillDefault(pairs, field, given, next)
  const lacking = type.fields.values().find((field) => field.required && field.shape === 'one' && (holdsOf(field) === 'value' || isPointer(field)) && 'at' in field.storage && (next[field.storage.at] ?? null) === null)
  if (lacking) throw new Unfit(`${lacking.coordinate} would have no value. Give one: --default ${lacking.coordinate}=VALUE`)
  const { partition, body } = placed(type, { ...next, ...(type.discriminator === undefined ? {} : { type: type.discriminator }) })
  return { container: type.container, key: { partition, id: given['id'] as string }, type, body }
}

/** Objects that have an id keep it. */
function madeIds(field: Field, owner: Body, values: readonly Json[], { old }: MatchedModels): readonly string[] {
  const hasId = old.contained.get(field.target)!.fields.has('id')
  return values.map((value, index) => {
    const id = hasId ? (value as Body)['id'] : undefined
    return typeof id === 'string' || typeof id === 'number' ? String(id) : generatedId(owner['id'] as string, field.name, index)
  })
}

function holdsOf({ storage }: Field): (typeof storageTraits)[keyof typeof storageTraits]['holds'] {
  return storageTraits[storage.kind].holds
}
