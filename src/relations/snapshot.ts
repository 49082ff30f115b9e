// `@snapshot`: the document holds `{ id, …copied fields }` of the target. A selection of copied fields is
// answered from the snapshot; any other is looked up by the id.

import type { StorageOf } from '../model/storages.ts'
import { copiedPath, objectType, storedPath, targetOf, type Field, type Model, type ObjectType } from '../model/model.ts'
import type { Body, Json } from '../model/json/json.ts'
import { selectionOf } from '../read/selection.ts'
import { checkPointer, followIds, idsHeld } from './pointers/by-id.ts'
import { copyableFields } from './pointers/copied-fields.ts'
import type { Kind, KindContext } from './kind.ts'
import type { Maintenance } from './maintenance.ts'

type Snapshot = Field<StorageOf<'snapshot'>>

export const snapshot: Kind<StorageOf<'snapshot'>> = {
  check(field, model) {
    const problems = checkPointer(field, model)
    if (problems.length > 0) return problems
    return model.documents.has(field.owner) ? checkFields(field, model)
      : [`${field.coordinate}: a @snapshot has to be in a document type, and ${field.owner} is not one. Declare it @reference, with @frozen fields for what must stay as it is, or move it to a document type.`]
  },
  prepare: (field, { model }) => followIds(field, model, field.storage.fields, (entry) => entry as Body),
  point(field, ids, documentOf, context) {
    const copies = ids.map((id) => copyOf(field, documentOf(id), context))
    return field.shape === 'list' ? copies : (copies[0] ?? null)
  },
  async truth(field, body, view, context) {
    const type = targetOf(context.model, field)
    const ids = idsHeld(field, body)
    const targets = await view.read(ids.map((id) => ({ type, id })))
    return ids.reduce((renewed, id, index) => renew(field, renewed, id, targets[index]?.after, context, false), body)
  },
  maintain: (field, context) => [maintainSnapshots(field, context)],
  indexes: (field, model) => {
    const holder = model.documents.get(field.owner)!
    return field.storage.indexed.map((name) => ({ ...selectionOf(holder), equals: copiedPath(field, name) }))
  },
}

/** The snapshot of a document. A derived field is computed by the same function as everywhere. */
function copyOf(field: Snapshot, document: Body, context: KindContext): Body {
  const copy: Record<string, Json> = shownOf(field, document, context)
  // The version tells an older snapshot from a newer one when changes arrive out of order. It is the version of
  // the last change to a copied field: other changes of the document make no snapshot older. A document
  // that was never changed has none.
  const version = document['_c'] ?? document['_v']
  if (version) copy['_v'] = version
  return copy
}

/** The same without the version. */
function shownOf(field: Snapshot, document: Body, context: KindContext): Record<string, Json> {
  const shown: Record<string, Json> = { id: document['id']! }
  for (const { name, value } of copiedIn(field, context)) shown[name] = value(document)
  return shown
}

interface Copied {
  readonly name: string
  readonly value: (document: Body) => Json
}

/** How each copied field is computed; prepared once. */
function copiedIn(field: Snapshot, { model, prepared }: KindContext): readonly Copied[] {
  let copied = copiedInFields.get(field)
  if (!copied) {
    const { fields } = model.documents.get(field.target)!
    copied = field.storage.fields.map((name) => {
      const found = prepared(fields.get(name)!)
      return { name, value: (document) => ('value' in found ? found.value(document) : null) as Json }
    })
    copiedInFields.set(field, copied)
  }
  return copied
}

const copiedInFields = new WeakMap<Snapshot, readonly Copied[]>()

/** A snapshot is stale from the moment its document changes until this is applied. The change feed repeats it until it is. */
function maintainSnapshots(field: Snapshot, context: KindContext): Maintenance {
  const holder = context.model.documents.get(field.owner)!
  const path = storedPath(field)!
  const shown = (document: Body) => JSON.stringify(shownOf(field, document, context))
  return {
    source: targetOf(context.model, field),
    holder,
    shown,
    unchanged: (before, after) => hasSameCopiedFields(before, after) || shown(before) === shown(after),
    // Pointers to a deleted document were dealt with when it was deleted.
    affected: async ({ id, after }, view) => (after ? view.find(holder, { op: 'eq', path, value: id }) : []),
    // Only the feed can be late: a change that is written together with its snapshots is the newest.
    refresh: (body, changes) => changes.reduce((renewed, { id, after, complete }) => renew(field, renewed, id, after, context, !complete), body),
  }
}

/** The holder with its snapshots of that document as they should be. */
function renew(field: Snapshot, body: Body, id: string, document: Body | undefined, context: KindContext, keepNewer: boolean): Body {
  const { at } = field.storage
  const copy = document && copyOf(field, document, context)
  const renewed = (entry: Body | null) => (copy && entry?.['id'] === id && !(keepNewer && isNewer(entry, copy)) ? copy : entry)
  const held = body[at]
  if (held === undefined || held === null) return body
  return { ...body, [at]: Array.isArray(held) ? held.map((entry) => renewed(entry as Body | null)) : renewed(held as Body) }
}

/** Whether no copied field has changed, where the versions of the document tell. */
function hasSameCopiedFields(before: Body, after: Body): boolean {
  return after['_c'] !== undefined && before['_c'] === after['_c']
}

function isNewer(entry: Body, copy: Body): boolean {
  return ((entry['_v'] as number | undefined) ?? 0) > ((copy['_v'] as number | undefined) ?? 0)
}

function checkFields(field: Snapshot, model: Model): string[] {
  const target = objectType(model, field.target)!
  const copyable = copyableFields(target)
  return [...checkIndexed(field, target), ...field.storage.fields.flatMap((name) => {
    if (copyable.some((one) => one.name === name)) return []
    return target.fields.has(name)
      ? [`${field.coordinate}: it copies ${name}, which is a relation of ${target.name}. Copy stored or derived fields only.`]
      : [`${field.coordinate}: it copies ${name}, but ${target.name} has no such field. Copy any of ${copyable.map((one) => one.name).join(', ')}.`]
  })]
}

function checkIndexed(field: Snapshot, target: ObjectType): string[] {
  return field.storage.indexed.flatMap((name) => {
    const found = target.fields.get(name)
    if (!field.storage.fields.includes(name)) return [`${field.coordinate}: it indexes ${name}, which it does not copy. Add ${JSON.stringify(name)} to fields.`]
    if (found && (!found.leaf || found.shape !== 'one')) return [`${field.coordinate}: it indexes ${name}, which is no single scalar. Index copied scalars and enums only.`]
    return []
  })
}
