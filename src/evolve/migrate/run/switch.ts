// The second phase of an offline migration: prepared documents replace the old ones, their effects (snapshots, lists, counts) are computed,
// everything is verified, and the new declaration is recorded. Each step finds out what is done already, so it can be stopped at any point and
// run again. A write only replaces the version that was prepared from, so a process that was taken for dead cannot overwrite newer documents.

import { sameJson } from '../../../model/json/same-json.ts'
import { selectionOf } from '../../../read/selection.ts'
import { ownContainer } from '../../../store/own-container.ts'
import { ConflictError } from '../../../store/store-errors.ts'
import type { StoredDocument, Write } from '../../../store/store.ts'
import { writeAll } from '../../../store/write-all.ts'
import { BatchedView } from '../../check/batched-view.ts'
import { checkInRounds } from '../../check/check-store.ts'
import { documentPages } from '../../check/document-pages.ts'
import { undoEntriesFor } from '../../check/repair/undo-log.ts'
import { confirmAll, declarationKeys } from '../../confirm-all.ts'
import { forgottenBy } from '../transform/type-work.ts'
import { Digests, sameDigest } from './digests.ts'
import { addDigestsAfter } from './document-digests.ts'
import { MigrationRefusedError, partFor, partsOf, type MigrationRun } from './migration-run.ts'
import { currentOf, removeStaged, stagedPages, textOf, type StagedDocument } from './staged-documents.ts'

const stages = ['put', 'remove', 'compute', 'verify', 'record'] as const

/** Returns how many documents were written or deleted. */
export async function switchOver(run: MigrationRun): Promise<number> {
  const { store, held } = run
  const kept = held.record.checkpoint as { readonly stage?: (typeof stages)[number] } | null
  let count = 0
  for (const stage of stages.slice(Math.max(0, stages.indexOf(kept?.stage ?? 'put')))) {
    await held.save({ checkpoint: { stage } })
    if (stage === 'put') {
      for await (const page of stagedPages(store)) count += await putPage(run, page.filter(({ body }) => body !== undefined))
      for await (const page of stagedPages(store)) await verifyPage(run, page.filter(({ body }) => body !== undefined))
    } else if (stage === 'remove') for await (const page of stagedPages(store)) count += await removePage(run, page.filter(({ goes }) => goes === 'now'))
    else if (stage === 'compute') count += await computeAll(run)
    else if (stage === 'verify') await verifyAnswers(run)
    else await recordSchema(run)
  }
  return count
}

/** Undoing the migration restores the declaration, too, or the old documents would be served under the new one. */
export async function recordSchema({ declared, store, keep, pairs, work }: Pick<MigrationRun, 'declared' | 'store' | 'keep' | 'pairs' | 'work'>): Promise<void> {
  const before = await store.readMany(ownContainer, declarationKeys)
  await confirmAll(declared, store, forgottenBy(pairs, work))
  const after = await store.readMany(ownContainer, declarationKeys)
  const changed = after.flatMap((document, index) => (document && before[index] && !sameJson(document.body, before[index].body) ? [{ document, was: before[index] }] : []))
  await keep(undoEntriesFor(changed.map(({ document: { key, body } }): Write => ({ kind: 'put', container: ownContainer, key, body })), changed.map(({ was }) => was)))
}

/** Deletes obsolete documents and the record. Returns how many were deleted, and those that have changed since and are kept. */
export async function finish(run: Pick<MigrationRun, 'store' | 'held' | 'keep' | 'advance'>): Promise<{ readonly removed: number; readonly changed: readonly StagedDocument[] }> {
  let removed = 0
  const changed: StagedDocument[] = []
  for await (const page of stagedPages(run.store)) {
    const left = page.filter(({ goes }) => goes === 'finish')
    const current = await currentOf(run.store, left)
    const isChanged = (staged: StagedDocument): boolean => current.has(textOf(staged)) && current.get(textOf(staged))!.etag !== staged.etag
    changed.push(...left.filter(isChanged))
    removed += await removePage(run, left.filter((staged) => !isChanged(staged)))
    await removeStaged(run.store, page)
  }
  await run.held.remove()
  return { removed, changed }
}

async function putPage(run: MigrationRun, page: readonly StagedDocument[]): Promise<number> {
  for (let look = 1; ; look++) {
    const current = await currentOf(run.store, page)
    const waiting = page.filter((staged) => !sameJson(current.get(textOf(staged))?.body, staged.body))
    const foreign = waiting.find((staged) => current.get(textOf(staged))?.etag !== staged.etag)
    if (foreign) throw new MigrationRefusedError(`${foreign.container} ${foreign.key.id} has been written since the migration began, by a gateway or another program. Stop it, and restore the document; "quire check --undo FILE" does so for what the migration has replaced.`)
    try {
      await writeEach(run, waiting, current, ({ container, key, body, etag }) => ({ kind: 'put', container, key, body: body!, only: etag === undefined ? 'if-absent' : { ifMatch: etag } }))
      await run.advance(page.length)
      return waiting.length
    } catch (error) {
      // Some of them may have been written, so they are looked at again.
      if (!(error instanceof ConflictError) || look === 3) throw error
    }
  }
}

async function verifyPage({ store, advance }: MigrationRun, page: readonly StagedDocument[]): Promise<void> {
  const current = await currentOf(store, page)
  const wrong = page.find((staged) => !sameJson(current.get(textOf(staged))?.body, staged.body))
  if (wrong) throw new MigrationRefusedError(`${wrong.container} ${wrong.key.id} is not what the migration has written. Nothing old was removed. Stop other programs that write to the store, and run it again.`)
  await advance(0)
}

async function removePage(run: Pick<MigrationRun, 'store' | 'keep' | 'advance'>, page: readonly StagedDocument[]): Promise<number> {
  const current = await currentOf(run.store, page)
  const there = page.filter((staged) => current.get(textOf(staged))?.etag === staged.etag)
  await writeEach(run, there, current, (staged) => ({ kind: 'delete', container: staged.container, key: staged.key, only: { ifMatch: staged.etag! }, last: current.get(textOf(staged))!.body }))
  await run.advance(0)
  return there.length
}

async function writeEach({ store, keep }: Pick<MigrationRun, 'store' | 'keep'>, page: readonly StagedDocument[], current: ReadonlyMap<string, StoredDocument>, writeOf: (staged: StagedDocument) => Write): Promise<void> {
  for (const [tenant, some] of Map.groupBy(page, (staged) => staged.tenant)) {
    for (const [, same] of Map.groupBy(some, ({ container }) => container)) {
      const writes = same.map(writeOf)
      const taken = undoEntriesFor(writes, same.flatMap((staged) => current.get(textOf(staged)) ?? []))
      await keep(tenant === undefined ? taken : taken.map((each) => ({ ...each, tenant })))
      await writeAll(partFor(store, tenant), writes)
    }
  }
}

/** Snapshots, lists and counts, from the documents as they are now. */
async function computeAll(run: MigrationRun): Promise<number> {
  let count = 0
  const left: string[] = []
  for (const { tenant, store } of await partsOf(run)) {
    const keep: MigrationRun['keep'] = (taken) => run.keep(tenant === undefined ? taken : taken.map((each) => ({ ...each, tenant })))
    for await (const finding of checkInRounds(run.declared, store, { repair: true, keep })) {
      if (finding.repair === 'done') count++
      else if (finding.kind === 'drifted' || finding.kind === 'miscounted' || finding.kind === 'misplaced') left.push(finding.sentence)
    }
    await run.advance(0)
  }
  if (left.length > 0) throw new MigrationRefusedError(`The documents were rewritten, but not everything could be computed, so the schema is not recorded:\n${left.slice(0, 10).map((sentence) => `  - ${sentence}`).join('\n')}`)
  return count
}

/** Compares the values that the store holds now with those before. */
async function verifyAnswers(run: MigrationRun): Promise<void> {
  const { pairs, held: { record } } = run
  const [before, after] = [new Digests(record.digests), new Digests()]
  const types = [...pairs.now.documents.values()].filter(({ name }) => before.get(`documents ${name}`))
  for (const part of await partsOf(run)) {
    for (const type of types) {
      const fields = [...type.fields.values()].filter(({ coordinate }) => before.get(coordinate))
      for await (const page of documentPages(part.store, selectionOf(type))) {
        const view = new BatchedView(part.store)
        for (const { body } of page) await addDigestsAfter(after, part.tenant, pairs, fields, type.name, body, view)
        await run.advance(0)
      }
    }
  }
  const wrong = types.flatMap((type) => [`documents ${type.name}`, ...[...type.fields.values()].map(({ coordinate }) => coordinate).filter((name) => before.get(name))])
    .filter((name) => !sameDigest(before.get(name), after.get(name)))
  if (wrong.length > 0) throw new MigrationRefusedError(`The store has other values than before the migration: ${wrong.map((name) => `${name} (${before.get(name)?.values ?? 0} values before, ${after.get(name)?.values ?? 0} now)`).join(', ')}. Nothing more was removed, and the schema is not recorded. "quire check --undo FILE" puts the documents back.`)
}
