// Writes a batch of an import beside other writers, without overwriting their changes and without copies that they do not know.
//
// A store with one atomic scope reads and writes a batch in one transaction: no source changes between reading it and
// storing its snapshot, and the snapshots of a document that the import changes are updated with it. So an import that ends at
// any point leaves no snapshot that differs from its source; lists and counts are completed by the last step. Elsewhere a batch
// is written on the condition that nothing has changed; where something has, a part of the batch is tried again after a pause,
// and then smaller and smaller parts, so that one busy document does not hold up the others.

import { setTimeout as pause } from 'node:timers/promises'
import { GraphQLError } from 'graphql'
import { hasUnique } from '../../model/values/unique.ts'
import type { Entry } from '../../relations/maintenance.ts'
import { ConflictError, StoreUnavailableError } from '../../store/store-errors.ts'
import { ownContainer, ownKey } from '../../store/own-container.ts'
import type { Store, Write } from '../../store/store.ts'
import { writeAll } from '../../store/write-all.ts'
import type { Changeset } from '../../write/changeset.ts'
import { checkUnique } from '../../write/unique/check-unique.ts'
import { isReservation, reserve } from '../../write/unique/reservations.ts'
import { changesetFor, placeText, reasonOf, type Importing } from './import-run.ts'

/** After so many conflicts, a batch is halved; a single item is given up after as many as it takes to halve a large batch. */
const triesPerBatch = 2
const triesPerItem = 20

/** The longest pause before another try. */
const maxPauseMs = 1000

/**
 * Fills a changeset with some items; `taken` has the keys where a document exists that the work did not find. It returns a
 * function that counts the results, which is called once they are written.
 */
export type BatchWork<Item> = (some: readonly Item[], changes: Changeset, taken: ReadonlySet<string>, isFirst: boolean) => Promise<() => void>

/** `withEffects` if the snapshots of changed documents are to be updated in the same transaction. */
export async function writeBatch<Item>(importing: Importing, items: readonly Item[], reject: (item: Item, reason: string) => void, work: BatchWork<Item>, withEffects = true): Promise<void> {
  const taken = new Set<string>()
  const write = async (some: readonly Item[], tries: number): Promise<void> => {
    if (some.length === 0) return
    try {
      const count = await (importing.dryRun ? work(some, importing.pending, taken, tries === 0) : attempt(importing, some, work, taken, tries === 0, withEffects))
      return count()
    } catch (error) {
      const isNewlyTaken = noteTaken(error, taken)
      if (!(error instanceof ConflictError) && !(error instanceof GraphQLError)) throw stopped(error)
      // An effect that a document refuses, such as a list that would become too long, rejects the item that causes it.
      if (error instanceof GraphQLError && some.length === 1) return reject(some[0]!, reasonOf(error))
      if (isNewlyTaken) return write(some, tries)
      if (error instanceof ConflictError) await pause(Math.random() * Math.min(maxPauseMs, 5 * 2 ** tries))
      if (some.length > 1 && (error instanceof GraphQLError || tries + 1 >= triesPerBatch)) {
        const half = some.length >>> 1
        await write(some.slice(0, half), 1)
        return write(some.slice(half), 1)
      }
      if (tries + 1 >= triesPerItem) throw stopped(error)
      return write(some, tries + 1)
    }
  }
  await write(items, 0)
}

async function attempt<Item>(importing: Importing, some: readonly Item[], work: BatchWork<Item>, taken: ReadonlySet<string>, isFirst: boolean, withEffects: boolean): Promise<() => void> {
  const { store, effects } = importing
  if (store.supports.atomic !== 'store') {
    const changes = changesetFor(importing)
    const counted = await work(some, changes, taken, isFirst)
    if (hasUnique(importing.declaration.model)) await writeReserved(store, changes)
    else await writeInOrder(store, changes.entries, changes.writes())
    return counted
  }
  let count: (() => void) | undefined
  await store.atomically(async () => {
    const changes = changesetFor(importing)
    count = await work(some, changes, taken, isFirst)
    await checkUnique(changes)
    if (withEffects) await effects.addOfChanged(changes)
    return changes.writes()
  })
  return count!
}

/** Values that must be unique are reserved before the documents that have them are written. */
async function writeReserved(store: Store, changes: Changeset): Promise<void> {
  const startMs = performance.now()
  const { entries } = changes
  await checkUnique(changes)
  const reserved = await reserve(changes, store)
  const [reservations, others] = [true, false].map((wanted) => changes.writes().filter((write) => isReservation(write) === wanted)) as [Write[], Write[]]
  if (reserved) await writeAll(store, reservations)
  // Another writer may be giving one of the values to its document, or may soon take over what was reserved long ago: fewer at a time.
  if (!reserved || (reservations.length > 0 && performance.now() - startMs > store.supports.maxWriteDelayMs / 2)) throw new ConflictError(ownContainer, ownKey('reservations'), 'changed')
  await writeInOrder(store, entries, others)
  await reserved.release()
}

/** Notes the key of a document that stands where a new one was to be written. Returns whether it was not known before. */
function noteTaken(error: unknown, taken: Set<string>): boolean {
  if (!(error instanceof ConflictError) || error.found !== 'present') return false
  const known = taken.size
  return taken.add(placeText(error.container, error.key)).size > known
}

/** Where the store cannot write a document and its buckets atomically, the buckets go first. */
async function writeInOrder(store: Store, entries: readonly Entry[], writes: readonly Write[]): Promise<void> {
  const typed = new Set(entries.filter(({ type }) => type).map(({ key }) => key))
  const max = store.supports.batch.writes
  const tooMany = writes.length > max && [...Map.groupBy(writes, ({ container, key }) => `${container} ${JSON.stringify(key.partition)}`).values()].some(({ length }) => length > max)
  if (!tooMany) return writeAll(store, writes)
  await writeAll(store, writes.filter(({ key }) => !typed.has(key)))
  await writeAll(store, writes.filter(({ key }) => typed.has(key)))
}

/** What to do when the import cannot go on. */
function stopped(error: unknown): unknown {
  if (!(error instanceof ConflictError) && !(error instanceof StoreUnavailableError)) return error
  const why = error instanceof ConflictError ? `other writers kept changing ${error.container}/${error.key.id}` : error.message.replace(/\.$/, '')
  return new StoreUnavailableError(`Import stopped: ${why}. What was imported stays. Run the same command again: it continues, and completes lists and counts.`, { cause: error })
}
