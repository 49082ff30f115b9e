// `@reference`: the document holds an id, or a list of ids, and nothing else of the target. A selection
// of the id alone is answered from the reference itself.
//
// A list may be the inverse of another type's pointer. Then Quire maintains it: it has the ids of all
// documents that point here, in the order of the ids, so it does not depend on the order of the changes.

import { plannedCount, plannedPage, upTo } from '../read/planned-reads.ts'
import { selectionOf } from '../read/selection.ts'
import type { StorageOf } from '../model/storages.ts'
import { fieldAt, storedPath, targetOf, type Field, type Model } from '../model/model.ts'
import { isPointer, type PointerField } from '../model/pointers.ts'
import type { Body } from '../model/json/json.ts'
import { checkPointer, followIds, idsHeld, storedId } from './pointers/by-id.ts'
import type { Kind, Relation } from './kind.ts'
import { pointedAt, sameIds, type Maintenance, type SourceChange } from './maintenance.ts'
import { changedIds, orderedIds } from './pointers/ordered-ids.ts'

type Reference = Field<StorageOf<'reference'>>

export const reference: Kind<StorageOf<'reference'>> = {
  check: (field, model) => {
    const problems = checkPointer(field, model)
    return problems.length > 0 || field.storage.inverseOf === undefined ? problems : checkInverse(field, model, field.storage.inverseOf)
  },
  // Ids are text, even where they are stored as numbers: 7 points at the document "7".
  prepare: (field, { model }) => ({ ...followIds(field, model, [], (id) => ({ id: String(id) })), ...withoutInverse(field, model) }),
  point: (field, ids) => (field.shape === 'list' ? ids.map(storedId(field)) : ids.map(storedId(field))[0] ?? null),
  async truth(field, body, view, { model }) {
    if (field.storage.inverseOf === undefined) return body
    const pointer = fieldAt(model, field.storage.inverseOf) as PointerField
    const pointing = await view.find(targetOf(model, field), { op: 'eq', path: storedPath(pointer)!, value: storedId(pointer)(body['id'] as string) })
    return listing(field, body, orderedIds(pointing.map(({ after }) => after!['id'] as string)))
  },
  maintain: (field, { model }) => (field.storage.inverseOf === undefined ? [] : [maintainInverse(field, model, fieldAt(model, field.storage.inverseOf) as PointerField)]),
}

/** How to read without the maintained list, which may be too old: by a query for the pointers that it is the inverse of. */
function withoutInverse(field: Reference, model: Model): Pick<Relation, 'fresh' | 'count' | 'plannedFreshReads'> {
  if (field.storage.inverseOf === undefined) return {}
  const pointer = fieldAt(model, field.storage.inverseOf) as PointerField
  const target = targetOf(model, field)
  const selection = selectionOf(target)
  const path = storedPath(pointer)!
  const whose = (holder: Body) => ({ path, value: storedId(pointer)(holder['id'] as string) })
  const query = { ...selection, orderBy: { path: ['id'], descending: false }, limit: field.storage.max }
  return {
    plannedFreshReads: () => ({
      stages: [plannedPage(target, query, path)], rows: upTo(field.storage.max), count: plannedCount(target, selection, path),
    }),
    fresh: (holder, reads, asker) => reads.page(query, whose(holder), asker),
    count: (holder, reads, asker) => reads.count(selection, whose(holder), asker),
  }
}

/** The list is stale from the moment the other side changes until this is applied. The change feed repeats it until it is. */
function maintainInverse(field: Reference, model: Model, pointer: PointerField): Maintenance {
  const holder = model.documents.get(field.owner)!
  const idsIn = (source: Body) => idsHeld(pointer, source)
  return {
    source: targetOf(model, field),
    holder,
    unchanged: (before, after) => sameIds(idsIn(before), idsIn(after)),
    affected: (change, view) => pointedAt(holder, idsIn, change, view),
    refresh(body, changes) {
      const pointsHere = ({ after }: SourceChange): boolean => after !== undefined && idsIn(after).includes(body['id'] as string)
      return listing(field, body, changedIds(orderedIds(idsHeld(field, body)), changes.map((change) => ({ id: change.id, isListed: pointsHere(change) }))))
    },
  }
}

/** The holder with these ids, which are in order. */
function listing(field: Reference, body: Body, ids: readonly string[]): Body {
  return { ...body, [field.storage.at]: field.storage.numeric ? ids.map(storedId(field)) : ids }
}

function checkInverse(field: Reference, model: Model, inverseOf: string): string[] {
  const pointer = fieldAt(model, inverseOf)
  const name = `${field.coordinate}: it is the inverse of ${inverseOf}`
  if (!pointer) return [`${name}, which does not exist. Name a @reference or @snapshot as "Type.field".`]
  if (!isPointer(pointer) || !model.documents.has(pointer.owner)) return [`${name}, which is not a @reference or @snapshot that clients set on a document type. Name one that is.`]
  if (pointer.target !== field.owner) return [`${name}, which points at ${pointer.target} and not at ${field.owner}. Name a pointer at ${field.owner}.`]
  if (field.shape !== 'list' || pointer.owner !== field.target) return [`${name}, so it lists ${pointer.owner} documents. Return [${pointer.owner}!]!.`]
  return model.documents.has(field.owner) ? [] : [`${name}, and ${field.owner} is not a document type. Move the field to one that is.`]
}
