// Which migrations can be done online without copying: those that only move values between properties of a document, or fill in new
// properties, so that a document can have both forms at once. For all others this file returns the reason.

import { declaredKind } from '../../declared/declared-storage.ts'
import type { Body, Json } from '../../../model/json/json.ts'
import { sameJson } from '../../../model/json/same-json.ts'
import { partitionProperties, storesProperty, type Field } from '../../../model/model.ts'
import { isPointer } from '../../../model/pointers.ts'
import type { MatchedModels } from '../transform/matched-models.ts'
import { sameObjects, sourceOf } from '../transform/field-sources.ts'
import type { TypeWork, Work } from '../transform/type-work.ts'

/** What changes in the documents of one type. */
export interface PropertyMoves {
  readonly container: string
  /** The value of `type`; null where the container has one type only. */
  readonly type: string | null
  readonly moved: readonly { readonly from: string; readonly to: string }[]
  readonly filled: readonly { readonly at: string; readonly value: Json }[]
}

/** The moves, or the reason why the migration needs copies. */
export function propertyMovesOf(pairs: MatchedModels, work: Work): readonly PropertyMoves[] | string {
  const all = work.types.map((each) => movesOfType(pairs, each))
  return all.find((each) => typeof each === 'string') ?? (all as readonly PropertyMoves[])
}

function movesOfType(pairs: MatchedModels, { old, now, isPlacedAnew, superseded, makes }: TypeWork): PropertyMoves | string {
  if (!now || isPlacedAnew) return `documents of ${old.name} move`
  if (makes.length > 0 || superseded.length > 0) return `links or objects of ${now.name} become documents`
  const moved: { from: string; to: string }[] = []
  const filled: { at: string; value: Json }[] = []
  for (const field of now.fields.values()) {
    const source = sourceOf(pairs, field)
    const given = pairs.default(field.coordinate)
    if (source.from === 'same' && given === undefined) continue
    if ('old' in source && source.old) {
      if (!isOnlyMoved(pairs, source.old, field) || !('at' in field.storage) || !('at' in source.old.storage)) return `${field.coordinate} is stored in another form`
      moved.push({ from: source.old.storage.at, to: field.storage.at })
    }
    if (given === undefined || !('at' in field.storage)) continue
    if (typeof given === 'function') return `the default of ${field.coordinate} is a function`
    filled.push({ at: field.storage.at, value: given })
  }
  const isInKey = ({ from, to }: { from: string; to: string }): boolean => [from, to].some((name) => partitionProperties(old).includes(name) || partitionProperties(now).includes(name))
  if (moved.some(isInKey)) return `the partition key of ${now.name} has a property that moves`
  const collides = moved.find(({ from, to }) => storesProperty(old, to) || storesProperty(now, from))
  if (collides) return `${now.name} has another value in "${collides.to}" or "${collides.from}"`
  return { container: now.container, type: now.discriminator ?? null, moved, filled }
}

/** The same value under another name. Relations must keep their name: gateways record by that name what is stored of them. */
function isOnlyMoved(pairs: MatchedModels, old: Field, field: Field): boolean {
  const isSameKind = sameJson(withoutPlace(old), withoutPlace(field)) && old.target === field.target && old.shape === field.shape
  return isSameKind && sameObjects(pairs, field.target) && (!isPointer(field) || old.name === field.name) && old.owner === pairs.oldObject(pairs.now.documents.get(field.owner)!)?.name
}

function withoutPlace({ storage }: Field): Body {
  const { at: _, ...kind } = declaredKind(storage)
  return kind as Body
}

/** The document with both forms. `by` is the form that was written; the other one is computed from it. */
export function withBothForms(body: Body, { moved, filled }: PropertyMoves, by: 'old' | 'new'): Body {
  const next: Record<string, Json | undefined> = { ...body }
  for (const { from, to } of moved) {
    const [source, copy] = by === 'old' ? [from, to] : [to, from]
    if (body[source] === undefined) delete next[copy]
    else next[copy] = body[source]
  }
  if (by === 'old') for (const { at, value } of filled) if ((next[at] ?? null) === null) next[at] = value
  return next
}

/** The document with the new form only. */
export function withNewForm(body: Body, { moved }: PropertyMoves): Body {
  const names = new Set(moved.map(({ from }) => from))
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)))
}

export function movesFor(moves: readonly PropertyMoves[], container: string, body: Body): PropertyMoves | undefined {
  return moves.find((each) => each.container === container && (each.type === null || each.type === body['type']))
}
