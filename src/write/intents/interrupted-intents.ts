// Mutations over several partitions whose process may have died half-way. The feed shows the document that says what is still to be written; if not
// everything is there yet, the propagator notes where it is, beside its leases, and goes on. Once no writer can be at it any more, it
// completes the mutation or takes it back. Two propagators that do so at once find another etag (write/intents/settle-intents.ts).

import type { Declaration } from '../../relations/declaration.ts'
import type { Body } from '../../model/json/json.ts'
import { feedKey, feedPartition, ownContainer, ownPut } from '../../store/own-container.ts'
import { ConflictError } from '../../store/store-errors.ts'
import type { Change, Store, StoredDocument } from '../../store/store.ts'
import { TenantStore } from '../../store/tenants/tenant-store.ts'
import { Effects } from '../effects.ts'
import { intentIn, type Address } from './intent.ts'
import { Intents } from './settle-intents.ts'

const noteType = 'intent'

/** How many notes are looked at in one round. */
const maxNotes = 100

export class InterruptedIntents {
  readonly #declaration: Declaration
  readonly #store: Store
  readonly #effects: Effects
  /** Whether there may be notes. */
  #mayWait = true
  #parts = ''

  constructor(declaration: Declaration, store: Store) {
    this.#declaration = declaration
    this.#store = store
    this.#effects = new Effects(declaration)
  }

  /** Notes a changed document that leads an intent which is not done. */
  async note({ container, key: { partition, id } }: Change, body: Body | undefined, tenant: string | undefined): Promise<void> {
    const intent = intentIn(body)
    if (!intent) return
    if (await this.#intents(tenant).isDone(intent)) return
    const note = { type: noteType, intent: intent.id, container, key: { partition: [...partition], id }, ...(tenant === undefined ? {} : { tenant }) }
    await this.#store.write([ownPut(feedKey(`intent-${intent.id}`), note)])
    this.#mayWait = true
  }

  /** Settles what has been noted, also by a propagator that had some of these parts before. */
  async settle(parts: readonly string[]): Promise<void> {
    if (this.#store.supports.atomic === 'store' || parts.length === 0) return
    const held = parts.toSorted().join(' ')
    if (!this.#mayWait && held === this.#parts) return
    this.#parts = held
    const notes = await this.#store.query({ container: ownContainer, partition: feedPartition, type: noteType, orderBy: { path: ['id'], descending: false }, limit: maxNotes })
    this.#mayWait = notes.length > 0
    for (const note of notes) await this.#settleNoted(note)
  }

  async #settleNoted({ key, etag, body }: StoredDocument): Promise<void> {
    const { intent, tenant, ...lead } = body as unknown as Address & { readonly intent: string; readonly tenant?: string }
    if ((await this.#intents(tenant).settle(lead, intent)) === 'pending') return
    try {
      await this.#store.write([{ kind: 'delete', container: ownContainer, key, only: { ifMatch: etag } }])
    } catch (error) {
      // Another propagator was faster.
      if (!(error instanceof ConflictError)) throw error
    }
  }

  #intents(tenant: string | undefined): Intents {
    return new Intents(this.#declaration, tenant === undefined ? this.#store : new TenantStore(this.#store, tenant), this.#effects)
  }
}
