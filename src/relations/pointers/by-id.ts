// Looks up documents by the ids that another document holds. All pointer kinds share this; they differ in what they
// store beside the id.

import { GraphQLError } from 'graphql'
import { plannedById, upTo, type Range } from '../../read/planned-reads.ts'
import type { Asker } from '../../read/read-log.ts'
import type { Reads } from '../../read/reads.ts'
import { numericId } from '../../model/keys/numeric-id.ts'
import { isFoundById } from '../../model/keys/partition.ts'
import { objectType, targetOf, type DocumentType, type Model } from '../../model/model.ts'
import { hasNumericIds, type PointerField } from '../../model/pointers.ts'
import { whenRead, type MaybePending } from '../../store/maybe-promise.ts'
import type { Body, Json } from '../../model/json/json.ts'
import { Copy, type LookedUpLevel, type Relation } from '../kind.ts'
import { idOf } from './walk-pointers.ts'

/** A relation by the ids in the holder. `copyOf` makes the snapshot of a stored entry, with its id as text. */
export function followIds(field: PointerField, model: Model, copied: readonly string[], copyOf: (entry: Json) => Body): Relation {
  const { at } = field.storage
  const target = targetOf(model, field)
  const copies = (holder: Body) => entriesHeld(holder, at).map(copyOf)
  const ids = (holder: Body) => idsHeld(field, holder)
  const inHolder = heldBy(field)
  return {
    // The id is stored, and so is the global id where the id alone gives the partition.
    copied: new Set(['id', ...(isFoundById(target) ? ['nodeId'] : []), ...copied]),
    copy(holder) {
      const all = copies(holder).map((body) => new Copy(body))
      return field.shape === 'list' ? all : (all[0] ?? null)
    },
    copies,
    spare: (holder, reads, asker) => reads.readLog?.spare(asker, ids(holder).map((id) => ({ type: target, id }))),
    lookUp: (holder, reads, asker) => (field.shape === 'list' ? many(field, ids(holder)) : one(field, ids(holder)[0]))(target, reads, asker),
    lookUpAll: (holders, reads) => gather(field, target, holders, reads),
    points: { target, ids: field.shape === 'list' ? ids : (holder) => ids(holder).slice(0, 1) },
    plannedReads: () => ({ stages: [plannedById(target, inHolder)], rows: inHolder }),
    lookupReason: `${at} holds the id`,
  }
}

/** The ids that a document holds in a field. */
export function idsHeld(field: PointerField, holder: Body): string[] {
  return entriesHeld(holder, field.storage.at).map(idOf)
}

/** How many ids a document holds in a field. */
export function heldBy({ shape, required, storage: { max } }: PointerField): Range {
  return shape === 'list' ? upTo(max) : { least: Number(required), most: 1 }
}

/** An id the way that field stores it. */
export function storedId(field: PointerField): (id: string) => string | number {
  return hasNumericIds(field) ? numericId : (id) => id
}

/** The problems of a field that points at documents. */
export function checkPointer(field: PointerField, model: Model): string[] {
  const { kind, max } = field.storage
  if (!model.documents.has(field.target)) {
    const advice = objectType(model, field.target) ? `Add @document to ${field.target}, or declare the field @contained.` : 'Return a type that has @document.'
    return [`${field.coordinate}: @${kind} needs a document type, and ${field.target} is not one. ${advice}`]
  }
  if (field.storage.onDelete === 'SET_NULL' && field.required && field.shape === 'one') {
    return [`${field.coordinate}: onDelete is SET_NULL, but the field cannot be null. Make it nullable, or write RESTRICT or CASCADE.`]
  }
  return max >= 1 ? [] : [`${field.coordinate}: max is ${max}. Give max a number above 0.`]
}

type Look = (target: ReturnType<typeof targetOf>, reads: Reads, asker: Asker) => unknown

function one(field: PointerField, id: string | undefined): Look {
  if (id === undefined) return () => null
  return (target, reads, asker) => whenRead(reads.document(target, id, asker), (document) => document ?? missing(field, id, reads))
}

/** A missing document is left out of a list whose elements cannot be null. */
function many(field: PointerField, ids: readonly string[]): Look {
  if (ids.length === 0) return () => []
  return (target, reads, asker) => whenRead(
    reads.documents(target, ids, asker),
    (documents) => (field.required ? documents.filter((document) => document !== undefined) : documents),
  )
}

/** Looks up every id once, even if many holders have it. */
function gather({ shape, storage: { at: property } }: PointerField, target: DocumentType, holders: readonly Body[], reads: Reads): MaybePending<LookedUpLevel> {
  const loader = reads.levelLoader(target)
  const level = loader.level()
  const [distinct, places, lengths]: [number[], number[], number[]] = [[], [], []]
  for (const holder of holders) {
    const entries = entriesHeld(holder, property)
    const length = shape === 'list' ? entries.length : Math.min(entries.length, 1)
    for (let at = 0; at < length; at++) places.push(loader.slot(idOf(entries[at]!), level, distinct))
    lengths.push(length)
  }
  const gathered = { documents: loader.documents, distinct, places, lengths }
  return whenRead(loader.read(distinct), () => gathered)
}

function missing(field: PointerField, id: string, { access }: Reads): null {
  if (!field.required) return null
  // The viewer must not learn whether it exists, or which document it is.
  if (access && access.seeing(field) !== 'free') {
    throw new GraphQLError(`${field.coordinate} points at a ${field.target} that you may not read.`, { extensions: { code: 'FORBIDDEN' } })
  }
  throw new GraphQLError(
    `${field.coordinate} points at ${field.target} ${id}, which does not exist. Correct the reference or restore the document.`,
    { extensions: { code: 'REFERENCE_MISSING' } },
  )
}

/** The stored entries as a list, without nulls. */
function entriesHeld(holder: Body, at: string): readonly Json[] {
  const value = holder[at]
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) return [value]
  return value.includes(null) ? value.filter((entry) => entry !== null) : value
}
