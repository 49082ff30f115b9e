// Measures whether writes slow down as what they affect grows, and whether other requests wait meanwhile: renames with many
// copies in both modes, a book for a publisher of few and of many, imports, and what growth-feed.ts and growth-types.ts measure.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { fewBooks, pressFolder, writePress, writePressRows } from '../data/press-database.ts'
import { cachePath, removeDatabase } from '../data/sample.ts'
import { LoadProcess } from '../load/load-process.ts'
import { probePauseMs } from '../load/probe.ts'
import { short, table, whole } from '../report/table.ts'
import { othersCells, othersHead, probePress, startPress, warmUpPress, type Others } from '../servers/start-press.ts'
import type { Server } from '../servers/start-server.ts'
import { median } from '../statistics.ts'
import { chosen, type Options, type Suite } from '../suite.ts'
import { measureCatchUp, measureDeletes } from './growth-feed.ts'
import { measureTypes } from './growth-types.ts'

const copies = { quick: [1_000, 5_000], all: [1_000, 5_000, 20_000] }
const books = { quick: 10_000, all: 100_000 }
const importedRows = { quick: [2_000, 20_000], all: [20_000, 200_000] }
const modes = ['together', 'feed'] as const
const caughtUp = { quick: { without: 20_000, with: 2_000 }, all: { without: 200_000, with: 20_000 } }
const deletions = { quick: [500], all: [2_000, 20_000] }
const typeCounts = { quick: [10, 50], all: [50, 100, 200] }

export const growthWrites: Suite = async (options) => {
  const size = options.quick ? 'quick' : 'all'
  const parts = [
    { name: 'renames', run: () => measureRenames(copies[size], options) },
    { name: 'counted', run: () => measureCounted(books[size], options) },
    { name: 'import', run: () => measureImports(importedRows[size], options) },
    { name: 'catch-up', run: () => measureCatchUp(caughtUp[size], options) },
    { name: 'deletes', run: () => measureDeletes(deletions[size], options) },
    { name: 'types', run: () => measureTypes(typeCounts[size], options) },
  ]
  const results: Result[] = []
  for (const { run } of chosen(parts, options)) results.push(await run())
  return {
    how: `${options.rounds} rounds; other requests are sent one after the other, ${probePauseMs} ms apart`,
    tables: results.map((result) => `### Growth: ${result.title}\n\n${result.table}`).join('\n\n'),
    data: Object.fromEntries(results.map(({ name, rows }) => [name, rows])),
  }
}

export interface Result {
  readonly name: string
  readonly title: string
  readonly table: string
  readonly rows: readonly object[]
}

interface RenameRow {
  readonly mode: string
  readonly copies: number
  readonly answeredMs: number
  readonly doneMs: number
  readonly others: Others
}

async function measureRenames(sizes: readonly number[], options: Options): Promise<Result> {
  const rows: RenameRow[] = []
  for (const mode of modes) {
    for (const size of sizes) {
      options.progress(`Growth of writes: rename with ${whole(size)} copies, ${mode}`)
      const file = await writePress('growth-renames.db', size)
      const server = await startPress(file, mode)
      try {
        await warmUp(server)
        const others = probePress(server)
        const rounds = []
        for (let round = 0; round < options.rounds; round++) rounds.push(await rename(server, file, size, `Name ${round}`))
        rows.push({ mode, copies: size, answeredMs: median(rounds.map(({ answeredMs }) => answeredMs)), doneMs: median(rounds.map(({ doneMs }) => doneMs)), others: await others.stop() })
      } finally {
        await server.stop()
        removeDatabase(file)
      }
    }
  }
  const head = ['mode, copies', 'answered ms', 'all copies true ms', ...othersHead]
  return {
    name: 'renames', title: 'renaming a document with many copies', rows,
    table: table(head, rows.map((row) => [`${row.mode}, ${whole(row.copies)}`, ...[row.answeredMs, row.doneMs, ...othersCells(row.others)].map(short)])),
  }
}

async function warmUp(server: Server): Promise<void> {
  await warmUpPress(server)
  for (let time = 0; time < 5; time++) await server.ask(body(`mutation { updateAuthor(input: { id: "few", name: "Eve ${time}" }) { author { name } } }`))
}

/** When the mutation is answered, and when every copy has the new name. */
async function rename(server: Server, file: string, size: number, name: string): Promise<{ answeredMs: number; doneMs: number }> {
  const startMs = performance.now()
  const { errors } = (await server.ask(body(`mutation { updateAuthor(input: { id: "many", name: "${name}" }) { author { name } } }`))) as { errors?: unknown }
  if (errors) throw new Error(`The rename failed: ${JSON.stringify(errors)}`)
  const answeredMs = performance.now() - startMs
  const database = new DatabaseSync(file, { readOnly: true })
  const renamed = database.prepare(`SELECT count(*) AS renamed FROM books WHERE body ->> '$.authors[0].name' = ?`)
  while ((renamed.get(name) as { renamed: number }).renamed < size) await pause(20)
  database.close()
  return { answeredMs, doneMs: performance.now() - startMs }
}

async function measureCounted(size: number, options: Options): Promise<Result> {
  options.progress(`Growth of writes: a book for a publisher of ${whole(size)}`)
  const file = await writePress('growth-counted.db', size)
  const server = await startPress(file, 'together')
  const load = new LoadProcess()
  try {
    const rows: { readonly books: number; readonly p50Ms: number; readonly p99Ms: number }[] = []
    for (const [publisher, count] of [['few', fewBooks], ['many', size]] as const) {
      const bodies = [body(`mutation { createBook(input: { name: "New", authorIds: [], publisherId: "${publisher}" }) { book { id } } }`)]
      const rounds = []
      for (let round = 0; round < options.rounds; round++) rounds.push(await load.run({ port: server.port, bodies, connections: 1, seconds: options.seconds, answers: 'no errors' }, server.pid))
      rows.push({ books: count, p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)), p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)) })
    }
    return {
      name: 'counted', title: 'a new book for a publisher that counts its books', rows,
      table: table(['books of the publisher', 'p50 ms', 'p99 ms', `times ${whole(fewBooks)} books`], rows.map((row) => [whole(row.books), short(row.p50Ms), short(row.p99Ms), short(row.p50Ms / rows[0]!.p50Ms)])),
    }
  } finally {
    load.stop()
    await server.stop()
    removeDatabase(file)
  }
}

async function measureImports(sizes: readonly number[], options: Options): Promise<Result> {
  const rows: { readonly rows: number; readonly seconds: number; readonly cpuSeconds: number; readonly peakMb: number }[] = []
  for (const size of sizes) {
    options.progress(`Growth of writes: import of ${whole(size)} rows`)
    const folder = await writePressRows(size)
    const file = cachePath('growth-import.db')
    removeDatabase(file)
    const startMs = performance.now()
    const { status, stderr } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', '--import', printPeak, join(import.meta.dirname, '../../bin/quire.js'), 'import', join(folder, 'mapping.json'), '--json'], {
      env: { ...process.env, QUIRE_STORE: `sqlite:${file}`, QUIRE_SCHEMA: pressFolder }, encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`The import failed: ${stderr}`)
    const [, peakKb = '0', cpuUs = '0'] = /peak (\d+) cpu (\d+)/.exec(stderr) ?? []
    rows.push({ rows: size, seconds: (performance.now() - startMs) / 1000, cpuSeconds: Number(cpuUs) / 1e6, peakMb: Number(peakKb) / 1024 })
    removeDatabase(file)
  }
  return {
    name: 'import', title: 'importing rows', rows,
    table: table(['rows', 's', 'CPU s', 'µs of CPU per row', 'peak MB'], rows.map((row) => [whole(row.rows), short(row.seconds), short(row.cpuSeconds), short((row.cpuSeconds * 1e6) / row.rows), whole(row.peakMb)])),
  }
}

const printPeak = `data:text/javascript,${encodeURIComponent(`process.on('exit', () => { const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage(); console.error('peak ' + maxRSS + ' cpu ' + (userCPUTime + systemCPUTime)) })`)}`

function body(query: string): string {
  return JSON.stringify({ query })
}
