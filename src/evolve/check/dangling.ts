// Pointers at documents that do not exist, wherever in a document they are. The database checks no
// reference, so whatever was deleted or written past Quire shows here.

import { partitionProperties, targetOf, type DocumentType, type Model } from '../../model/model.ts'
import { pointersOf } from '../../model/pointers.ts'
import { kindOf } from '../../relations/index.ts'
import type { View } from '../../relations/maintenance.ts'
import { idsAlong, pointerOf, propertyOf, withoutId, type Trail } from '../../relations/pointers/walk-pointers.ts'
import type { Body } from '../../model/json/json.ts'
import { placeOf, type Finding } from './finding.ts'

export interface Dangling {
  readonly trail: Trail
  readonly id: string
}

/** The ways to all pointers of a type's documents, also to those in lists that keep the rest of their entries elsewhere. */
export function trailsOf(model: Model, type: DocumentType): Trail[] {
  const own = pointersOf(model, type).map(({ trail }) => trail)
  const inLists = [...type.fields.values()].flatMap((field) => {
    const part = kindOf(field).partType?.(field, model)
    return part ? pointersOf(model, part).map(({ trail: [, ...inside] }) => [{ field, has: undefined }, ...inside]) : []
  })
  return [...own, ...inLists]
}

export async function danglingIn(model: Model, body: Body, trails: readonly Trail[], view: View): Promise<Dangling[]> {
  const pointed = trails.flatMap((trail) => [...idsAlong(body, trail)].map((id) => ({ trail, id })))
  const targets = await view.read(pointed.map(({ trail, id }) => ({ type: targetOf(model, pointerOf(trail)), id })))
  return pointed.filter((_, index) => !targets[index]?.after)
}

/** The document without the pointers that can be taken out of it. */
export function released(holder: DocumentType, body: Body, all: readonly Dangling[]): Body {
  return all.filter(({ trail }) => hold(holder, trail) === undefined).reduce((rest, { trail, id }) => withoutId(rest, trail, id), body)
}

export function danglingFinding(holder: DocumentType, documentId: string, { trail, id }: Dangling): Finding {
  const field = pointerOf(trail)
  const held = hold(holder, trail)
  const repair = field.shape === 'list' ? 'Repair takes it out of the list.' : 'Repair empties it.'
  return {
    kind: 'dangling',
    at: field.coordinate,
    id: documentId,
    sentence: `${placeOf(field, holder, documentId)} points at ${field.target} ${id}, which does not exist. `
      + (held === undefined ? repair : `It ${held}, so repair leaves it: restore ${id}, or point at another ${field.target}.`),
    repair: held === undefined ? 'possible' : 'impossible',
  }
}

/** Why a pointer cannot be taken out. */
function hold(holder: DocumentType, trail: Trail): string | undefined {
  const { shape, required } = pointerOf(trail)
  if (partitionProperties(holder).includes(propertyOf(trail[0]!.field))) return 'decides the partition'
  return shape !== 'list' && required ? 'may not be empty' : undefined
}
