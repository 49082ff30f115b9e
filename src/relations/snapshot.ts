// `@snapshot`: the document holds `{ id, …copied fields }` of the target. A selection that stays
// within the copied fields is answered from it; anything more is looked up by the id.

import type { StorageOf } from '../model/storages.ts'
import { objectType, storedPath, targetOf, type Field, type Model } from '../model/model.ts'
import type { Body, Json } from '../model/json/json.ts'
import { checkPointer, followIds, idsHeld } from './pointers/by-id.ts'
import { copyableFields } from './pointers/copied-fields.ts'
import type { Kind, Tools } from './kind.ts'
import type { Maintenance } from './maintenance.ts'

type Snapshot = Field<StorageOf<'snapshot'>>

export const snapshot: Kind<StorageOf<'snapshot'>> = {
  check(field, model) {
    const problems = checkPointer(field, model)
    if (problems.length > 0) return problems
    return model.documents.has(field.owner) ? checkFields(field, model)
      : [`${field.coordinate} is a snapshot inside ${field.owner}, which is not a document type. Declare it @reference, or move it to a document type.`]
  },
  prepare: (field, { model }) => followIds(field, model, field.storage.fields, (entry) => entry as Body),
  point(field, ids, documentOf, tools) {
    const copies = ids.map((id) => copyOf(field, documentOf(id), tools))
    return field.shape === 'list' ? copies : (copies[0] ?? null)
  },
  async truth(field, body, view, tools) {
    const type = targetOf(tools.model, field)
    const ids = idsHeld(field, body)
    const targets = await view.read(ids.map((id) => ({ type, id })))
    return ids.reduce((renewed, id, index) => renew(field, renewed, id, targets[index]?.after, tools, false), body)
  },
  maintain: (field, tools) => [keepCopies(field, tools)],
}

/** What is copied of a document. A derived field is computed by the function that computes it everywhere. */
function copyOf(field: Snapshot, document: Body, tools: Tools): Body {
  const copy: Record<string, Json> = shownOf(field, document, tools)
  // The version tells an older copy from a newer one when changes overtake each other. It is that of the
  // last change to anything that is copied: what else changes in the document makes no copy older.
  // A document that was never changed has none.
  const version = document['_c'] ?? document['_v']
  if (version) copy['_v'] = version
  return copy
}

/** The same without the version. */
function shownOf(field: Snapshot, document: Body, tools: Tools): Record<string, Json> {
  const shown: Record<string, Json> = { id: document['id']! }
  for (const { name, value } of copiedIn(field, tools)) shown[name] = value(document)
  return shown
}

interface Copied {
  readonly name: string
  readonly value: (document: Body) => Json
}

/** How each field that is copied is had; worked out once. */
function copiedIn(field: Snapshot, { model, prepared }: Tools): readonly Copied[] {
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

/** A copy is stale from the moment its document changes until this has been applied, which the change feed sees to. */
function keepCopies(field: Snapshot, tools: Tools): Maintenance {
  const holder = tools.model.documents.get(field.owner)!
  const path = storedPath(field)!
  const shown = (document: Body) => JSON.stringify(shownOf(field, document, tools))
  return {
    source: targetOf(tools.model, field),
    holder,
    shown,
    async concerned({ id, after, past, complete }, view) {
      // What becomes of pointers to a document that is gone was decided when it was deleted.
      if (!after || (complete && past.length > 0 && past.every((document) => isCopiedAlike(document, after) || shown(document) === shown(after)))) return []
      return view.find(holder, { op: 'eq', path, value: id })
    },
    // Only the feed can be late: a change that is written together with its copies is the newest there is.
    refresh: (body, { id, after, complete }) => renew(field, body, id, after, tools, !complete),
  }
}

/** The holder with its copies of that document as they ought to be. */
function renew(field: Snapshot, body: Body, id: string, document: Body | undefined, tools: Tools, keepNewer: boolean): Body {
  const { at } = field.storage
  const copy = document && copyOf(field, document, tools)
  const renewed = (entry: Body | null) => (copy && entry?.['id'] === id && !(keepNewer && isNewer(entry, copy)) ? copy : entry)
  const held = body[at]
  if (held === undefined || held === null) return body
  return { ...body, [at]: Array.isArray(held) ? held.map((entry) => renewed(entry as Body | null)) : renewed(held as Body) }
}

/** Whether nothing that is copied of a document has changed, where its versions tell. */
function isCopiedAlike(before: Body, after: Body): boolean {
  return after['_c'] !== undefined && before['_c'] === after['_c']
}

function isNewer(entry: Body, copy: Body): boolean {
  return ((entry['_v'] as number | undefined) ?? 0) > ((copy['_v'] as number | undefined) ?? 0)
}

function checkFields(field: Snapshot, model: Model): string[] {
  const target = objectType(model, field.target)!
  const copyable = copyableFields(target)
  return field.storage.fields.flatMap((name) => {
    if (copyable.some((one) => one.name === name)) return []
    return target.fields.has(name)
      ? [`${field.coordinate} copies ${name}, which is itself a relation of ${target.name}. Copy stored or derived fields only.`]
      : [`${field.coordinate} copies ${name}, and ${target.name} has no such field. It has ${copyable.map((one) => one.name).join(', ')}.`]
  })
}
