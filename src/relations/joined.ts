// `@joined`: a many-to-many relation through joining documents, each of which references one document on
// either side. It takes two waves, the joining documents and then the far side, so ids on both sides are
// the better choice where the lists are bounded.

import { plannedById, plannedListing, upTo } from '../read/planned-reads.ts'
import { inMemoryListing, maxFiltered, tooLong, type InMemoryEntry } from '../read/in-memory-listing.ts'
import { queryListing, type Listing, type Window } from '../read/listing.ts'
import type { Asker } from '../read/read-log.ts'
import type { Reads } from '../read/reads.ts'
import { selectionOf } from '../read/selection.ts'
import { holdsPlainIds, type PointerField } from '../model/pointers.ts'
import type { StorageOf } from '../model/storages.ts'
import { allRead, whenRead, type MaybePending } from '../store/maybe-promise.ts'
import type { StoredDocument } from '../store/store.ts'
import { storedPath, objectType, targetOf, type Field, type Model } from '../model/model.ts'
import type { Body } from '../model/json/json.ts'
import { idsHeld, storedId } from './pointers/by-id.ts'
import { countAdvice, some } from './count-advice.ts'
import type { Kind } from './kind.ts'

type Joined = Field<StorageOf<'joined'>>

const byId = { path: ['id'], descending: false }

export const joined: Kind<StorageOf<'joined'>> = {
  check(field, model) {
    const { through, from, to } = field.storage
    if (!model.documents.has(through)) return [`${field.coordinate}: it is joined through ${through}, which is not a document type. Name the type of the joining documents.`]
    if (!model.documents.has(field.target)) return [`${field.coordinate}: @joined needs a document type, and ${field.target} is not one. ${objectType(model, field.target) ? `Add @document to ${field.target}.` : 'Return a type that has @document.'}`]
    if (field.shape !== 'connection') return [`${field.coordinate}: a @joined list can grow without bound. Return ${field.target}Connection!.`]
    return [...checkEnd(field, model, 'from', field.owner, from), ...checkEnd(field, model, 'to', field.target, to), ...checkFilterUpTo(field)]
  },

  indexes: (field, model) => [
    { ...selectionOf(model.documents.get(field.storage.through)!), equals: storedPath(nearEnd(field, model))!, orderBy: byId.path },
  ],

  prepare(field, { model }) {
    const near = nearEnd(field, model)
    const far = farEnd(field, model)
    const target = targetOf(model, field)
    const through = model.documents.get(field.storage.through)!
    const selection = selectionOf(through)
    const path = storedPath(near)!
    const joins = (holder: Body, reads: Reads, asker: Asker) => {
      return queryListing(reads, asker, selection, byId, { path, value: storedId(near)(holder['id'] as string) })
    }
    const farIds = (joining: readonly StoredDocument[]) => joining.map(({ body }) => idsHeld(far, body)[0])
    return {
      lookUp(holder, reads, asker, asked): Listing {
        const all = joins(holder, reads, asker)
        if (asked) return inMemoryListing(asked, all.scope, field, () => joinedEntries(field, all, (joining) => {
          const ids = farIds(joining)
          return allRead(ids.length, (at) => (ids[at] === undefined ? undefined : reads.document(target, ids[at], { ...asker, stage: asker.stage + 1 })))
        }))
        return {
          scope: all.scope,
          count: () => all.count(),
          page: (window) => whenRead(all.page(window), (page) => {
            const joining = page.nodes
            const next = { ...asker, stage: asker.stage + 1 }
            const ids = farIds(joining)
            const looked = allRead(ids.length, (at) => (ids[at] === undefined ? undefined : reads.document(target, ids[at], next)))
            return whenRead(looked, (found) => {
              // A joining document whose far side does not exist is left out.
              const present = [...found.keys()].filter((at) => found[at] !== undefined)
              return { nodes: present.map((at) => found[at]), positionOf: (index) => page.positionOf(present[index]!), more: page.more }
            })
          }),
        }
      },
      plannedReads(window, asked) {
        if (asked) {
          const { stages } = plannedListing(through, selection, byId, everyEntry(field), path)
          return { stages: [...stages, plannedById(target, upTo(field.storage.filterUpTo!))], rows: upTo(Math.min(window.limit, field.storage.filterUpTo!)), countsByReading: true }
        }
        const joining = plannedListing(through, selection, byId, window, path)
        return { ...joining, stages: [...joining.stages, plannedById(target, joining.rows)] }
      },
      count: (holder, reads, asker) => joins(holder, reads, asker).count(),
      countedBy: { source: through, path, idsIn: (source) => idsHeld(near, source), value: storedId(near) },
      lookupReason: `found through ${field.storage.through} documents`,
    }
  },

  remark: (field, usage) => [
    ...(usage.paged > 0 ? [`${some(usage.paged, 'page')} an hour, each in two waves: ${field.storage.through} documents, and then ${field.target}. Where a list is short, ids on both sides save the first.`] : []),
    ...countAdvice(field, usage),
  ],
}

/** The reference of the joining documents to the owner of the field. */
export function nearEnd(field: Joined, model: Model): PointerField {
  return ends(field, model, field.owner, field.storage.from)[0]!
}

/** The other one. */
export function farEnd(field: Joined, model: Model): PointerField {
  const near = field.storage.from
  return ends(field, model, field.target, field.storage.to).find(({ name }) => name !== near)!
}

/** The references of the joining type that could be this end. */
function ends(field: Joined, model: Model, target: string, name: string | undefined): PointerField[] {
  const all = [...model.documents.get(field.storage.through)!.fields.values()]
  return all.filter((one): one is PointerField => holdsPlainIds(one) && one.shape === 'one' && one.target === target && (name === undefined || one.name === name))
}

/** All joining documents with their far sides, if they are few enough to be filtered. */
function joinedEntries(field: Joined, all: ReturnType<typeof queryListing>, look: (joining: readonly StoredDocument[]) => MaybePending<readonly (StoredDocument | undefined)[]>): MaybePending<InMemoryEntry[]> {
  return whenRead(all.page(everyEntry(field)), ({ nodes, more }) => {
    if (more) throw tooLong(field.coordinate, field.storage.filterUpTo!)
    return whenRead(look(nodes), (found) => nodes.flatMap(({ key }, at) => (found[at] ? [{ node: found[at], document: found[at], place: key.id }] : [])))
  })
}

function everyEntry({ storage: { filterUpTo } }: Joined): Window {
  return { limit: filterUpTo!, after: undefined, backwards: false, peek: true }
}

function checkFilterUpTo({ coordinate, storage: { filterUpTo } }: Joined): string[] {
  return filterUpTo === undefined || (filterUpTo >= 1 && filterUpTo <= maxFiltered) ? [] : [`${coordinate}: filterUpTo is ${filterUpTo}. Give a number from 1 to ${maxFiltered}.`]
}

function checkEnd(field: Joined, model: Model, end: 'from' | 'to', target: string, name: string | undefined): string[] {
  const { through } = field.storage
  const found = ends(field, model, target, name)
  if (found.length === 1) return []
  if (found.length > 1) return [`${field.coordinate}: ${through} references ${target} in ${found.map((one) => one.name).join(' and ')}. Choose one with ${end}: "…".`]
  return [`${field.coordinate}: ${through} has no reference to ${target}${name === undefined ? '' : ` called ${name}`}. Add one to ${through}.`]
}
