// An online migration in which each document has both forms for a while. Expand: as soon as the record says so, every write has both forms
// (migration-writes.ts), and all other documents get the second form here, one transaction per page. When all have both, gateways of
// the new schema can start beside those of the old one. Contract: when no gateway of the old schema runs, the old form is removed.

import type { Body } from '../../../model/json/json.ts'
import { sameJson } from '../../../model/json/same-json.ts'
import { readAll } from '../../../store/read-all.ts'
import type { Store, StoredDocument, Write } from '../../../store/store.ts'
import { documentPages } from '../../check/document-pages.ts'
import { undoEntriesFor } from '../../check/repair/undo-log.ts'
import { recordSchema } from '../run/switch.ts'
import { MigrationRefusedError, type MigrationRun } from '../run/migration-run.ts'
import type { PropertyMoves } from './property-moves.ts'
import { withBothForms, withNewForm } from './property-moves.ts'

/** Returns how many documents were written. */
export async function expand(run: MigrationRun, moves: readonly PropertyMoves[]): Promise<number> {
  await run.held.save({ phase: 'both', moves, filled: run.held.record.filled ?? false })
  if (run.held.record.filled) return 0
  // The old form stays, so there is nothing to put back. A file that took the new form out again would be wrong once the old one is removed.
  const adding = { ...run, keep: () => undefined }
  const count = await eachDocument(adding, moves, (body, own) => withBothForms(body, own, 'old'))
  if ((await eachDocument(adding, moves, (body, own) => withBothForms(body, own, 'old'))) > 0) throw new MigrationRefusedError('A program that is not a gateway writes documents in the old form only. Stop it, and run the migration again.')
  await run.held.save({ filled: true })
  return count
}

/** For when no gateway of the old schema runs. Returns how many documents had the old form. */
export async function contract(run: MigrationRun, moves: readonly PropertyMoves[], refuseOtherSchemas: () => Promise<void>): Promise<number> {
  if (run.held.record.phase === 'both') {
    if (!run.held.record.filled) throw new MigrationRefusedError('Not all documents have the new form yet. Run "quire migrate --apply" first.')
    // Either side may have been written last, so both must say the same before one goes.
    await eachDocument(run, moves, (body, own) => {
      if (!sameJson(withBothForms(body, own, 'new'), body)) throw new MigrationRefusedError(`${own.container} ${String(body['id'])} says different things in its old and its new form: something that is not a gateway has written it. Correct it first.`)
      return body
    })
    await run.held.save({ phase: 'contract' })
    // A gateway that registered before the record was written is found now; a later one reads the record.
    await refuseOtherSchemas().catch(async (error: unknown) => {
      await run.held.save({ phase: 'both' })
      throw error
    })
  }
  await recordSchema(run)
  return eachDocument(run, moves, withNewForm)
}

/** Rewrites documents while gateways run: each page is read and written in one transaction. */
async function eachDocument(run: MigrationRun, moves: readonly PropertyMoves[], change: (body: Body, own: PropertyMoves) => Body): Promise<number> {
  let count = 0
  for (const own of moves) {
    const selection = { container: own.container, ...(own.type === null ? {} : { type: own.type }) }
    for await (const page of documentPages(run.store, selection)) {
      for (let at = 0; at < page.length; at += chunk) count += await changeChunk(run, own, page.slice(at, at + chunk), change)
      await run.held.save({})
      await run.advance(page.length)
    }
  }
  return count
}

/** Gateways wait for a transaction, so it is short. */
const chunk = 100

async function changeChunk({ store, keep, advance }: Pick<MigrationRun, 'store' | 'keep' | 'advance'>, { container, ...own }: PropertyMoves, page: readonly StoredDocument[], change: (body: Body, own: PropertyMoves) => Body): Promise<number> {
  let writes: Write[] = []
  let before: readonly StoredDocument[] = []
  await store.atomically(async () => {
    before = (await current(store, container, page)).filter((each) => each !== undefined)
    writes = before.flatMap(({ key, body, etag }): Write[] => {
      const next = change(body, { container, ...own })
      // Versions stay: what snapshots copy is the same.
      return sameJson(next, body) ? [] : [{ kind: 'put', container, key, body: next, only: { ifMatch: etag } }]
    })
    await keep(undoEntriesFor(writes, before))
    return writes
  })
  await advance(0)
  return writes.length
}

function current(store: Store, container: string, page: readonly StoredDocument[]): Promise<readonly (StoredDocument | undefined)[]> {
  return readAll(store, container, page.map(({ key }) => key))
}
