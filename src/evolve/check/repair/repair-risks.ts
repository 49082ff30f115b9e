// Looks before a repair writes anything: are so many references dangling, or has a list or count no source at all, that the
// schema is more likely wrong than the documents? A renamed container makes every reference to it dangle.

import { selectionOf } from '../../../read/selection.ts'
import { fieldAt, targetOf, type DocumentType, type Field } from '../../../model/model.ts'
import { isPointer } from '../../../model/pointers.ts'
import { kindOf } from '../../../relations/kinds.ts'
import { idsAlong, pointerOf, propertyOf } from '../../../relations/pointers/walk-pointers.ts'
import type { Declaration } from '../../../relations/declaration.ts'
import type { Json } from '../../../model/json/json.ts'
import type { Store } from '../../../store/store.ts'
import { acceptsAnyLoss, type AcceptLoss } from './accepted-loss.ts'
import { BatchedView } from '../batched-view.ts'
import { allLists, bucketedFields, type BucketedField } from '../bucketed-lists.ts'
import { danglingReferencesIn, referencePathsOf } from '../dangling-references.ts'
import { documentPages } from '../document-pages.ts'

/** The schema does not seem to be the one that the documents were written under. Nothing has been written. */
export class RepairRefusedError extends Error {
  override readonly name = 'RepairRefusedError'
}

/** More than this part of the references of a field may not dangle. */
const maxDangling = 0.01

/** `turn` is called after each page; it lets others run, and throws when the check is to stop. */
export async function refuseRiskyRepair(declaration: Declaration, store: Store, accepted: AcceptLoss, turn: () => Promise<void>): Promise<void> {
  const { model } = declaration
  const counted = new Map<string, Counted>()
  for (const type of model.documents.values()) await countType(declaration, store, type, counted, turn)
  const risks: string[] = []
  for (const bucketed of bucketedFields(model)) {
    await countType(declaration, store, bucketed.part, counted, turn)
    risks.push(...(await orphanRisk(store, bucketed, accepted, turn)))
  }
  for (const [coordinate, { field, source, held, lost }] of counted) {
    if (lost === 0 || acceptsAnyLoss(accepted, coordinate)) continue
    const isEmpty = (await store.count(selectionOf(source))) === 0
    if (isEmpty || (isPointer(field) && lost > maxDangling * held)) risks.push(riskOf(coordinate, source, held, lost, isEmpty))
  }
  if (risks.length > 0) throw new RepairRefusedError(`Nothing was repaired, because the schema may not be the one of these documents:\n${risks.map((risk) => `  - ${risk}`).join('\n')}`)
}

interface Counted {
  readonly field: Field
  /** The type that the values come from. */
  readonly source: DocumentType
  /** How many references, or values that are computed from other documents, there are. */
  held: number
  /** How many of them a repair would remove, if nothing is found. */
  lost: number
}

async function countType({ model }: Declaration, store: Store, type: DocumentType, counted: Map<string, Counted>, turn: () => Promise<void>): Promise<void> {
  const trails = referencePathsOf(model, type)
  const computed = [...type.fields.values()].flatMap((field) => {
    const source = isPointer(field) || !kindOf(field).truth ? undefined : sourceOf(field, model)
    return source ? [{ field, source }] : []
  })
  if (trails.length === 0 && computed.length === 0) return
  const add = (field: Field, source: DocumentType, held: number, lost: number): void => {
    const known = counted.get(field.coordinate)
    counted.set(field.coordinate, { field, source, held: (known?.held ?? 0) + held, lost: (known?.lost ?? 0) + lost })
  }
  for await (const page of documentPages(store, selectionOf(type))) {
    const view = new BatchedView(store)
    const dangling = await Promise.all(page.map(({ body }) => danglingReferencesIn(model, body, trails, view)))
    for (const [at, { body }] of page.entries()) {
      for (const trail of trails) add(pointerOf(trail), targetOf(model, pointerOf(trail)), idsAlong(body, trail).size, dangling[at]!.filter((each) => each.trail === trail).length)
      // What is computed from documents of a type is lost only if there are none of that type.
      for (const { field, source } of computed) add(field, source, isSomething(body[propertyOf(field)]) ? 1 : 0, isSomething(body[propertyOf(field)]) ? 1 : 0)
    }
    await turn()
  }
}

/** Buckets whose owner is missing would be deleted. */
async function orphanRisk(store: Store, { owner, field, part }: BucketedField, accepted: AcceptLoss, turn: () => Promise<void>): Promise<string[]> {
  if (acceptsAnyLoss(accepted, field.coordinate)) return []
  let [held, lost] = [0, 0]
  for await (const list of allLists(store, owner, part)) {
    held += list.parts.length
    if (!list.owner) lost += list.parts.length
    if (list.parts.length > 0) await turn()
  }
  if (lost <= maxDangling * held) return []
  return [`${lost} of ${held} buckets of ${field.coordinate} belong to no ${owner.name} in the ${placeOf(owner)}. ${adviceOn(owner, field.coordinate)}`]
}

/** The type that a maintained list lists, or that a count counts. */
function sourceOf({ owner, target, storage }: Field, model: Declaration['model']): DocumentType | undefined {
  const listed = 'relation' in storage ? fieldAt(model, `${owner}.${storage.relation}`)?.target : target
  return listed === undefined ? undefined : model.documents.get(listed)
}

function isSomething(value: Json | undefined): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== 0
}

function riskOf(coordinate: string, source: DocumentType, held: number, lost: number, isEmpty: boolean): string {
  const found = isEmpty
    ? `${lost} of ${held} values of ${coordinate} come from ${source.name} documents, and there is none in the ${placeOf(source)}`
    : `${lost} of ${held} references of ${coordinate} point at no ${source.name} in the ${placeOf(source)}`
  return `${found}. ${adviceOn(source, coordinate)}`
}

function placeOf({ container, discriminator }: DocumentType): string {
  return `container "${container}"${discriminator === undefined ? '' : ` with type "${discriminator}"`}`
}

function adviceOn({ name }: DocumentType, coordinate: string): string {
  return `Likely cause: container, type or partitionKey of ${name} was changed in the schema. Change it back. `
    + `If these documents are really gone: quire check --repair --accept-loss ${coordinate}`
}
