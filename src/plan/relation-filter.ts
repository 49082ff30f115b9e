// Filters by what a relation shows, such as `posts(filter: { tags: { some: { label: … } } })`. If the holder has an indexed copy of every
// field that is asked about, and copies are young enough, the copies are compared in the query for the holders. Otherwise the
// targets that match are found first, and then the holders by their ids: one wave more.
//
// Both must find the same. To a copy, a holder that points nowhere has null in every field; a target that does not exist is not found.
// So conditions on copies also ask for the id.

import { badInput, clientError } from '../graphql-errors.ts'
import type { Filterable, RelationFilterable, TargetFilterable } from '../model/api/filters.ts'
import { numericId } from '../model/keys/numeric-id.ts'
import { storedPath, targetOf, type DocumentType } from '../model/model.ts'
import { hasNumericIds, type PointerField } from '../model/pointers.ts'
import { selectionOf } from '../read/selection.ts'
import type { Condition, Path, Query } from '../store/query.ts'
import { conjuncts, matches } from '../store/conditions.ts'
import type { Declaration } from '../relations/declaration.ts'
import type { Relation } from '../relations/kind.ts'
import { someOf } from './contained-filter.ts'
import type { FilterInput } from './filter.ts'
import { listed, type Choice } from './snapshot-or-lookup.ts'

/** A relation that documents can be filtered by. */
export interface RelationFilter {
  readonly field: PointerField
  readonly target: DocumentType
  readonly filters: ReadonlyMap<string, TargetFilterable>
  /** Conditions on copies begin at the copy in a list, and at the document otherwise. */
  readonly ofCopies: ReadonlyMap<string, Filterable>
  readonly ofTargets: ReadonlyMap<string, Filterable>
}

/** A condition on related documents, and how it is answered. */
export interface RelatedCondition {
  readonly field: PointerField
  readonly choice: Choice
  readonly target: DocumentType
  /** Finds the targets before the holders are read; undefined where copies answer. */
  readonly lookup: Lookup | undefined
  /** The query that copies have saved; undefined where only they have an index. */
  readonly spared: Query | undefined
}

export interface Lookup {
  readonly query: Query
  /** Completes the condition with what the query has found. */
  readonly fill: (ids: readonly string[]) => void
}

/** What one request allows, and where its conditions on related documents are collected. */
export interface Relating {
  /** Why copies must not answer; undefined where they may. */
  readonly mustLookUp: string | undefined
  /** Why copies should not answer where a lookup can: where only copies have an index, it cannot. */
  readonly wouldLookUp: string | undefined
  readonly related: RelatedCondition[]
  readonly conditionOn: (filters: ReadonlyMap<string, Filterable>, input: FilterInput, target: DocumentType) => Condition
}

/** Ids beyond these are too many for a condition. */
export const maxTargets = 1000

/** Each takes a query of its own. */
const maxLookups = 5

export function relationFilter({ field, filters: declared }: RelationFilterable, { model, prepared }: Pick<Declaration, 'model' | 'prepared'>): RelationFilter {
  const relation = prepared(field) as Relation
  // Documents that were written before a field was copied do not have it yet.
  const filters = declared.map((each) => ({ ...each, copied: each.copied && relation.incompleteReason === undefined && relation.copied?.has(each.name) === true }))
  const within = field.shape === 'list' ? [] : [field.storage.at]
  return {
    field,
    target: targetOf(model, field),
    filters: new Map(filters.map((filter) => [filter.name, filter])),
    ofCopies: new Map(filters.map(({ name, field: ofTarget, scalar }) => [name, { name, field: ofTarget, description: '', scalar, many: false, path: [...within, name], numeric: false }])),
    ofTargets: new Map(filters.flatMap(({ name, target }) => (target ? [[name, target]] : []))),
  }
}

/** The condition on the holders for what a filter says of a relation. */
export function relatedCondition(relation: RelationFilter, given: Readonly<Record<string, FilterInput | null | undefined>>, relating: Relating): Condition {
  if (relation.field.shape !== 'list') return quantified(relation, 'some', given, relating)
  const asked = quantifiers.flatMap((quantifier) => (given[quantifier] ? [quantified(relation, quantifier, given[quantifier], relating)] : []))
  return asked.length === 1 ? asked[0]! : { op: 'and', conditions: asked }
}

type Quantifier = 'some' | 'none' | 'every'

const quantifiers: readonly Quantifier[] = ['some', 'none', 'every']

function quantified(relation: RelationFilter, quantifier: Quantifier, input: FilterInput, relating: Relating): Condition {
  const { field, target, filters } = relation
  const onCopies = relating.conditionOn(relation.ofCopies, input, target)
  const used = [...new Set(comparedNames(onCopies))]
  if (used.length === 0) return ofAny(field, quantifier, matches(onCopies, {}))
  const unindexed = used.filter((name) => !filters.get(name)!.target)
  const because = whyLookUp(relation, used, relating)
  if (unindexed.length > 0 && because?.isFirm) {
    const toCopy = used.filter((name) => filters.get(name)!.target && !declaredIndexes(field).includes(name))
    throw toCopy.length > 0 ? indexedApart(relation, unindexed, toCopy) : onlyCopied(relation, unindexed, because.text)
  }
  const query = unindexed.length > 0 ? undefined : targetsQuery(relation, quantifier === 'every' ? { not: input } : input, relating)
  if (!because || !query) {
    relating.related.push({ field, target, choice: { from: 'SNAPSHOT', because: `in the filter, ${listed(used)} copied with an index` }, lookup: undefined, spared: query })
    return byCopies(field, quantifier, onCopies)
  }
  const found: Condition[] = []
  relating.related.push({ field, target, choice: { from: 'REFERENCE', because: because.text }, lookup: { query, fill: (ids) => found.push(byIds(field, quantifier, ids)) }, spared: undefined })
  if (relating.related.filter(({ lookup }) => lookup).length > maxLookups) throw badInput(`The filter has more than ${maxLookups} conditions on related documents that have to be looked up. Combine those on one relation, or ask in several requests.`)
  return { op: 'and', conditions: found }
}

/** Why the targets are looked up, if they are. A reason that is not firm gives way where they cannot be. */
function whyLookUp({ filters }: RelationFilter, used: readonly string[], { mustLookUp, wouldLookUp }: Relating): { readonly text: string; readonly isFirm: boolean } | undefined {
  if (mustLookUp !== undefined) return { text: mustLookUp, isFirm: true }
  const uncopied = used.filter((name) => !filters.get(name)!.copied)
  if (uncopied.length > 0) return { text: `in the filter, ${listed(uncopied)} not copied with an index`, isFirm: true }
  return wouldLookUp === undefined ? undefined : { text: wouldLookUp, isFirm: false }
}

/** The names of the fields that a condition on copies compares. */
function* comparedNames(condition: Condition): Generator<string> {
  if ('conditions' in condition) for (const each of condition.conditions) yield* comparedNames(each)
  else if ('condition' in condition) yield* comparedNames(condition.condition)
  else yield condition.path.at(-1)!
}

/** A condition that compares nothing: it is true of every target, or of none. */
function ofAny(field: PointerField, quantifier: Quantifier, isTrue: boolean): Condition {
  const path = storedPath(field)!
  const points: Condition = hasNumericIds(field) ? { op: 'gte', path, value: -Number.MAX_VALUE } : { op: 'startsWith', path, value: '' }
  const pointsNowhere: Condition = { op: 'not', condition: points }
  if (quantifier === 'some') return isTrue ? points : { op: 'or', conditions: [] }
  return isTrue === (quantifier === 'none') ? pointsNowhere : { op: 'and', conditions: [] }
}

function targetsQuery({ ofTargets, target }: RelationFilter, input: FilterInput, { conditionOn }: Relating): Query {
  return { ...selectionOf(target), where: conditionOn(ofTargets, input, target), orderBy: { path: ['id'], descending: false }, limit: maxTargets + 1 }
}

function byIds(field: PointerField, quantifier: Quantifier, ids: readonly string[]): Condition {
  if (ids.length > maxTargets) throw tooManyTargets(field)
  const condition: Condition = { op: 'in', path: storedPath(field)!, values: hasNumericIds(field) ? ids.map(numericId) : ids }
  // Every target matches if none is among those that do not.
  return quantifier === 'some' ? condition : { op: 'not', condition }
}

function byCopies(field: PointerField, quantifier: Quantifier, condition: Condition): Condition {
  if (field.shape !== 'list') return existing([field.storage.at, 'id'], condition)
  if (quantifier === 'every') return { op: 'not', condition: someCopy(field, { op: 'not', condition }) }
  return quantifier === 'some' ? someCopy(field, condition) : { op: 'not', condition: someCopy(field, condition) }
}

function someCopy(field: PointerField, condition: Condition): Condition {
  return someOf([field.storage.at], existing(['id'], condition))
}

/** The condition for copies that exist; most conditions hold for no others anyway. */
function existing(id: Path, condition: Condition): Condition {
  return conjuncts(condition).some(excludesNull) ? condition : { op: 'and', conditions: [{ op: 'not', condition: { op: 'eq', path: id, value: null } }, condition] }
}

function excludesNull(condition: Condition): boolean {
  if (!('path' in condition)) return false
  return condition.op === 'in' ? !condition.values.includes(null) : condition.value !== null
}

/** No copy is young enough to help: some fields have an index only in copies, and others only in the documents. */
function indexedApart({ field, target }: RelationFilter, copied: readonly string[], toCopy: readonly string[]) {
  return badInput(`${field.coordinate} cannot be filtered by ${[...copied, ...toCopy].join(' and ')} in one condition: only its copies have an index of ${copied.join(' and ')}, and only ${target.name} has one of ${toCopy.join(' and ')}. Let the holder copy them all: @snapshot(fields: …, indexed: ${JSON.stringify([...new Set([...declaredIndexes(field), ...toCopy])])}).`)
}

/** Also those that some copies do not have yet. */
function declaredIndexes({ storage }: PointerField): readonly string[] {
  return 'indexed' in storage ? storage.indexed : []
}

function onlyCopied({ field, target }: RelationFilter, names: readonly string[], because: string) {
  return clientError('STALE_FILTER', `${field.coordinate} can be filtered by ${names.join(' and ')} only in its copies, because ${target.name} has no index of ${names.length === 1 ? 'it' : 'them'}, and ${because}. Allow older copies, or filter by indexed fields of ${target.name}.`)
}

function tooManyTargets({ coordinate, target }: PointerField) {
  return badInput(`The condition on ${coordinate} matches more than ${maxTargets} documents of ${target}, which are too many to look up. Narrow it, or let the holder copy what it compares: @snapshot(fields: …, indexed: …).`)
}
