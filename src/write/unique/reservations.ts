// Reservations: how a store that is atomic per partition keeps two writers from giving two documents the same value. Each value has one
// place in Quire's own container, so the two meet there. A writer puts the reservation, which names the document that will have the
// value, before it writes the document, and removes it after the document has lost the value.
//
// Every cut is safe. A reservation whose document never got the value may be taken over: the document proves it, once no write can be
// under way any more that began under the reservation. Until then the value belongs to the writer. So a process that dies in between
// costs others a few seconds, and leaves a reservation that the next writer takes over or `quire check` removes.

import { createHash } from 'node:crypto'
import { isObject, type Body } from '../../model/json/json.ts'
import { keyText, type Key } from '../../model/keys/key.ts'
import type { DocumentType, Model } from '../../model/model.ts'
import { hasUnique, uniqueFields, type UniqueField } from '../../model/values/unique.ts'
import { ownBody, ownContainer, ownKey, ownPut } from '../../store/own-container.ts'
import { isOfType } from '../../read/selection.ts'
import type { Entry } from '../../relations/maintenance.ts'
import type { Scalar } from '../../store/query.ts'
import type { Meter, Store, Write } from '../../store/store.ts'
import type { Changeset } from '../changeset.ts'
import { claimsIn, losesIn, valueIn, type Claim } from './check-unique.ts'

/** The value of the `type` property of reservations. */
export const reservationType = 'reservation'

export interface Reserved {
  /** Removes the reservations of values that documents have lost. Called once the documents are written. */
  release(): Promise<void>
  /** Removes those that were new, where no document was written: the work runs again, and may give the values to other documents. `etags` are those of what was written. */
  withdraw(etags: ReadonlyMap<Key, string>): Promise<void>
}

export function isReservation(write: Write): boolean {
  return write.container === ownContainer && write.kind === 'put' && write.body['type'] === reservationType
}

/** Adds reservations to the changeset for all values that its documents get. Undefined if another writer may be giving one of them to its document. */
export async function reserve(changes: Changeset, store: Store, meter?: Meter): Promise<Reserved | undefined> {
  const [claims, loses] = [claimsIn(changes.entries), losesIn(changes.entries)]
  if (claims.length + loses.length === 0) return nothingReserved
  const found = await changes.readAllAt(ownContainer, [...claims, ...loses].map(({ type, unique, value }) => reservationKey(type, unique, value)))
  const now = await store.now()
  const added: Key[] = []
  for (const [at, claim] of claims.entries()) {
    const reservation = found[at]!
    if (!reservation.after) added.push(reservation.key)
    if (reservation.after && !(await isFree(reservation.after, claim, changes, store, now.earliest, meter))) return undefined
    changes.set({ ...reservation, after: ownBody(reservation.key, reservationOf(claim.type, claim.unique, claim.value, claim.entry.key, now.latest)) })
  }
  // Those that another document of this changeset gets are pending by now.
  const lost = loses.flatMap(({ entry }, at) => {
    const reservation = found[claims.length + at]!
    return reservation.after && !changes.pending(reservation) && isHeldBy(reservation.after, entry.container, entry.key) ? [reservation] : []
  })
  const remove = (all: readonly { readonly key: Key; readonly etag: string | undefined }[]) => Promise.all(all.map(async ({ key, etag }) => {
    try {
      if (etag !== undefined) await store.write([{ kind: 'delete', container: ownContainer, key, only: { ifMatch: etag } }], meter)
    } catch {
      // Another writer has it now, or the next one finds that no document has the value.
    }
  }))
  return {
    async release() {
      await remove(lost)
    },
    async withdraw(etags) {
      await remove(added.map((key) => ({ key, etag: etags.get(key) })))
    },
  }
}

/**
 * The document with a value that must be unique, by its reservation: two reads by key, however many partitions there are. Undefined where there is
 * no reservation, or where it does not lead there: then a query tells.
 */
export async function findReserved(changes: Changeset, type: DocumentType, fieldName: string, value: Scalar): Promise<Entry | undefined> {
  const unique = uniqueFields(type).find(({ field }) => field.name === fieldName)
  if (!unique || !changes.guardsIds || changes.changesAny(type)) return undefined
  const reservation = await changes.readAt(ownContainer, reservationKey(type, unique, value))
  const holder = reservation.after && holderOf(reservation.after)
  if (!holder) return undefined
  const found = await changes.readAt(type.container, holder)
  return isOfType(type, found.after) && valueIn(unique, found.after) === value ? changes.found(type, found) : undefined
}

/** Documents that are seeded, with the reservations of their values. */
export async function withReservations(model: Model, writes: readonly Write[], store: Store): Promise<readonly Write[]> {
  if (store.supports.atomic === 'store' || !hasUnique(model)) return writes
  const { latest } = await store.now()
  const types = [...model.documents.values()]
  return writes.flatMap((write): Write[] => {
    const type = write.kind === 'put' ? types.find((each) => each.container === write.container && isOfType(each, write.body)) : undefined
    if (!type || write.kind !== 'put') return [write]
    const reserved = uniqueFields(type).flatMap((unique): Write[] => {
      const value = valueIn(unique, write.body)
      return value === null ? [] : [ownPut(reservationKey(type, unique, value), reservationOf(type, unique, value, write.key, latest))]
    })
    return [...reserved, write]
  })
}

/** The body of a reservation. `at` is the time from which the write that it stands for is bounded. */
export function reservationOf(type: DocumentType, { field, path }: UniqueField, value: Scalar, holder: Key, at: number): Body {
  return { type: reservationType, field: field.coordinate, place: placeOf(type, path), value, container: type.container, holder: { partition: [...holder.partition], id: holder.id }, at }
}

/** By the place of the value, so that a renamed type or field keeps its reservations. */
export function reservationKey(type: DocumentType, { path }: UniqueField, value: Scalar): Key {
  return ownKey(`unique-${createHash('sha256').update(`${placeOf(type, path)}\n${JSON.stringify(value)}`).digest('base64url')}`)
}

/** The unique field that a reservation is about; undefined if the schema declares it no more. */
export function reservedField(model: Model, reservation: Body): { readonly type: DocumentType; readonly unique: UniqueField } | undefined {
  for (const type of model.documents.values()) {
    const unique = uniqueFields(type).find(({ path }) => placeOf(type, path) === reservation['place'])
    if (unique) return { type, unique }
  }
  return undefined
}

export function holderOf(reservation: Body): Key | undefined {
  const { holder } = reservation
  return isObject(holder) ? (holder as unknown as Key) : undefined
}

export function isHeldBy(reservation: Body, container: string, key: Key): boolean {
  const holder = holderOf(reservation)
  return holder !== undefined && reservation['container'] === container && keyText(holder) === keyText(key)
}

/** Whether no write can be under way any more that began under the reservation. */
export function isOver(reservation: Body, earliestNow: number, { supports }: Pick<Store, 'supports'>): boolean {
  return earliestNow - Number(reservation['at'] ?? 0) > supports.maxWriteDelayMs
}

function placeOf({ container, discriminator }: DocumentType, path: readonly string[]): string {
  return JSON.stringify([container, discriminator ?? null, path])
}

/** Whether a document may take a value that is reserved: its own, or that of a document that provably has not the value. */
async function isFree(reservation: Body, { type, unique, value, entry }: Claim, changes: Changeset, store: Store, earliestNow: number, meter: Meter | undefined): Promise<boolean> {
  const holder = holderOf(reservation)
  if (!holder || isHeldBy(reservation, type.container, entry.key)) return true
  // It loses the value in this changeset.
  const pending = changes.pending({ container: type.container, key: holder })
  if (pending) return valueIn(unique, pending.after) !== value
  if (!isOver(reservation, earliestNow, store)) return false
  // Read again, after that is known.
  const [document] = await store.readMany(type.container, [holder], meter)
  return valueIn(unique, document?.body) !== value
}

export const nothingReserved: Reserved = { release: () => Promise.resolve(), withdraw: () => Promise.resolve() }
