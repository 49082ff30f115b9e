// References to documents that do not exist, at any depth of a document. The database checks no reference, so they appear
// when another program deletes or writes documents.

import { partitionProperties, targetOf, type DocumentType, type Model } from '../../model/model.ts'
import { pointersOf } from '../../model/pointers.ts'
import { kindOf } from '../../relations/kinds.ts'
import type { View } from '../../relations/maintenance.ts'
import { idsAlong, pointerOf, propertyOf, withoutId, type Trail } from '../../relations/pointers/walk-pointers.ts'
import type { Body } from '../../model/json/json.ts'
import { placeOf, type Finding } from './finding.ts'

export interface DanglingReference {
  readonly trail: Trail
  readonly id: string
}

/** The trails to all references in a type's documents, also to those in the newest entries of a bucketed list. */
export function referencePathsOf(model: Model, type: DocumentType): Trail[] {
  const own = pointersOf(model, type).map(({ trail }) => trail)
  const inLists = [...type.fields.values()].flatMap((field) => {
    const part = kindOf(field).partType?.(field, model)
    return part ? pointersOf(model, part).map(({ trail: [, ...inside] }) => [{ field, has: undefined }, ...inside]) : []
  })
  return [...own, ...inLists]
}

export async function danglingReferencesIn(model: Model, body: Body, trails: readonly Trail[], view: View): Promise<DanglingReference[]> {
  const references = trails.flatMap((trail) => [...idsAlong(body, trail)].map((id) => ({ trail, id })))
  const targets = await view.read(references.map(({ trail, id }) => ({ type: targetOf(model, pointerOf(trail)), id })))
  return references.filter((_, index) => !targets[index]?.after)
}

/** The document without the dangling references that can be removed, and that the caller may remove. */
export function withoutDanglingReferences(type: DocumentType, body: Body, all: readonly DanglingReference[], may: (dangling: DanglingReference) => boolean = () => true): Body {
  return all.filter((each) => whyKept(type, each.trail) === undefined && may(each)).reduce((rest, { trail, id }) => withoutId(rest, trail, id), body)
}

/** `accepted` says whether it may be removed: nothing proves that its target is gone for good. */
export function danglingFinding(type: DocumentType, documentId: string, { trail, id }: DanglingReference, accepted: boolean): Finding {
  const field = pointerOf(trail)
  const kept = whyKept(type, trail)
  const repair = field.shape === 'list' ? 'Repair with --accept-loss removes it from the list.' : 'Repair with --accept-loss sets it to null.'
  return {
    kind: 'dangling',
    at: field.coordinate,
    id: documentId,
    sentence: `${placeOf(field, type, documentId)} references ${field.target} ${id}, which does not exist. `
      + (kept === undefined ? repair : `Repair cannot remove it: ${kept}. Restore ${field.target} ${id}, or reference another one.`),
    repair: kept === undefined ? (accepted ? 'possible' : 'lossy') : 'impossible',
  }
}

/** Why a reference cannot be removed. */
function whyKept(type: DocumentType, trail: Trail): string | undefined {
  const { shape, required } = pointerOf(trail)
  if (partitionProperties(type).includes(propertyOf(trail[0]!.field))) return 'it is part of the partition key'
  return shape !== 'list' && required ? 'the field is required' : undefined
}
