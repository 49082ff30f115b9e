// Runs one unit of work and stores what it changed. A store with one atomic scope commits the documents and their
// effects in one transaction. A store that is atomic per partition (Cosmos) writes partition by partition, in an order
// that never leaves a reference to a missing document; the change feed brings effects in other partitions up to date.

import { ClientVisibleError } from '../errors.ts'
import type { Recorder } from '../observe/workload/recorder.ts'
import type { Declaration } from '../relations/declaration.ts'
import { clientError } from '../graphql-errors.ts'
import { keyText, type Key } from '../model/keys/key.ts'
import { hasUnique } from '../model/values/unique.ts'
import { processClock, type Clock } from '../clock.ts'
import { currentOperation, type OperationContext } from '../store/operation-context.ts'
import { ConflictError, InDoubtError, StoreUnavailableError, WriteUndoneError } from '../store/store-errors.ts'
import type { MaybePromise } from '../store/maybe-promise.ts'
import type { Meter, Store, StoredDocument, Write } from '../store/store.ts'
import { ownContainer } from '../store/own-container.ts'
import { withLock } from '../store/in-process/with-lock.ts'
import type { StoredTypes } from '../model/json/json.ts'
import { Change } from './change.ts'
import type { Entry } from '../relations/maintenance.ts'
import { Changeset } from './changeset.ts'
import { Effects } from './effects.ts'
import { beginIntent, noteDone, writerLivesMs, type Begun } from './intents/intent.ts'
import { Intents } from './intents/settle-intents.ts'
import { recordRemovedReferences } from './removed-references.ts'
import type { Permission } from './permission.ts'
import { WriteTurn, WriteTurns } from './units/write-turns.ts'
import { writtenDocument } from './written-document.ts'
import { checkUnique } from './unique/check-unique.ts'
import { isReservation, nothingReserved, reserve } from './unique/reservations.ts'
import { stepsOf } from './write-steps.ts'

/**
 * What one mutation does: it reads and changes documents through the change, and returns those for its payload.
 *
 * @example
 * ```ts
 * const feed: UnitOfWork<{ beast: Entry }> = async (change) => ({ beast: change.change('Beast', await change.get('Beast', 'b1'), { fed: true }) })
 * ```
 */
export type UnitOfWork<T, Types extends StoredTypes = StoredTypes> = (change: Change<Types>) => Promise<T>

/**
 * When snapshots, lists and counts are updated: in the write that changes their source, or later through the change feed.
 *
 * @example
 * ```ts
 * const effects: EffectsMode = 'feed'
 * ```
 */
export type EffectsMode = 'together' | 'feed'

/** Called after a write. The first `own` entries are the mutation's own changes, the rest are their effects. */
export type OnWritten = (entries: readonly Entry[], own: number) => void

/** Throws if effects may not be written in this gateway's mode any more. */
type MayWrite = () => MaybePromise<void>

/** What is written beside documents while they are migrated. Throws while nothing may be written. */
export interface MigrationWrites {
  /** The writes of a transaction, with what else they need. */
  readonly inTransaction: (writes: readonly Write[], entries: readonly Entry[]) => MaybePromise<readonly Write[]>
  /** Just before documents are written by partition. `goesOn` if some of them have been, so that the others have to be. */
  readonly before: (entries: readonly Entry[], goesOn?: boolean) => MaybePromise<void>
}

/** How often a unit of work runs again because other writers changed what it had read. */
const maxTries = 50

/** Makes the writer of a whole store, or of a tenant's view of it. */
export function writersFor(
  declaration: Declaration, record: Recorder | undefined, feed: { readonly written: () => void; readonly mayWrite: MayWrite | undefined }, { effects = 'together', clock }: { readonly effects?: EffectsMode; readonly clock?: Clock }, alongside?: (store: Store) => MigrationWrites,
): (store: Store) => Writer {
  const onWritten: OnWritten = (entries, own) => {
    feed.written()
    record?.written(declaration, entries, own)
  }
  return (store) => new Writer(declaration, store, effects, onWritten, feed.mayWrite, clock, alongside?.(store))
}

export class Writer {
  readonly #declaration: Declaration
  readonly #store: Store
  readonly #effects: Effects
  readonly #mode: EffectsMode
  readonly #onWritten: OnWritten | undefined
  readonly #mayWrite: MayWrite | undefined
  readonly #clock: Clock
  readonly #alongside: MigrationWrites | undefined
  readonly #turns = new WriteTurns()
  readonly #hasUnique: boolean

  constructor(declaration: Declaration, store: Store, mode: EffectsMode = 'together', onWritten?: OnWritten, mayWrite?: MayWrite, clock: Clock = processClock, alongside?: MigrationWrites) {
    this.#alongside = alongside
    this.#hasUnique = hasUnique(declaration.model)
    this.#declaration = declaration
    this.#store = store
    this.#effects = new Effects(declaration)
    this.#mode = mode
    this.#onWritten = onWritten
    this.#mayWrite = mayWrite
    this.#clock = clock
  }

  /**
   * Runs the work and writes its changes with their effects. With one atomic scope, a failure writes nothing; without one,
   * write-steps.ts says what a failure between two steps leaves. Without a permission, nothing is forbidden.
   */
  async write<T extends Record<string, Entry>>(work: UnitOfWork<T>, meter?: Meter, permission?: Permission): Promise<{ [K in keyof T]: StoredDocument }> {
    const run = (changes: Changeset): Promise<T> => this.#work(work, changes, permission)
    const written = await (this.#store.supports.atomic === 'store' ? this.#writeAtomically(run, meter) : this.#writeByPartition(run, meter))
    this.#onWritten?.(written.changes.entries, written.own)
    return documentsOf(written.result, written, permission)
  }

  /**
   * Runs several units of work over the same pending changes, in order, and writes all of them or nothing. `worked` is called when the last one has
   * ended. Only for stores with one atomic scope.
   */
  async writeTogether(units: readonly { readonly work: UnitOfWork<Record<string, Entry>>; readonly permission: Permission | undefined }[], meter: Meter | undefined, worked: () => void): Promise<Record<string, StoredDocument>[]> {
    const written = await this.#writeAtomically(async (changes) => {
      const results: Record<string, Entry>[] = []
      for (const { work, permission } of units) results.push(await this.#work(work, changes, permission))
      worked()
      return results
    }, meter)
    this.#onWritten?.(written.changes.entries, written.own)
    return written.result.map((result, at) => documentsOf(result, written, units[at]!.permission))
  }

  async #work<T>(work: UnitOfWork<T>, changes: Changeset, permission: Permission | undefined): Promise<T> {
    const result = await work(new Change(this.#declaration, this.#effects, changes, permission))
    if (this.#hasUnique) await checkUnique(changes, permission)
    return result
  }

  #changeset(meter: Meter | undefined, turn?: WriteTurn, isFirstTry = true): Changeset {
    return new Changeset(this.#store, meter, (type, body) => this.#effects.copiedText(type, body), this.#clock.now(), turn, isFirstTry)
  }

  async #writeAtomically<T>(run: Run<T>, meter: Meter | undefined): Promise<Written<T>> {
    let result: T | undefined
    let writes: readonly Write[] = []
    let own = 0
    let changes = this.#changeset(meter)
    const operationContext = currentOperation()
    const etags = await reportWriteEnd(operationContext, this.#store.atomically(async () => {
      // The request may have been cancelled while it waited for its turn.
      operationContext?.check()
      await this.#mayWrite?.()
      changes = this.#changeset(meter)
      result = await run(changes)
      own = changes.entries.length
      // Together: nothing is stale afterwards. Feed: snapshots, lists and counts are stale until the propagator has
      // read this change from the feed; until then the watermark lies before it.
      if (this.#mode === 'together') await this.#effects.addAll(changes)
      else await recordRemovedReferences(this.#declaration.model, changes)
      writes = changes.writes()
      if (this.#alongside) writes = await this.#alongside.inTransaction(writes, changes.entries)
      operationContext?.beginWrite()
      return writes
    }, meter))
    return { result: result!, changes, own, etags: new Map(writes.map(({ key }, index) => [key, etags[index]!])) }
  }

  /** After a conflict the work runs again, one such retry at a time in this process. */
  async #writeByPartition<T>(run: Run<T>, meter: Meter | undefined): Promise<Written<T>> {
    return (await this.#attempt(run, meter, true)) ?? withLock(this, () => this.#retry(run, meter))
  }

  async #retry<T>(run: Run<T>, meter: Meter | undefined): Promise<Written<T>> {
    for (let tries = 1; tries < maxTries; tries++) {
      const written = await this.#attempt(run, meter, false)
      if (written) return written
      // A random pause lets writers in other processes go first.
      await this.#clock.pause(this.#clock.random() * Math.min(100, 2 ** tries))
    }
    throw clientError('CONFLICT', `Write failed: other writers changed the same documents ${maxTries} times in a row. Try again.`)
  }

  /** Undefined after a conflict with another writer. */
  async #attempt<T>(run: Run<T>, meter: Meter | undefined, isFirstTry: boolean): Promise<Written<T> | undefined> {
    const turn = new WriteTurn(this.#turns)
    try {
      return await this.#attemptIn(turn, run, meter, isFirstTry)
    } finally {
      turn.end()
    }
  }

  async #attemptIn<T>(turn: WriteTurn, run: Run<T>, meter: Meter | undefined, isFirstTry: boolean): Promise<Written<T> | undefined> {
    const changes = this.#changeset(meter, turn, isFirstTry)
    const result = await run(changes)
    const own = changes.entries.length
    // What is kept in other partitions is stale until the propagator has read this change from the feed.
    await this.#effects.addWithinPartitions(changes)
    const intents = new Intents(this.#declaration, this.#store, this.#effects, meter)
    if (!(await intents.settleAll(changes))) return undefined
    await recordRemovedReferences(this.#declaration.model, changes)
    const reserved = this.#hasUnique ? await reserve(changes, this.#store, meter) : nothingReserved
    if (!reserved) return undefined
    const etags = new Map<Entry['key'], string>()
    const writes = changes.writes()
    // Snapshots in these writes were read after sinceMs. If that was long ago, their sources may have changed and the
    // watermark may have passed those changes: the snapshots would be older than it promises, so the work runs again.
    // Large writes, such as cascading deletions, take long and store no new snapshots.
    const isLate = (): boolean => this.#clock.now() - changes.known.sinceMs > this.#store.supports.maxWriteDelayMs / 2
    if (writes.length <= 100 && isLate()) return undefined
    const waves = stepsOf(writes, this.#store.supports)
    // A single step is written or refused as a whole. Before several, an id that is taken is found out.
    if (waves.length > 1 && !(await changes.areIdsFree())) return undefined
    const begun = waves.length > 1 ? beginIntent(waves, changes.entries, (await this.#store.now()).latest, this.#store) : undefined
    const beganMs = this.#clock.now()
    const operationContext = currentOperation()
    await this.#alongside?.before(changes.entries)
    let markedMs = this.#clock.now()
    operationContext?.beginWrite()
    let isReserving = this.#hasUnique && writes.some(isReservation)
    let isBegun = false
    try {
      for (const wave of begun?.waves ?? waves) {
        // What takes longer may be completed by others meanwhile.
        if (isBegun && this.#clock.now() - beganMs > writerLivesMs / 2) throw new StoreUnavailableError('The store took too long for a mutation over several partitions.')
        // A mark counts for what is written soon after it.
        if (this.#clock.now() - markedMs > this.#store.supports.maxWriteDelayMs / 2) {
          await this.#alongside?.before(changes.entries, true)
          markedMs = this.#clock.now()
        }
        const { container, key: first } = wave[0]![0]!
        // A reservation that is too old may be taken over while the document is written.
        if (isReserving && container !== ownContainer && isLate()) throw new ConflictError(container, first, 'changed')
        isBegun ||= begun !== undefined && container !== ownContainer
        const outcomes = await Promise.allSettled(wave.map(async (step) => {
          const written = await this.#store.write(step, meter)
          for (const [index, { key }] of step.entries()) etags.set(key, written[index]!)
        }))
        for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
        isReserving &&= container === ownContainer
      }
      operationContext?.endWrite(true)
      if (begun) noteDone(begun.intent)
      await reserved.release()
      return { result, changes, own, etags }
    } catch (error) {
      const isUndone = isBegun && await undoBegun(intents, begun!, etags, error)
      // After the first step the rest has to be written, whatever the request's deadline says.
      if (etags.size === 0 || isUndone) operationContext?.endWrite(false)
      if (isUndone) await reserved.withdraw(etags)
      if (!(error instanceof ConflictError)) throw isUndone && !(error instanceof ClientVisibleError) ? new WriteUndoneError(error) : error
      if (isReserving) await reserved.withdraw(etags)
      return undefined
    }
  }
}

/** The work, over pending changes. */
type Run<T> = (changes: Changeset) => Promise<T>

interface Written<T> {
  readonly result: T
  readonly changes: Changeset
  /** How many entries are the work's own: those come first. */
  readonly own: number
  readonly etags: ReadonlyMap<Entry['key'], string>
}

function documentsOf<T extends Record<string, Entry>>(result: T, { changes, etags }: Written<unknown>, permission: Permission | undefined): { [K in keyof T]: StoredDocument } {
  const documents = Object.entries(result).map(([name, entry]) => [name, writtenDocument(changes.pending(entry) ?? entry, etags, permission)])
  return Object.fromEntries(documents) as { [K in keyof T]: StoredDocument }
}

/**
 * Takes back the first batch after a later one was refused. Returns false where the first one was refused itself. If the store did not answer, what
 * was written is not known; then, and if it cannot be taken back now, the propagator completes it or takes it back.
 */
async function undoBegun(intents: Intents, { intent, lead }: Begun, etags: ReadonlyMap<Key, string>, error: unknown): Promise<boolean> {
  const isWritten = [...etags.keys()].some((key) => keyText(key) === keyText(lead.key))
  if (!isWritten && !(error instanceof StoreUnavailableError)) return false
  if (error instanceof StoreUnavailableError) throw inDoubt(error)
  let isUndone = false
  try {
    isUndone = await intents.undo(lead, intent.id)
  } catch (failed) {
    throw inDoubt(failed)
  }
  if (!isUndone) throw inDoubt(error)
  return true
}

function inDoubt(cause: unknown): InDoubtError {
  return new InDoubtError('A mutation over several partitions was interrupted. The change feed completes it or takes it back.', { cause })
}

/** Once a write has begun, the caller learns its outcome, even after the deadline. */
async function reportWriteEnd<T>(operationContext: OperationContext | undefined, write: Promise<T>): Promise<T> {
  if (!operationContext) return write
  try {
    const written = await write
    operationContext.endWrite(true)
    return written
  } catch (error) {
    operationContext.endWrite(false)
    throw error
  }
}
