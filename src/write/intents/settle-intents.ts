// Completes or undoes what a mutation over several partitions has begun: the writer itself when a step fails, another writer that needs one of its
// documents, or the propagator. Only one of them acts at a time: the writer for as long as it can live, and after that the process
// that has written its own time into the intent. Every write is guarded by the etag of what was read, or by absence, so all of it can be repeated.

import type { Declaration } from '../../relations/declaration.ts'
import { isOfType } from '../../read/selection.ts'
import type { DocumentType } from '../../model/model.ts'
import type { Body } from '../../model/json/json.ts'
import type { Entry } from '../../relations/maintenance.ts'
import { ownContainer } from '../../store/own-container.ts'
import { ConflictError, StoreUnavailableError } from '../../store/store-errors.ts'
import type { Meter, Store } from '../../store/store.ts'
import { Changeset } from '../changeset.ts'
import type { Effects } from '../effects.ts'
import { recordRemovedReferences } from '../removed-references.ts'
import { uniqueFields } from '../../model/values/unique.ts'
import { valueIn } from '../unique/check-unique.ts'
import { isHeldBy, reservationKey, reservationOf } from '../unique/reservations.ts'
import { stepsOf } from '../write-steps.ts'
import { intentIn, intentProperty, isKnownDone, memberOf, membershipIn, noteDone, undo, withoutIntents, writerLivesMs, type Address, type Intent } from './intent.ts'

/** `pending`: its writer, or who has taken it over, may still be at it. */
export type Settled = 'done' | 'settled' | 'pending'

/** How often a write is tried that others can only delay, such as the propagator with a new snapshot. */
const maxTries = 10

export class Intents {
  readonly #declaration: Declaration
  readonly #store: Store
  readonly #effects: Effects
  readonly #meter: Meter | undefined

  constructor(declaration: Declaration, store: Store, effects: Effects, meter?: Meter) {
    this.#declaration = declaration
    this.#store = store
    this.#effects = effects
    this.#meter = meter
  }

  /**
   * Before documents are written that belong to intents. Returns whether they may be written now: false where a document is not what it was
   * any more, or will not be.
   */
  async settleAll(changes: Changeset): Promise<boolean> {
    for (const entry of changes.entries) {
      if (entry.container === ownContainer || !entry.before) continue
      const [intent, membership] = [intentIn(entry.before), membershipIn(entry.before)]
      if (!intent && !membership) continue
      // Its own write leaves the intent out.
      if (intent && !(await this.isDone(intent)) && (await this.settle(entry)) !== 'done') return false
      if (membership && !(await this.#isOver(membership))) return false
      const current = changes.pending(entry) ?? entry
      if (current.after) changes.set({ ...current, after: withoutIntents(current.after) })
    }
    return true
  }

  /** Whether all documents of an intent are there. */
  async isDone(intent: Intent): Promise<boolean> {
    if (intent.undone) return false
    if (isKnownDone(intent)) return true
    for (const each of intent.creates) if (!(await this.#read(each)).after) return false
    noteDone(intent)
    return true
  }

  /** Completes or undoes the intent of a lead, if its writer cannot be at it any more. */
  async settle(lead: Address, id?: string): Promise<Settled> {
    const found = await this.#read(lead)
    const intent = intentIn(found.after)
    if (!intent || (id !== undefined && intent.id !== id)) return 'settled'
    if (await this.isDone(intent)) return 'done'
    const now = await this.#store.now()
    if (!(now.earliest - intent.at > writerLivesMs)) return 'pending'
    // Only one can take it over: the others find another etag.
    const taken = await this.#put(found, { ...found.after!, [intentProperty]: { ...intent, at: now.latest } as unknown as Body })
    if (!taken) return 'pending'
    if (!intent.undone && (await this.#complete(lead, intent))) {
      noteDone(intent)
      return 'done'
    }
    return (await this.undo(lead, intent.id)) ? 'settled' : 'pending'
  }

  /** Takes back what was written. Returns false where that was not possible now; the intent then still says what is to be done. */
  async undo(lead: Address, id: string): Promise<boolean> {
    for (let tries = 0; tries < maxTries; tries++) {
      const found = await this.#read(lead)
      const intent = intentIn(found.after)
      if (intent?.id !== id) return true
      // From here on no process completes it.
      if (!intent.undone) {
        await this.#put(found, { ...found.after!, [intentProperty]: { ...intent, undone: true } as unknown as Body })
        continue
      }
      try {
        await this.#deleteCreated(intent)
        await this.#restore(intent)
        await this.#release(intent)
        return true
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error
      }
    }
    return false
  }

  /** False if one of the documents can never be created. */
  async #complete(lead: Address, intent: Intent): Promise<boolean> {
    for (const { container, key, body } of intent.creates) {
      const type = this.#typeOf(container, body)
      const found = await this.#read({ container, key })
      if (found.after) {
        if (membershipIn(found.after)?.id !== intent.id) return false
        continue
      }
      try {
        if (!type || !(await this.#reserve(type, { container, key }, body))) return false
        await this.#store.write([{ kind: 'put', container, key, body: memberOf(intent, lead, body), only: 'if-absent' }], this.#meter)
      } catch (error) {
        if (error instanceof StoreUnavailableError) throw error
        if (!(error instanceof ConflictError) || membershipIn((await this.#read({ container, key })).after)?.id !== intent.id) return false
      }
    }
    return true
  }

  /** Renews the reservations of a document that is created late: they may have been taken over. */
  async #reserve(type: DocumentType, { container, key }: Address, body: Body): Promise<boolean> {
    for (const unique of uniqueFields(type)) {
      const value = valueIn(unique, body)
      if (value === null) continue
      const at = reservationKey(type, unique, value)
      const found = await this.#read({ container: ownContainer, key: at })
      if (!found.after || !isHeldBy(found.after, container, key)) return false
      const renewed = { ...found.after, ...reservationOf(type, unique, value, key, (await this.#store.now()).latest) }
      await this.#store.write([{ kind: 'put', container: ownContainer, key: at, body: renewed, only: { ifMatch: found.etag! } }], this.#meter)
    }
    return true
  }

  async #deleteCreated(intent: Intent): Promise<void> {
    const changes = this.#changeset()
    for (const each of intent.creates) {
      const found = await this.#typed(changes, each)
      if (found.after && membershipIn(found.after)?.id === intent.id) changes.delete(found)
    }
    await this.#write(changes)
  }

  /** The documents of the first batch, as one batch again. */
  async #restore(intent: Intent): Promise<void> {
    const changes = this.#changeset()
    for (const each of intent.undoes) {
      const found = await this.#typed(changes, each)
      if (!found.after || (intentIn(found.after)?.id ?? membershipIn(found.after)?.id) !== intent.id) continue
      if (!each.had) changes.delete(found)
      else if (found.type) changes.put(found.type, undo(each, found.after), found)
      else changes.set({ ...found, after: undo(each, found.after) })
    }
    await this.#write(changes)
  }

  /** Frees the unique values that documents would have had. */
  async #release(intent: Intent): Promise<void> {
    const bodies = [...intent.creates, ...intent.undoes.flatMap(({ got, ...address }) => (got ? [{ ...address, body: got }] : []))]
    for (const { container, key, body } of bodies) for (const type of this.#declaration.model.documents.values()) {
      if (type.container !== container) continue
      for (const unique of uniqueFields(type)) {
        const value = valueIn(unique, body)
        if (value === null) continue
        const found = await this.#read({ container: ownContainer, key: reservationKey(type, unique, value) })
        if (!found.after || !isHeldBy(found.after, container, key)) continue
        await this.#store.write([{ kind: 'delete', container: ownContainer, key: found.key, only: { ifMatch: found.etag! } }], this.#meter)
      }
    }
  }

  async #write(changes: Changeset): Promise<void> {
    await recordRemovedReferences(this.#declaration.model, changes)
    for (const wave of stepsOf(changes.writes(), this.#store.supports)) for (const step of wave) await this.#store.write(step, this.#meter)
  }

  /** Whether no document of the intent has to wait for its lead any more. One that is done is taken out of the lead, so that a deletion stays one. */
  async #isOver({ id, lead }: { readonly id: string; readonly lead: Address }): Promise<boolean> {
    const settled = await this.settle(lead, id)
    if (settled !== 'done') return settled === 'settled'
    const found = await this.#read(lead)
    if (intentIn(found.after)?.id !== id) return true
    return this.#put(found, withoutIntents(found.after!))
  }

  async #read({ container, key }: Address): Promise<Entry> {
    const [found] = await this.#store.readMany(container, [key], this.#meter)
    return { container, key, type: found && this.#typeOf(container, found.body), etag: found?.etag, before: found?.body, after: found?.body }
  }

  async #typed(changes: Changeset, { container, key }: Address): Promise<Entry> {
    const found = await changes.readAt(container, key)
    return found.after ? { ...found, type: this.#typeOf(container, found.after) } : found
  }

  /** Returns false if another writer was faster. */
  async #put(found: Entry, body: Body): Promise<boolean> {
    const changes = this.#changeset()
    if (found.type) changes.put(found.type, body, found)
    else changes.set({ ...found, after: body })
    try {
      await this.#store.write(changes.writes(), this.#meter)
      return true
    } catch (error) {
      if (error instanceof ConflictError) return false
      throw error
    }
  }

  #changeset(): Changeset {
    return new Changeset(this.#store, this.#meter, (type, body) => this.#effects.copiedText(type, body))
  }

  #typeOf(container: string, body: Body): DocumentType | undefined {
    return [...this.#declaration.model.documents.values()].find((type) => type.container === container && isOfType(type, body))
  }
}


