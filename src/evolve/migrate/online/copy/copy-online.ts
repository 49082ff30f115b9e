// An online migration that copies documents into other containers, so it can do everything that an offline one can. Old and new documents
// are never in the same container (next-locations.ts): gateways of the old schema read what they always read, and a document can be copied
// again at any time.
//
//   copy      all documents are copied; gateways mark what they change, and marked documents are copied again until few marks are left
//   freeze    writes are refused while the last marked documents are copied, and the values of both sides are compared
//   handover  the new schema and its containers are recorded: new gateways read the copies, which equal what old gateways still read
//   done      all gateways of the old schema know and refuse operations, so gateways of the new schema may write
//
// Until `handover` any failure leaves the old store as it was. Snapshots, lists and counts of the copies are computed while the new
// gateways serve, which look the values up until then.

import type { Clock } from '../../../../clock.ts'
import { readMode } from '../../../../feed/mode/mode-document.ts'
import { selectionOf } from '../../../../read/selection.ts'
import type { Write } from '../../../../store/store.ts'
import { writeAll } from '../../../../store/write-all.ts'
import { ownContainer } from '../../../../store/own-container.ts'
import { locationsPut } from '../../../../store/migration/container-locations.ts'
import { bucketedFields } from '../../../check/bucketed-lists.ts'
import { checkInRounds } from '../../../check/check-store.ts'
import { documentPages } from '../../../check/document-pages.ts'
import { undoEntriesFor } from '../../../check/repair/undo-log.ts'
import { confirmAll } from '../../../confirm-all.ts'
import { keepDeclaration } from '../../../declared/stored-declaration.ts'
import { forgetSnapshots } from '../../../stored-snapshots.ts'
import { forgottenBy } from '../../transform/type-work.ts'
import { refusal } from '../../run/all-fit.ts'
import type { Digests } from '../../run/digests.ts'
import { lossesIn } from '../../run/document-digests.ts'
import { MigrationRefusedError, partFor, partsOf, type MigrationRun } from '../../run/migration-run.ts'
import { hasOtherSchemas } from '../../run/running-gateways.ts'
import { believedMs } from '../migration-gate.ts'
import { markType } from '../change-marks.ts'
import { copyAll } from './copy-all.ts'
import { WriteFollower } from './follow-writes.ts'
import { removeOwnDocuments, totalsOf, copyRecordIn, copyRecordPages, copyRecordType } from './copy-records.ts'

/** Few enough marks for a short freeze. */
const fewMarks = 50
/** Writers may be faster than the migration; then the freeze takes longer. */
const maxRounds = 30

/** Returns how many documents were copied. */
export async function copyOnline(run: MigrationRun, clock: Clock): Promise<number> {
  let copied = run.held.record.copied?.documents ?? 0
  if (run.held.record.phase === 'copy' || run.held.record.phase === 'freeze') {
    if (run.held.record.phase === 'freeze') await run.held.save({ phase: 'copy' })
    try {
      const totals = await totalsOf(run.store)
      const follower = new WriteFollower(run, totals, clock)
      // A write that does not read the record itself may have no mark yet. Until all have, nothing is copied.
      if (run.store.supports.atomic !== 'store' && run.held.record.checkpoint === null) await waitWith(run, believedMs(run.store) + follower.settleMs, clock)
      copied = await copyAll(run, totals)
      for (let rounds = 0; rounds < maxRounds && (await follower.round()).marks > fewMarks; rounds++);
      await freeze(run, follower, totals, clock)
    } catch (error) {
      if (error instanceof MigrationRefusedError) await abandon(run)
      throw error
    }
  }
  if (run.held.record.phase === 'handover') await handOver(run, clock)
  await compute(run)
  await run.held.save({ filled: true })
  return copied
}

async function freeze(run: MigrationRun, follower: WriteFollower, totals: Digests, clock: Clock): Promise<void> {
  await run.held.save({ phase: 'freeze' })
  // Where a write does not read the record itself, it relies on a reading that is at most this old, and it takes at most its deadline.
  if (run.store.supports.atomic !== 'store') await waitWith(run, believedMs(run.store) + follower.settleMs, clock)
  for (let tries = 0; ;) {
    const { left, unfit } = await follower.round()
    if (left === 0) break
    if (unfit.length > 0 && ++tries === 3) throw refusal(unfit)
    if (follower.settleMs > 0) await waitWith(run, follower.settleMs / 4, clock)
  }
  const problems = [...lossesIn(run.pairs, run.work, totals), ...await countProblems(run, totals)]
  if (problems.length > 0) throw refusal(problems)
  if (!run.store.supports.durable) await computed(run)
  // From here on it can only go forward.
  await run.held.save({ phase: 'handover' })
}

/** Each old document is one new one; those that are made of objects and links are more. */
async function countProblems(run: MigrationRun, totals: Digests): Promise<string[]> {
  const made = new Set(run.work.types.flatMap(({ makes }) => makes.map(({ type }) => type)))
  const problems: string[] = []
  for (const { now } of run.work.types) {
    if (!now || made.has(now)) continue
    let found = 0
    for (const { store } of await partsOf(run)) found += await store.count(selectionOf(now))
    const expected = totals.get(`documents ${now.name}`)?.values ?? 0
    if (found !== expected) problems.push(`${now.name} would have ${found} documents in "${now.container}", and there are ${expected}. Something that is not a gateway writes to the store; stop it.`)
  }
  return problems
}

async function handOver(run: MigrationRun, clock: Clock): Promise<void> {
  const { declared, store, held, pairs, work } = run
  const isKept = store.supports.durable && store.supports.atomic === 'store' && (await readMode(store))?.mode !== 'feed'
  // Effects that follow through the feed may be missing, and the feed of the old containers is not followed any more.
  const owners = isKept ? new Set(work.types.map(({ now }) => now?.name)) : undefined
  const forgotten = (coordinate: string): boolean => owners === undefined || owners.has(coordinate.split('.')[0])
  const pending = await forgetSnapshots(declared, store, forgotten)
  await keepDeclaration(declared, store, (before) => (store.supports.durable ? [...new Set([...before, ...pending])] : []), forgottenBy(pairs, work))
  await store.write([locationsPut(declared.locations)])
  if (store.supports.atomic !== 'store' || (await hasOtherSchemas(store, held.record.schema))) await waitWith(run, believedMs(store) + 1000, clock)
  await held.save({ phase: 'done', checkpoint: null, digests: {} })
}

/** If something cannot be computed, gateways continue to look it up, and `quire check` names it. */
async function compute(run: MigrationRun): Promise<void> {
  if (run.store.supports.durable && (await computed(run)) === 0) await confirmAll(run.declared, run.store)
}

/** Returns how many values could not be computed. */
async function computed(run: MigrationRun): Promise<number> {
  let left = 0
  for (const { store } of await partsOf(run)) {
    for await (const { kind, repair } of checkInRounds(run.declared, store, { repair: true })) {
      if (repair !== 'done' && (kind === 'drifted' || kind === 'miscounted' || kind === 'misplaced')) left++
      await run.held.save({})
    }
    await run.advance(0)
  }
  return left
}

/** Writes the record regularly, so that gateways see that the process lives. */
async function waitWith({ held, advance }: MigrationRun, ms: number, clock: Clock): Promise<void> {
  for (const endMs = clock.now() + ms; clock.now() < endMs;) {
    await clock.pause(Math.min(1000, Math.max(1, endMs - clock.now())))
    await held.save({})
    await advance(0)
  }
}

/** Removes what was copied, and the record. The store is as it was. */
export async function abandon({ store, held, advance }: Pick<MigrationRun, 'store' | 'held' | 'advance'>): Promise<void> {
  if (held.record.phase === 'freeze') await held.save({ phase: 'copy' })
  for await (const page of copyRecordPages(store)) {
    for (const record of page) await writeAll(partFor(store, (record.body['tenant'] as string | null) ?? undefined), copyRecordIn(record).locations.map((location): Write => ({ kind: 'delete', ...location })))
    await writeAll(store, page.map(({ key }): Write => ({ kind: 'delete', container: ownContainer, key })))
    await advance(0)
  }
  await removeOwnDocuments(store, markType, advance)
  await held.remove()
  // A gateway may have read the record just before it was removed.
  await removeOwnDocuments(store, markType, advance)
}

/** Deletes the old documents. Returns how many there were. */
export async function removeCopied(run: MigrationRun): Promise<number> {
  if (!run.held.record.filled) await compute(run)
  let removed = 0
  const types = run.work.types.flatMap(({ old }) => [old, ...bucketedFields(run.pairs.old).filter(({ owner }) => owner === old).map(({ part }) => part)])
  for (const { tenant, store } of await partsOf(run)) {
    for (const type of types) {
      for await (const page of documentPages(store, selectionOf(type))) {
        const writes = page.map(({ key, body }): Write => ({ kind: 'delete', container: type.container, key, last: body }))
        const taken = undoEntriesFor(writes, page)
        await run.keep(tenant === undefined ? taken : taken.map((each) => ({ ...each, tenant })))
        await writeAll(store, writes)
        removed += page.length
        await run.held.save({})
        await run.advance(page.length)
      }
    }
  }
  for (const type of [copyRecordType, markType]) await removeOwnDocuments(run.store, type, run.advance)
  return removed
}
