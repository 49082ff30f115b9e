// Digests of what documents say: before a migration in terms of the new model, afterwards as the new model reads them. Equal digests prove
// that nothing was lost. Digests of both sides of a link also show a link that the new model cannot hold.

import type { Body, Json } from '../../../model/json/json.ts'
import type { Field } from '../../../model/model.ts'
import { isPointer } from '../../../model/pointers.ts'
import { partitionPaths } from '../../../model/partition-key.ts'
import { isRelation, joiningEnds, joiningType, linksOf, pointerBehind } from '../../../relations/logical/links.ts'
import { valuesOf } from '../../../relations/logical/listed-values.ts'
import type { View } from '../../../relations/maintenance.ts'
import type { TransformedDocument } from '../transform/transform-document.ts'
import type { MatchedModels } from '../transform/matched-models.ts'
import { sourceOf } from '../transform/field-sources.ts'
import type { TypeWork, Work } from '../transform/type-work.ts'
import { Unfit } from '../transform/transform-values.ts'
import { sameDigest, type Digests } from './digests.ts'

/** Adds what a document says before the migration. */
export async function addDigestsBefore(digests: Digests, tenant: string | undefined, pairs: MatchedModels, { old, now }: TypeWork, body: Body, { answers }: TransformedDocument, view: View): Promise<void> {
  const id = body['id'] as string
  if (!now) return digests.add(`held ${old.name}`, tenant ?? null, id)
  digests.add(`documents ${now.name}`, tenant ?? null, id)
  for (const [field, values] of answers) {
    addAnswer(digests, tenant, pairs, id, field, values)
    const source = sourceOf(pairs, field)
    if (source.from === 'documents') for (const used of await linksOf(source.old, body, pairs.old, view)) digests.add(`held ${source.old.target} by others`, tenant ?? null, used)
    const pointer = isRelation(field, pairs.now) ? pointerBehind(field, pairs.now) : undefined
    if (!pointer || sourceOf(pairs, pointer).from !== 'links') continue
    digests.begin(`pointer ${pointer.coordinate}`)
    for (const value of values) digests.add(`${pointer === field ? 'pointer' : 'back'} ${pointer.coordinate}`, ...(pointer === field ? [id, value] : [value, id]))
  }
}

/** Adds what a document says after the migration, for the fields that have been noted before. */
export async function addDigestsAfter(digests: Digests, tenant: string | undefined, pairs: MatchedModels, fields: readonly Field[], typeName: string, body: Body, view: View): Promise<void> {
  const id = body['id'] as string
  digests.add(`documents ${typeName}`, tenant ?? null, id)
  const all = await Promise.all(fields.map(async (field) => [field, isRelation(field, pairs.now) ? await linksOf(field, body, pairs.now, view) : await valuesOf(field, body, pairs.now, view)] as const))
  for (const [field, values] of all) addAnswer(digests, tenant, pairs, id, field, values)
}

function addAnswer(digests: Digests, tenant: string | undefined, pairs: MatchedModels, id: string, field: Field, values: readonly Json[]): void {
  digests.begin(field.coordinate)
  const isLink = isRelation(field, pairs.now)
  for (const [index, value] of values.entries()) digests.add(field.coordinate, tenant ?? null, id, isLink ? null : index, value)
}

/** What the new model could not hold, as sentences. */
export function lossesIn(pairs: MatchedModels, { types }: Work, digests: Digests): string[] {
  const used = types.filter(({ now }) => !now).flatMap(({ old: { name } }) => {
    const others = digests.get(`held ${name} by others`)
    if (!others || sameDigest(others, digests.get(`held ${name}`))) return []
    return [`${name} documents become objects in others, and not each of them is in exactly one: there are ${digests.get(`held ${name}`)?.values ?? 0}, and ${others.values} links to them. Delete those that nothing links with, and copy those that several do.`]
  })
  const links = [...pairs.now.documents.values()].flatMap((type) => [...type.fields.values()]).filter(isPointer).flatMap(({ coordinate }) => {
    const [pointer, back] = [digests.get(`pointer ${coordinate}`), digests.get(`back ${coordinate}`)]
    if (!pointer || !back || sameDigest(pointer, back)) return []
    return [`${coordinate} would have ${pointer.values} of ${back.values} links: the others are to documents that do not exist. "quire check" names them; remove them first.`]
  })
  return [...used, ...links]
}

/** Joining documents become ids, so they must have nothing else. */
export function refuseOwnData({ old: model }: MatchedModels, { old, now }: TypeWork, body: Body): void {
  if (now) return
  const joined = [...model.documents.values()].flatMap((type) => [...type.fields.values()]).filter((field) => joiningType(field, model) === old)
  if (joined.length === 0) return
  const ends = joined.flatMap((field) => joiningEnds(field, model)!.map(({ storage }) => storage.at))
  const known = new Set(['id', 'type', '_v', '_c', '_left', '_intent', '_saga', ...partitionPaths(old.partitionKey).map(([first]) => first!), ...ends])
  const own = Object.keys(body).filter((name) => !known.has(name) && (body[name] ?? null) !== null)
  if (own.length > 0) throw new Unfit(`it would be lost, and it has data of its own: ${own.join(', ')}. Keep the type, or move that data first`)
}
