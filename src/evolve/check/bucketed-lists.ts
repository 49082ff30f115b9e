// Reads bucketed lists: documents and their buckets, merged by walking through both in the order of the owners' ids. Each
// document is read once, and memory holds at most one page of each and one list.

import { selectionOf } from '../../read/selection.ts'
import type { DocumentType, Field, Model } from '../../model/model.ts'
import { kindOf } from '../../relations/kinds.ts'
import { partitionPaths } from '../../model/partition-key.ts'
import { compareScalars, compareScalarsInUtf16 } from '../../model/keys/compare-scalars.ts'
import { scalarAt } from '../../store/conditions.ts'
import type { Scalar } from '../../store/query.ts'
import type { Store, StoredDocument } from '../../store/store.ts'
import { documentPages } from './document-pages.ts'

/** A document and the buckets (parts) that name it as their owner. Buckets may name an owner that is missing. */
export interface BucketedList {
  readonly ownerId: Scalar
  readonly owner: StoredDocument | undefined
  readonly parts: readonly StoredDocument[]
}

/** A bucketed list of the model: its owner, its field, and the type of its buckets. */
export interface BucketedField {
  readonly owner: DocumentType
  readonly field: Field
  readonly part: DocumentType
}

export function bucketedFields(model: Model): BucketedField[] {
  return [...model.documents.values()].flatMap((owner) => [...owner.fields.values()].flatMap((field) => {
    const part = kindOf(field).partType?.(field, model)
    return part ? [{ owner, field, part }] : []
  }))
}

export async function* allLists(store: Store, ownerType: DocumentType, partType: DocumentType): AsyncGenerator<BucketedList> {
  const groups = partsByOwner(store, partType)
  const compare = store.supports.textOrder === 'code points' ? compareScalars : compareScalarsInUtf16
  let next = await groups.next()
  for await (const page of documentPages(store, selectionOf(ownerType))) {
    for (const owner of page) {
      while (!next.done && compare(next.value.ownerId, owner.key.id) < 0) {
        yield next.value
        next = await groups.next()
      }
      const own = !next.done && next.value.ownerId === owner.key.id ? next.value : undefined
      yield { ownerId: owner.key.id, owner, parts: own?.parts ?? [] }
      if (own) next = await groups.next()
    }
  }
  for (; !next.done; next = await groups.next()) yield next.value
}

export async function readOwner(store: Store, ownerType: DocumentType, ownerId: Scalar): Promise<StoredDocument | undefined> {
  const where = { op: 'eq', path: ['id'], value: ownerId } as const
  const [owner] = await store.query({ ...selectionOf(ownerType), where, orderBy: { path: ['id'], descending: false }, limit: 1 })
  return owner
}

/** Reads one list again. */
export async function readList(store: Store, ownerType: DocumentType, partType: DocumentType, ownerId: Scalar): Promise<BucketedList> {
  const owner = await readOwner(store, ownerType, ownerId)
  const parts: StoredDocument[] = []
  const where = { op: 'eq', path: ownerPath(partType), value: ownerId } as const
  for await (const page of documentPages(store, { ...selectionOf(partType), where })) parts.push(...page)
  return { ownerId, owner, parts }
}

async function* partsByOwner(store: Store, partType: DocumentType): AsyncGenerator<BucketedList, undefined> {
  const path = ownerPath(partType)
  let group: { ownerId: Scalar; owner: undefined; parts: StoredDocument[] } | undefined
  for await (const page of documentPages(store, selectionOf(partType), path)) {
    for (const part of page) {
      const ownerId = scalarAt(path, part.body)
      if (group?.ownerId === ownerId) group.parts.push(part)
      else {
        if (group) yield group
        group = { ownerId, owner: undefined, parts: [part] }
      }
    }
  }
  if (group) yield group
  return undefined
}

function ownerPath(partType: DocumentType): readonly string[] {
  return partitionPaths(partType.partitionKey)[0]!
}
