// Where the values of a stored aggregate are: in other documents, which point at the holder; in objects of the same document; or in
// the entries of a bucketed list.

import { pointerBehind } from '../../model/api/aggregates.ts'
import type { Body } from '../../model/json/json.ts'
import { fieldAt, isStored, objectType, storedPath, targetOf, type DocumentType, type Field, type Model } from '../../model/model.ts'
import type { PointerField } from '../../model/pointers.ts'
import { scalarCalled } from '../../model/scalars.ts'
import type { StorageOf } from '../../model/storages.ts'
import { Grouping, type Aggregation, type Group, type Measure, type Measured } from '../../store/aggregate/aggregation.ts'
import { scalarAt } from '../../store/conditions.ts'
import type { Path, Scalar } from '../../store/query.ts'
import { idsHeld, storedId } from '../pointers/by-id.ts'

type Aggregated = Field<StorageOf<'aggregated'>>

/** The documents that point at a holder. */
export interface SourceDocuments {
  readonly source: DocumentType
  readonly path: Path
  /** The ids of the holders that a document counts for. */
  readonly idsIn: (source: Body) => string[]
  /** A holder's id as it is stored at the path. */
  readonly value: (id: string) => Scalar
}

export function relationOf({ owner, storage }: Aggregated, model: Model): Field | undefined {
  return objectType(model, owner)!.fields.get(storage.relation)
}

/** The field of the related documents or objects that is aggregated. */
export function valueField(field: Aggregated, model: Model): Field | undefined {
  const relation = relationOf(field, model)
  return relation && objectType(model, relation.target)?.fields.get(field.storage.field)
}

/** Undefined where the values are in the document itself, or in its buckets. */
export function sourceOf(field: Aggregated, model: Model): SourceDocuments | undefined {
  return documentsIn(relationOf(field, model)!, model)
}

/** The documents of a list that point at the holder; undefined for a list that is found in another way. */
export function documentsIn(relation: Field, model: Model): SourceDocuments | undefined {
  const behind = pointerBehind(relation)
  const pointer = behind === undefined ? undefined : (fieldAt(model, behind) as PointerField)
  return pointer && { source: targetOf(model, relation), path: storedPath(pointer)!, idsIn: (source) => idsHeld(pointer, source), value: storedId(pointer) }
}

/** What is measured. The properties of snapshots have the names of fields. */
export function measureOf(field: Aggregated, model: Model): Measure {
  const measured = valueField(field, model)!
  const path = 'fields' in relationOf(field, model)!.storage ? [measured.name] : storedPath(measured)!
  return { path, of: scalarCalled(measured.target)!.measured! }
}

export function aggregationOf(field: Aggregated, model: Model): Aggregation {
  return { groupBy: [], measures: [measureOf(field, model)], maxGroups: 1 }
}

/** The value of one document or object; undefined where it has none. */
export function valueReader(field: Aggregated, model: Model): (source: Body | undefined) => number | string | undefined {
  const { path, of } = measureOf(field, model)
  return (source) => {
    const value = source && scalarAt(path, source)
    return typeof value === of ? (value as number | string) : undefined
  }
}

/** The values of these documents or objects. */
export function measuredIn(field: Aggregated, model: Model, objects: readonly Body[]): Measured {
  const grouping = new Grouping(aggregationOf(field, model))
  for (const body of objects) grouping.addDocument(body)
  return (grouping.all() as readonly Group[])[0]!.measured[0]!
}

/** The stored aggregates of a list. */
export function aggregatesOver(list: Field, model: Model): Aggregated[] {
  return [...objectType(model, list.owner)!.fields.values()].filter((field): field is Aggregated => isStored(field, 'aggregated') && field.storage.relation === list.name)
}
