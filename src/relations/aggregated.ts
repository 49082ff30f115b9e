// `@aggregated`: the sum, average, smallest or largest value of a field over a relation, stored when something is written. Where the
// values are in the same document or its buckets, it is always right. Where they are in other documents it is a snapshot, like a
// count: a request that allows no stale snapshots has the values aggregated instead.
//
// Where a document and its effects are written in one transaction, the amount is kept by difference where that is exact: the values
// before and after the change are known. Everywhere else all values are aggregated again, since repeating a difference would make the
// amount wrong; so they are where the smallest or largest value goes. `quire check` always aggregates again.

import { clientError } from '../graphql-errors.ts'
import type { Body } from '../model/json/json.ts'
import { comesFrom, type Field, type Model } from '../model/model.ts'
import { scalarCalled, sumOf } from '../model/scalars.ts'
import type { StorageOf } from '../model/storages.ts'
import { once, plannedAggregate } from '../read/planned-reads.ts'
import { selectionOf } from '../read/selection.ts'
import { whenRead } from '../store/maybe-promise.ts'
import type { Group } from '../store/aggregate/aggregation.ts'
import { aggregationOf, measuredIn, measureOf, relationOf, sourceOf, valueField, valueReader, type SourceDocuments } from './aggregates/aggregated-values.ts'
import { amountOf, amountOfNothing, isSameAmount, withAmount, withChange } from './aggregates/stored-amount.ts'
import { storedCountAdvice } from './count-advice.ts'
import type { Kind } from './kind.ts'
import { pointedAt, sameIds, type Maintenance, type SourceChange, type View } from './maintenance.ts'
import { valueIndex } from './value-index.ts'

type Aggregated = Field<StorageOf<'aggregated'>>

export const aggregated: Kind<StorageOf<'aggregated'>> = {
  check(field, model) {
    const { relation: name, field: of, function: aggregate } = field.storage
    const [relation, measured] = [relationOf(field, model), valueField(field, model)]
    if (!relation) return [`${field.coordinate}: ${field.owner} has no list or connection ${name} to aggregate. Name one with relation.`]
    const problem = relationProblem(relation, of)
    if (problem) return [`${field.coordinate}: ${problem}`]
    const values = measured && scalarCalled(measured.target)?.measured
    if (!measured?.leaf || measured.shape !== 'one' || !comesFrom(measured, 'client', 'list') || !values) {
      return [`${field.coordinate}: ${relation.target} has no stored number or text ${of}. Name a number, a text or another scalar that has an order with field.`]
    }
    const adds = aggregate === 'SUM' || aggregate === 'AVG'
    if (adds && values === 'string') return [`${field.coordinate}: ${measured.coordinate} is a text, which has no ${aggregate === 'SUM' ? 'sum' : 'average'}. Name a number, or use MIN or MAX.`]
    const type = adds ? sumOf(measured.target) : measured.target
    if (field.target !== type || field.shape !== 'one') return [`${field.coordinate}: it holds a ${type}. Declare it ${type}.`]
    return field.required && aggregate !== 'SUM' ? [`${field.coordinate}: without values there is no ${aggregate}, and it is null. Declare it ${type}, without "!".`] : []
  },

  indexes: valueIndex,

  prepare(field, { model }) {
    const { at } = field.storage
    const relation = relationOf(field, model)!
    const source = sourceOf(field, model)
    const inDocument = objectsIn(field, model)
    // Inside a contained object nothing is stored: the values are in the same object.
    if (inDocument && !model.documents.has(field.owner)) return { value: (holder) => amountOf(field.storage, measuredIn(field, model, inDocument(holder))) }
    if (inDocument) return { value: (holder) => (holder[at] === undefined ? amountOf(field.storage, measuredIn(field, model, inDocument(holder))) : holder[at]) }
    if (!source) return { value: (holder) => storedOrPending(field, holder, relation) }
    const aggregation = aggregationOf(field, model)
    const selection = selectionOf(source.source)
    const whose = (holder: Body) => ({ path: source.path, value: source.value(holder['id'] as string) })
    return {
      copied: new Set(),
      copy: (holder) => holder[at] ?? amountOfNothing(field.storage),
      spare: (holder, reads, asker) => reads.spareCount({ ...selection, where: { op: 'eq', ...whose(holder) } }, asker),
      lookUp: (holder, reads, asker) => whenRead(reads.aggregate(selection, aggregation, whose(holder), asker), (groups) => amountOf(field.storage, (groups as readonly Group[])[0]!.measured[0]!)),
      plannedReads: () => ({ stages: [plannedAggregate(source.source, selection, aggregation, source.path)], rows: once }),
      lookupReason: `${relation.name} is aggregated`,
    }
  },

  settle(field, body, model) {
    const objects = objectsIn(field, model)?.(body)
    if (!objects) return body
    const settled = withAmount(field.storage, body, measuredIn(field, model, objects))
    return isSameAmount(settled[field.storage.at], body[field.storage.at]) && body[field.storage.at] !== undefined ? body : settled
  },

  async truth(field, body, view, { model }) {
    const source = sourceOf(field, model)
    if (!source) return body
    const recomputed = await recompute(field, body, source, view, model)
    return isSameAmount(recomputed[field.storage.at], body[field.storage.at]) && body[field.storage.at] !== undefined ? body : recomputed
  },

  maintain(field, { model }) {
    const source = sourceOf(field, model)
    return source ? [maintainAmount(field, model, source)] : []
  },

  remark: (_, usage) => storedCountAdvice(usage),
}

/** Why a relation cannot be aggregated. */
function relationProblem(relation: Field, of: string): string | undefined {
  const { storage, name, coordinate } = relation
  if (relation.shape === 'one') return `${name} is not a list. Name a list or connection with relation.`
  if (comesFrom(relation, 'pointers', 'entries', 'part')) return undefined
  if ('inverseOf' in storage && storage.inverseOf !== undefined) return undefined
  if ('fields' in storage) return storage.fields.includes(of) ? undefined : `${coordinate} does not copy ${of}. Add it to its fields.`
  if ('through' in storage) return `${coordinate} leads through ${storage.through} documents, and values behind those are not followed. Aggregate a @reverse list of ${storage.through}, with the value in it.`
  return `${coordinate} is stored by @${storage.kind}, whose documents are not followed. Aggregate a @reverse list, or one with inverseOf.`
}

/** The objects in the same document that have the values; undefined where they are elsewhere. */
function objectsIn(field: Aggregated, model: Model): ((holder: Body) => readonly Body[]) | undefined {
  const list = relationOf(field, model)!
  const { storage, shape } = list
  if (shape !== 'list' || !('at' in storage) || !('fields' in storage || comesFrom(list, 'part'))) return undefined
  return (holder) => ((holder[storage.at] ?? []) as readonly (Body | null)[]).filter((each) => each !== null)
}

/** Only all buckets tell the amount of a list that was there before the field was declared. */
function storedOrPending(field: Aggregated, holder: Body, { storage }: Field): unknown {
  const stored = holder[field.storage.at]
  if (stored !== undefined) return stored
  const isEmpty = !('at' in storage) || ((holder[storage.at] ?? []) as readonly unknown[]).length === 0
  if (isEmpty) return amountOfNothing(field.storage)
  throw clientError('CATCHING_UP', `${field.coordinate} is being computed for documents that were stored before it was declared. Try again later, or run "quire check --repair".`)
}

/** The amount is stale from the moment another document changes until this is applied. The change feed repeats it until it is. */
function maintainAmount(field: Aggregated, model: Model, documents: SourceDocuments): Maintenance {
  const { source, idsIn } = documents
  const holder = model.documents.get(field.owner)!
  const valueOf = valueReader(field, model)
  // A recomputed amount has all pending changes in it, so none of them may be added to it later as a difference.
  const recomputedIn = new WeakMap<View, Set<unknown>>()
  const recomputed = (body: Body, view: View): Promise<Body> => {
    const holders = recomputedIn.get(view)
    if (holders) holders.add(body['id'])
    else recomputedIn.set(view, new Set([body['id']]))
    return recompute(field, body, documents, view, model)
  }
  return {
    source,
    holder,
    unchanged: (before, after) => valueOf(before) === valueOf(after) && sameIds(idsIn(before), idsIn(after)),
    affected: (change, view) => pointedAt(holder, idsIn, change, view),
    refresh: (body, changes, view, stored) => (recomputedIn.get(view)?.has(body['id']) ? undefined : changedBy(field, body, documents, valueOf, changes, stored)) ?? recomputed(body, view),
  }
}

/** The document after the changes, from what it stored before them; undefined where that is not known to be true. */
function changedBy(field: Aggregated, body: Body, { idsIn }: SourceDocuments, valueOf: ReturnType<typeof valueReader>, changes: readonly SourceChange[], stored: Body | undefined): Body | undefined {
  const { at } = field.storage
  if (stored?.[at] === undefined || body[at] === undefined) return undefined
  const valueHere = (source: Body | undefined) => (source !== undefined && idsIn(source).includes(body['id'] as string) ? valueOf(source) : undefined)
  let next: Body | undefined = body
  for (const { after, shownVersion } of changes) {
    if (!shownVersion || !next) return undefined
    next = withChange(field.storage, next, valueHere(shownVersion.body), valueHere(after))
  }
  return next
}

async function recompute(field: Aggregated, body: Body, { source, path, value }: SourceDocuments, view: View, model: Model): Promise<Body> {
  return withAmount(field.storage, body, await view.measure(source, { op: 'eq', path, value: value(body['id'] as string) }, measureOf(field, model)))
}
