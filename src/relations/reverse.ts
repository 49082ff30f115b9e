// `@reverse`: the documents whose reference points here. Nothing is stored on this side, so the list may
// grow without bound, and the field is always a connection.

import type { ListRequest } from '../read/list-request.ts'
import { plannedListing } from '../read/planned-reads.ts'
import { queryListing, type Listing } from '../read/listing.ts'
import type { Asker } from '../read/read-log.ts'
import type { Reads } from '../read/reads.ts'
import { selectionOf } from '../read/selection.ts'
import type { StorageOf } from '../model/storages.ts'
import { fieldAt, comesFrom, storedPath, targetOf, type Field, type Model } from '../model/model.ts'
import { orderOf } from '../model/api/filters.ts'
import { holdsIds, type PointerField } from '../model/pointers.ts'
import type { Order } from '../store/query.ts'
import type { Body } from '../model/json/json.ts'
import { idsHeld, storedId } from './pointers/by-id.ts'
import { countAdvice } from './count-advice.ts'
import type { Kind } from './kind.ts'

type Reverse = Field<StorageOf<'reverse'>>

export const reverse: Kind<StorageOf<'reverse'>> = {
  check(field, model) {
    const { of } = field.storage
    const pointer = fieldAt(model, of)
    if (!pointer) return [`${field.coordinate}: it is the reverse of ${of}, which does not exist. Name a @reference or @snapshot as "Type.field".`]
    if (!holdsIds(pointer) || !model.documents.has(pointer.owner)) {
      return [`${field.coordinate}: it is the reverse of ${of}, which is not a @reference or @snapshot of a document type. Name one that is.`]
    }
    if (pointer.target !== field.owner) return [`${field.coordinate}: it is the reverse of ${of}, which points at ${pointer.target} and not at ${field.owner}. Name a pointer at ${field.owner}.`]
    if (field.shape !== 'connection' || pointer.owner !== field.target) {
      return [`${field.coordinate}: a @reverse list of ${pointer.owner} can grow without bound. Return ${pointer.owner}Connection!.`]
    }
    return checkOrder(field, model)
  },

  indexes: (field, model) => [
    { ...selectionOf(targetOf(model, field)), equals: storedPath(pointerOf(field, model))!, orderBy: orderWithin(field, model).path },
  ],

  prepare(field, { model }) {
    const pointer = pointerOf(field, model)
    const target = targetOf(model, field)
    const selection = selectionOf(target)
    const path = storedPath(pointer)!
    const orderBy = { ...orderWithin(field, model), descending: field.storage.descending }
    const value = storedId(pointer)
    const listing = (holder: Body, reads: Reads, asker: Asker, asked?: ListRequest): Listing => {
      return queryListing(reads, asker, asked?.selection ?? selection, asked?.orderBy ?? orderBy, { path, value: value(holder['id'] as string) })
    }
    return {
      lookUp: listing,
      plannedReads: (window, asked) => plannedListing(target, asked?.selection ?? selection, asked?.orderBy ?? orderBy, window, path),
      count: (holder, reads, asker) => listing(holder, reads, asker).count(),
      countedBy: { source: target, path, idsIn: (source) => idsHeld(pointer, source), value },
      lookupReason: `found through ${pointer.coordinate}`,
    }
  },

  remark: countAdvice,
}

function checkOrder(field: Reverse, model: Model): string[] {
  const { orderBy } = field.storage
  if (orderBy === undefined) return []
  const order = targetOf(model, field).fields.get(orderBy)
  if (order?.leaf && order.shape === 'one' && comesFrom(order, 'client', 'copy', 'list')) return []
  return [`${field.coordinate}: it is ordered by ${orderBy}, but ${field.target} has no stored scalar of that name. Order by a stored scalar.`]
}

function pointerOf(field: Reverse, model: Model): PointerField {
  return fieldAt(model, field.storage.of) as PointerField
}

function orderWithin(field: Reverse, model: Model): Omit<Order, 'descending'> {
  const { orderBy } = field.storage
  return orderBy === undefined ? { path: ['id'] } : orderOf(targetOf(model, field).fields.get(orderBy)!)
}
