// Measures whether writes slow down as what they affect grows, and whether other requests wait meanwhile: renames with many
// copies in both modes, a book for a publisher of few and of many, and imports.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { fewBooks, pressFolder, writePress, writePressRows } from '../data/press-database.ts'
import { cachePath, removeDatabase } from '../data/sample.ts'
import { LoadProcess } from '../load/load-process.ts'
import { short, table, whole } from '../report/table.ts'
import { startServer, type Server } from '../servers/start-server.ts'
import { median, quantile } from '../statistics.ts'
import { chosen, type Options, type Suite } from '../suite.ts'

const copies = { quick: [1_000, 5_000], all: [1_000, 5_000, 20_000] }
const books = { quick: 10_000, all: 100_000 }
const importedRows = { quick: [2_000, 20_000], all: [20_000, 200_000] }
const modes = ['together', 'feed'] as const

/** Every probe sends the next request so long after the last answer. */
const probePauseMs = 2

export const growthWrites: Suite = async (options) => {
  const size = options.quick ? 'quick' : 'all'
  const parts = [
    { name: 'renames', run: () => measureRenames(copies[size], options) },
    { name: 'counted', run: () => measureCounted(books[size], options) },
    { name: 'import', run: () => measureImports(importedRows[size], options) },
  ]
  const results: Result[] = []
  for (const { run } of chosen(parts, options)) results.push(await run())
  return {
    how: `${options.rounds} rounds; other requests are sent one after the other, ${probePauseMs} ms apart`,
    tables: results.map((result) => `### Growth: ${result.title}\n\n${result.table}`).join('\n\n'),
    data: Object.fromEntries(results.map(({ name, rows }) => [name, rows])),
  }
}

interface Result {
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
  readonly health: Tail
  readonly point: Tail
}

async function measureRenames(sizes: readonly number[], options: Options): Promise<Result> {
  const rows: RenameRow[] = []
  for (const mode of modes) {
    for (const size of sizes) {
      options.progress(`Growth of writes: rename with ${whole(size)} copies, ${mode}`)
      const file = await writePress('growth-renames.db', size)
      const server = await startPress(file, mode)
      try {
        const [askHealth, askPoint] = [() => fetch(new URL('/health', server.url)), () => server.ask(body('{ book(id: "few-1") { name } }'))]
        await warmUp(server, askHealth, askPoint)
        const [health, point] = [probe(askHealth), probe(askPoint)]
        const rounds = []
        for (let round = 0; round < options.rounds; round++) rounds.push(await rename(server, file, size, `Name ${round}`))
        const [healthMs, pointMs] = await Promise.all([health.stop(), point.stop()])
        rows.push({ mode, copies: size, answeredMs: median(rounds.map(({ answeredMs }) => answeredMs)), doneMs: median(rounds.map(({ doneMs }) => doneMs)), health: tail(healthMs), point: tail(pointMs) })
      } finally {
        await server.stop()
        removeDatabase(file)
      }
    }
  }
  const head = ['mode, copies', 'answered ms', 'all copies true ms', '/health p99 ms', '/health max ms', 'point p99 ms', 'point max ms']
  return {
    name: 'renames', title: 'renaming a document with many copies', rows,
    table: table(head, rows.map((row) => [`${row.mode}, ${whole(row.copies)}`, ...[row.answeredMs, row.doneMs, row.health.p99Ms, row.health.maxMs, row.point.p99Ms, row.point.maxMs].map(short)])),
  }
}

/** The first requests of a process take longer, whatever else happens. */
async function warmUp(server: Server, askHealth: () => Promise<Response>, askPoint: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < 200; time++) await Promise.all([askHealth().then((answer) => answer.text()), askPoint()])
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

function startPress(file: string, effects: string): Promise<Server> {
  return startServer({ args: [join(import.meta.dirname, '../servers/quire.ts')], env: { QUIRE_STORE: `sqlite:${file}`, QUIRE_SCHEMA: pressFolder, QUIRE_EFFECTS: effects, BENCH_GATEWAY: JSON.stringify({ openWrites: true }) } })
}

/** Sends a request again and again, and returns the latencies when it is stopped. */
function probe(send: () => Promise<unknown>): { readonly stop: () => Promise<number[]> } {
  const latencies: number[] = []
  const stopping = new AbortController()
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const startMs = performance.now()
      const answer = await send()
      if (answer instanceof Response) await answer.text()
      latencies.push(performance.now() - startMs)
      await pause(probePauseMs)
    }
  })()
  return {
    stop: async () => {
      stopping.abort()
      await running
      return latencies
    },
  }
}

interface Tail {
  readonly p99Ms: number
  readonly maxMs: number
}

function tail(latencies: readonly number[]): Tail {
  return { p99Ms: quantile(latencies, 0.99), maxMs: Math.max(...latencies) }
}

function body(query: string): string {
  return JSON.stringify({ query })
}
