// The change feed as it grows: a gateway that finds many changes when it starts, with and without effects, and deletions that must
// leave nothing behind. Other requests go on meanwhile. growth-writes.ts runs it.

import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { pressFolder, writePress } from '../data/press-database.ts'
import { removeDatabase } from '../data/sample.ts'
import { short, table, whole } from '../report/table.ts'
import { othersCells, othersHead, probePress, startPress, warmUpPress, type Others } from '../servers/start-press.ts'
import { readSdlFolder } from '../../src/model/sdl/read-sdl.ts'
import { readProgress } from '../../src/feed/watermark.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Options } from '../suite.ts'
import type { Result } from './growth-writes.ts'

interface CatchUpRow {
  readonly title: string
  readonly changes: number
  readonly seconds: number
  readonly others: Others
}

/** Without effects every count is true already; with them one document counts all of the changes. */
export async function measureCatchUp(sizes: { readonly without: number; readonly with: number }, options: Options): Promise<Result> {
  const rows: CatchUpRow[] = []
  for (const [title, changes, counted] of [['nothing to do', sizes.without, undefined], ['one document counts all', sizes.with, 0]] as const) {
    options.progress(`Growth of writes: catch-up of ${whole(changes)} changes, ${title}`)
    const file = await writePress('growth-catch-up.db', changes, counted)
    const store = await openSqliteStore(file, readDeclaration(readSdlFolder(pressFolder)).layout)
    const { latest } = await store.position()
    const startMs = performance.now()
    const server = await startPress(file, 'feed')
    const others = probePress(server)
    try {
      while ((await readProgress(store)).watermark < latest) await pause(20)
      rows.push({ title, changes, seconds: (performance.now() - startMs) / 1000, others: await others.stop() })
    } finally {
      await server.stop()
      await store.close()
      removeDatabase(file)
    }
  }
  return {
    name: 'catch-up', title: 'changes that a gateway finds when it starts', rows,
    table: table(['effects', 'changes', 's from its start', 'changes/s', ...othersHead], rows.map((row) => [row.title, whole(row.changes), short(row.seconds), whole(row.changes / row.seconds), ...othersCells(row.others).map(short)])),
  }
}

interface DeletedRow {
  readonly deleted: number
  readonly seconds: number
  readonly sweptMs: number
  readonly entriesLeft: number
  readonly walMb: number
  readonly others: Others
}

/** Deletes documents one by one, then waits until the feed has forgotten them. */
export async function measureDeletes(sizes: readonly number[], options: Options): Promise<Result> {
  const rows: DeletedRow[] = []
  for (const deleted of sizes) {
    options.progress(`Growth of writes: ${whole(deleted)} deletions`)
    const file = await writePress('growth-deletes.db', deleted)
    const server = await startPress(file, 'feed')
    const database = new DatabaseSync(file, { readOnly: true })
    const left = database.prepare('SELECT count(*) AS entries FROM "quire feed" WHERE deleted')
    const entriesLeft = (): number => (left.get() as { entries: number }).entries
    try {
      await warmUpPress(server)
      const others = probePress(server)
      const startMs = performance.now()
      for (let at = 0; at < deleted; at += deletesAtOnce) await Promise.all(Array.from({ length: Math.min(deletesAtOnce, deleted - at) }, (_, more) => remove(server, `many-${at + more}`)))
      const deletedMs = performance.now()
      // The newest entry stays: positions are counted from it.
      for (const untilMs = deletedMs + 60_000; entriesLeft() > 1 && performance.now() < untilMs;) await pause(20)
      rows.push({ deleted, seconds: (deletedMs - startMs) / 1000, sweptMs: performance.now() - deletedMs, entriesLeft: entriesLeft(), walMb: statSync(`${file}-wal`).size / 1e6, others: await others.stop() })
    } finally {
      database.close()
      await server.stop()
      removeDatabase(file)
    }
  }
  return {
    name: 'deletes', title: 'deleting documents, through the change feed', rows,
    table: table(['deleted', 's', 'swept after ms', 'entries left', 'WAL MB', ...othersHead], rows.map((row) => [whole(row.deleted), short(row.seconds), whole(row.sweptMs), whole(row.entriesLeft), short(row.walMb), ...othersCells(row.others).map(short)])),
  }
}

const deletesAtOnce = 16

async function remove(server: { readonly ask: (body: string) => Promise<unknown> }, id: string): Promise<void> {
  const { errors } = (await server.ask(JSON.stringify({ query: 'mutation($id: ID!) { deleteBook(input: { id: $id }) { clientMutationId } }', variables: { id } }))) as { errors?: unknown }
  if (errors) throw new Error(`The deletion failed: ${JSON.stringify(errors)}`)
}
