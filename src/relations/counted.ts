// `@counted`: the length of a list, stored when something is written. Where the list is in the same document,
// the number is always right. Where the list is in other documents, the number is a snapshot: a request that
// allows no stale snapshots has the documents counted instead.
//
// Where a document and its effects are written in one transaction, the number is kept by difference: the documents before and
// after the change are known, and so is the number that was true before it, so the step costs the same for ten and for a million
// documents. Everywhere else, and where no number is stored yet, the documents are counted again, since repeating a step would
// make the number wrong and repeating a count does not. `quire check` always recounts.

import { plannedCount, once, type PlannedRead } from '../read/planned-reads.ts'
import { selectionOf } from '../read/selection.ts'
import type { StorageOf } from '../model/storages.ts'
import { objectType, storedPath, targetOf, type Field, type Model } from '../model/model.ts'
import type { Selection } from '../store/query.ts'
import type { Body } from '../model/json/json.ts'
import { storedCountAdvice } from './count-advice.ts'
import type { Kind, Relation, KindContext } from './kind.ts'
import { pointedAt, sameIds, type Maintenance, type SourceChange, type View } from './maintenance.ts'
import { valueIndex } from './value-index.ts'

type Counted = Field<StorageOf<'counted'>>
type CountedBy = NonNullable<Relation['countedBy']>

export const counted: Kind<StorageOf<'counted'>> = {
  check(field, model) {
    const { relation } = field.storage
    const type = objectType(model, field.owner)!
    if (field.target !== 'Int' || field.shape !== 'one') return [`${field.coordinate}: a @counted field holds a number. Declare it Int!.`]
    const known = [...type.fields.values()].filter(({ shape }) => shape !== 'one').map(({ name }) => name)
    if (known.includes(relation)) return []
    const hint = known.length > 0 ? `Name one of ${known.join(', ')}.` : 'Add one, or remove the field.'
    return [`${field.coordinate}: ${type.name} has no list or connection ${relation} to count. ${hint}`]
  },

  indexes: valueIndex,

  prepare(field, context) {
    const { at, relation } = field.storage
    const value = (holder: Body) => (holder[at] as number | undefined) ?? 0
    const { count } = countedRelation(field, context)
    // Inside a contained object the count is not stored: the list is in the same object.
    if (!context.model.documents.has(field.owner)) return { value: (holder) => lengthOf(field, holder, context.model) }
    // A count that was declared after the document was written is not stored yet, and its list is.
    if (!count) return { value: (holder) => holder[at] ?? lengthOf(field, holder, context.model) ?? 0 }
    return {
      copied: new Set(),
      copy: value,
      spare: (holder, reads, asker) => reads.spareCount(countedIn(field, holder, context), asker),
      lookUp: count,
      plannedReads: () => ({ stages: [plannedCountOf(field, context)], rows: once }),
      lookupReason: `${relation} is counted`,
    }
  },

  settle(field, body, model) {
    const { at } = field.storage
    // A count of other documents is not known here. If it is missing, because the field is newer than the document, it stays so until it is counted.
    const count = lengthOf(field, body, model) ?? body[at]
    return body[at] === count ? body : { ...body, [at]: count! }
  },

  async truth(field, body, view, context) {
    const { countedBy } = countedRelation(field, context)
    return countedBy ? countedAnew(field, body, countedBy, view) : body
  },

  maintain(field, context) {
    const { countedBy } = countedRelation(field, context)
    return countedBy ? [maintainCount(field, context.model, countedBy)] : []
  },

  remark: (_, usage) => storedCountAdvice(usage),
}

/** The length of the counted list, where it is in the same object. */
function lengthOf(field: Counted, holder: Body, model: Model): number | undefined {
  const list = objectType(model, field.owner)!.fields.get(field.storage.relation)!
  const [property] = list.shape === 'list' ? storedPath(list)! : []
  return property === undefined ? undefined : ((holder[property] ?? []) as readonly unknown[]).length
}

/** The count is stale from the moment another document changes until this is applied. The change feed repeats it until it is. */
function maintainCount(field: Counted, model: Model, countedBy: CountedBy): Maintenance {
  const { source, idsIn } = countedBy
  const holder = model.documents.get(field.owner)!
  return {
    source,
    holder,
    unchanged: (before, after) => sameIds(idsIn(before), idsIn(after)),
    affected: (change, view) => pointedAt(holder, idsIn, change, view),
    refresh: (body, changes, view, stored) => countedOn(field, body, countedBy, changes, stored) ?? countedAnew(field, body, countedBy, view),
  }
}

/** The count after the changes, from the count before them; undefined where that is not known to be true. */
function countedOn(field: Counted, body: Body, { idsIn }: CountedBy, changes: readonly SourceChange[], stored: Body | undefined): Body | undefined {
  const { at } = field.storage
  if (typeof stored?.[at] !== 'number' || typeof body[at] !== 'number') return undefined
  const counts = (source: Body | undefined): number => Number(source !== undefined && idsIn(source).includes(body['id'] as string))
  let next = body[at]
  for (const { after, shownVersion } of changes) {
    if (!shownVersion) return undefined
    next += counts(after) - counts(shownVersion.body)
  }
  // A negative one shows that the stored number was wrong.
  return next < 0 ? undefined : { ...body, [at]: next }
}

async function countedAnew(field: Counted, body: Body, { source, path, value }: CountedBy, view: View): Promise<Body> {
  return { ...body, [field.storage.at]: await view.count(source, { op: 'eq', path, value: value(body['id'] as string) }) }
}

/** The read for the number, the same for every holder. */
function plannedCountOf(field: Counted, context: KindContext): PlannedRead {
  const { countedBy, plannedFreshReads } = countedRelation(field, context)
  if (countedBy) return plannedCount(countedBy.source, selectionOf(countedBy.source), countedBy.path)
  return plannedFreshReads!().count!
}

/** The documents that would be counted if the number were not stored. */
function countedIn(field: Counted, holder: Body, context: KindContext): Selection {
  const { countedBy } = countedRelation(field, context)
  if (!countedBy) return selectionOf(targetOf(context.model, objectType(context.model, field.owner)!.fields.get(field.storage.relation)!))
  const { source, path, value } = countedBy
  return { ...selectionOf(source), where: { op: 'eq', path, value: value(holder['id'] as string) } }
}

/** The counted relation, where it is not in the same document. */
function countedRelation(field: Counted, { model, prepared }: KindContext): Partial<Relation> {
  const found = prepared(objectType(model, field.owner)!.fields.get(field.storage.relation)!)
  return 'value' in found ? {} : found
}
