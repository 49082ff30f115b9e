// `@counted`: how many there are, written down when something is written. Where the counted list is
// in the document itself, the number is as true as the list. Where it is elsewhere, the number is a
// copy, and a reader who allows no stale copies has it counted instead.
//
// Counts are always counted and never incremented, so repeating one cannot make it wrong.

import { plannedCount, once, type PlannedRead } from '../read/planned-reads.ts'
import { selectionOf } from '../read/selection.ts'
import type { StorageOf } from '../model/storages.ts'
import { objectType, storedPath, targetOf, type Field, type Model } from '../model/model.ts'
import { writeCharge } from '../store/cost-model.ts'
import type { Selection } from '../store/query.ts'
import type { Body } from '../model/json/json.ts'
import { amount, some } from './count-remark.ts'
import type { Kind, Relation, Tools } from './kind.ts'
import { pointedAt, type Maintenance, type View } from './maintenance.ts'
import { valueIndex } from './value-index.ts'

type Counted = Field<StorageOf<'counted'>>
type CountedBy = NonNullable<Relation['countedBy']>

export const counted: Kind<StorageOf<'counted'>> = {
  check(field, model) {
    const { relation } = field.storage
    const type = objectType(model, field.owner)!
    if (field.target !== 'Int' || field.shape !== 'one') return [`${field.coordinate} is declared @counted, so it has to be an Int!.`]
    const known = [...type.fields.values()].filter(({ shape }) => shape !== 'one').map(({ name }) => name)
    if (known.includes(relation)) return []
    const hint = known.length > 0 ? `Name one of ${known.join(', ')}.` : `${type.name} has none.`
    return [`${field.coordinate} counts ${relation}, which is no list or connection of ${type.name}. ${hint}`]
  },

  indexes: valueIndex,

  prepare(field, tools) {
    const { at, relation } = field.storage
    const value = (holder: Body) => (holder[at] as number | undefined) ?? 0
    const { count } = countedRelation(field, tools)
    // Inside what is contained a count is never written down: the list is right there.
    if (!tools.model.documents.has(field.owner)) return { value: (holder) => lengthOf(field, holder, tools.model) }
    if (!count) return { value }
    return {
      copied: new Set(),
      copy: value,
      spare: (holder, reads, asker) => reads.spareCount(countedIn(field, holder, tools), asker),
      look: count,
      asks: () => ({ stages: [askedOf(field, tools)], rows: once }),
      because: `${relation} is counted`,
    }
  },

  settle(field, body, model) {
    const { at } = field.storage
    // A count of what is elsewhere starts from nothing; from then on it is maintained.
    const count = lengthOf(field, body, model) ?? body[at] ?? 0
    return body[at] === count ? body : { ...body, [at]: count }
  },

  async truth(field, body, view, tools) {
    const { countedBy } = countedRelation(field, tools)
    return countedBy ? countedAnew(field, body, countedBy, view) : body
  },

  maintain(field, tools) {
    const { countedBy } = countedRelation(field, tools)
    return countedBy ? [keepCount(field, tools.model, countedBy)] : []
  },

  remark(_, { operations, rewritten, holderBytes }) {
    if (rewritten === 0) return []
    const keeping = `keeping it true wrote ${some(rewritten, 'document')} an hour, which is ${amount(rewritten * writeCharge(holderBytes, holderBytes))} RU`
    return operations > 0 ? [`PlannedRead for in ${some(operations, 'operation')} an hour; ${keeping}.`] : [`Nobody asked for it, and ${keeping}: take it out, or have it asked for.`]
  },
}

/** How long the counted list is, where it is in the same object. */
function lengthOf(field: Counted, holder: Body, model: Model): number | undefined {
  const list = objectType(model, field.owner)!.fields.get(field.storage.relation)!
  const [property] = list.shape === 'list' ? storedPath(list)! : []
  return property === undefined ? undefined : ((holder[property] ?? []) as readonly unknown[]).length
}

/** The count is stale from the moment something is added elsewhere until this has been applied, which the change feed sees to. */
function keepCount(field: Counted, model: Model, countedBy: CountedBy): Maintenance {
  const { source, idsIn } = countedBy
  const holder = model.documents.get(field.owner)!
  return {
    source,
    holder,
    concerned: (change, view) => pointedAt(holder, idsIn, change, view),
    refresh: (body, _, view) => countedAnew(field, body, countedBy, view),
  }
}

async function countedAnew(field: Counted, body: Body, { source, path, value }: CountedBy, view: View): Promise<Body> {
  return { ...body, [field.storage.at]: await view.count(source, { op: 'eq', path, value: value(body['id'] as string) }) }
}

/** The same question for every holder. */
function askedOf(field: Counted, tools: Tools): PlannedRead {
  const { countedBy, asksFresh } = countedRelation(field, tools)
  if (countedBy) return plannedCount(countedBy.source, selectionOf(countedBy.source), countedBy.path)
  return asksFresh!().count!
}

/** What would be counted if the number were not there. */
function countedIn(field: Counted, holder: Body, tools: Tools): Selection {
  const { countedBy } = countedRelation(field, tools)
  if (!countedBy) return selectionOf(targetOf(tools.model, objectType(tools.model, field.owner)!.fields.get(field.storage.relation)!))
  const { source, path, value } = countedBy
  return { ...selectionOf(source), where: { op: 'eq', path, value: value(holder['id'] as string) } }
}

/** What is counted, where it is not in the document itself. */
function countedRelation(field: Counted, { model, prepared }: Tools): Partial<Relation> {
  const found = prepared(objectType(model, field.owner)!.fields.get(field.storage.relation)!)
  return 'value' in found ? {} : found
}
