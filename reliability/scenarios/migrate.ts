// Migrates many documents while gateways serve them: one of the old schema all along, one of the new schema from the moment it can start, until
// only the new one is left. By default a field is renamed and a new one is filled in, and clients write their own documents through either gateway and
// read them through the other. With `--change container` the documents are copied into another container and handed over; clients repeat what was
// answered with STORE_MIGRATING, at whichever gateway is there. No request may fail, and none may answer with anything but the last value that was acknowledged.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { startServer, type Server } from '../../bench/servers/start-server.ts'
import { checkStore } from '../../src/evolve/check/check-store.ts'
import { documentPages } from '../../src/evolve/check/document-pages.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { readLocations } from '../../src/store/migration/container-locations.ts'
import { ownContainer } from '../../src/store/own-container.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { firstFew, outcome, progress, type Outcome } from '../scenario.ts'

export const defaults = { documents: 100_000, clients: 8, quietMs: 5000, change: 'fields' }

const old = 'type Beast @document(container: "beasts") { id: ID! label: String! @indexed legs: Int }'
const edited = 'type Beast @document(container: "beasts") { id: ID! name: String! @indexed legs: Int diet: String! }'

interface Change {
  readonly sdl: string
  /** Of the container that the documents are in afterwards. */
  readonly container: string
  /** The name of the field that clients write, in the new schema. */
  readonly field: string
  readonly answers: readonly string[]
  /** Documents are copied, so the old gateway ends with the handover, and the new one begins with it. */
  readonly copies: boolean
}

const changes: Readonly<Record<string, Change>> = {
  fields: { sdl: edited, container: 'beasts', field: 'name', answers: ['--renamed', 'Beast.label=name', '--default', 'Beast.diet=grass'], copies: false },
  container: { sdl: old.replace('"beasts"', '"creatures"'), container: 'creatures', field: 'label', answers: [], copies: true },
}

interface Phase {
  readonly name: string
  readonly fromMs: number
  readonly latenciesMs: number[]
  readonly failed: string[]
  readonly wrong: string[]
  /** How often a request was repeated because the store was being migrated. */
  repeats: number
}

export async function run({ documents, clients, quietMs, change: name }: typeof defaults): Promise<Outcome> {
  const change = changes[name]
  if (!change) throw new Error(`--change is ${name}. Name ${Object.keys(changes).join(' or ')}.`)
  const folder = mkdtempSync(join(tmpdir(), 'quire-migrate-'))
  const schemas = { old: schemaFolder(folder, 'old', old), new: schemaFolder(folder, 'new', change.sdl) }
  const file = join(folder, 'beasts.db')
  const start = (schema: string): Promise<Server> => startServer({ args: [join(import.meta.dirname, '../servers/everything-open.ts')], env: { QUIRE_STORE: `sqlite:${file}`, QUIRE_SCHEMA: schema, QUIRE_LOG: 'error' } })
  const migrate = (...args: string[]): Promise<Record<string, unknown>> => quire({ QUIRE_STORE: `sqlite:${file}`, QUIRE_SCHEMA: schemas.new }, 'migrate', '--json', '--save', join(folder, `${args[0]!}.jsonl`), ...args)
  const started: Server[] = []
  try {
    await fill(file, documents)
    const before = await start(schemas.old)
    started.push(before)
    const load = new Load(clients, documents, { server: before, field: 'label' })
    await load.phase('before', () => pause(quietMs))
    const migration = change.copies ? 'while documents are copied and handed over' : 'while documents get both forms'
    progress(migration)
    let isApplied = false
    const apply = async (): Promise<Record<string, unknown>> => migrate('--apply', ...change.answers).finally(() => (isApplied = true))
    const beginNew = async (): Promise<Server> => {
      const after = await startWhenPossible(() => start(schemas.new), () => isApplied)
      started.push(after)
      load.add({ server: after, field: change.field })
      return after
    }
    // The new gateway takes part in the handover: writes go on when it is there.
    const [applied, early] = await load.phase(migration, () => Promise.all([apply(), change.copies ? beginNew() : undefined]))
    const after = early ?? await beginNew()
    await load.phase(change.copies ? 'after the handover' : 'old and new gateway', () => pause(quietMs))
    load.only(after)
    await load.settled()
    await before.stop('SIGTERM')
    progress('what is old is removed')
    const finished = await load.phase(change.copies ? 'while old documents are removed' : 'while the old form is removed', () => migrate('--finish'))
    await load.phase('after', () => pause(quietMs))
    await load.stop()
    await after.stop()
    const findings = await checked(file, change, documents)
    const expected = applied['expected'] as { requestCharge: number }
    const wrong = load.phases.flatMap((phase) => [...phase.failed, ...phase.wrong])
    return outcome({
      lines: [
        `${documents.toLocaleString('en-US')} documents, ${clients} clients that write and read without pause, over SQLite`,
        ...load.phases.map(lineOf),
        `RU, both by the cost model: ${expected.requestCharge.toLocaleString('en-US')} expected by the plan, ${Number(applied['requestCharge']).toLocaleString('en-US')} for what was done; ${String(finished['removed'])} documents ${change.copies ? 'removed' : 'freed of their old form'}`,
        `findings of a check afterwards: ${findings.length}`,
        ...firstFew([...wrong, ...findings]),
      ],
      data: { phases: load.phases.map((phase) => ({ name: phase.name, requests: phase.latenciesMs.length, failed: phase.failed.length, wrong: phase.wrong.length, repeats: phase.repeats })), applied, finished },
      holds: wrong.length === 0 && findings.length === 0,
    })
  } finally {
    for (const server of started) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Target {
  readonly server: Server
  /** The name of the field in this schema. */
  readonly field: string
}

/** Each client has documents of its own, so it knows what it must read. */
class Load {
  readonly phases: Phase[] = []
  #targets: readonly Target[]
  #current: Phase = newPhase('start')
  #isOver = false
  readonly #running: Promise<void>[]
  #rounds = 0

  constructor(clients: number, documents: number, target: Target) {
    this.#targets = [target]
    this.#running = Array.from({ length: clients }, (_, client) => this.#client(client, clients, documents))
  }

  add(target: Target): void {
    this.#targets = [...this.#targets, target]
  }

  only(server: Server): void {
    this.#targets = this.#targets.filter((target) => target.server === server)
  }

  /** When every request that was under way has ended. */
  async settled(): Promise<void> {
    const enough = this.#rounds + 2 * this.#running.length
    while (this.#rounds < enough) await pause(10)
  }

  async phase<T>(name: string, during: () => Promise<T>): Promise<T> {
    this.#current = newPhase(name)
    const phase = this.#current
    try {
      return await during()
    } finally {
      this.phases.push({ ...phase, name: `${name}|${Math.round(performance.now() - phase.fromMs)}` })
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#running)
  }

  async #client(client: number, clients: number, documents: number): Promise<void> {
    for (let round = 0; !this.#isOver; round++) {
      const id = `b${(client + clients * (round * 7919)) % documents}`
      const value = `client ${client}, round ${round}`
      // Two clients may own one document only where the number of documents is no multiple of theirs.
      await this.#ask(round, ({ field }) => `mutation { updateBeast(input: { id: "${id}", ${field}: "${value}" }) { beast { id } } }`, () => true)
      await this.#ask(round + 1, ({ field }) => `{ beast(id: "${id}") { shown: ${field} } }`, (data) => documents % clients !== 0 || (data['beast'] as { shown: string }).shown === value)
      this.#rounds++
    }
  }

  /** Asks the targets in turn. What is answered with STORE_MIGRATING has not happened, so it is asked again, and the whole wait counts. */
  async #ask(turn: number, queryFor: (target: Target) => string, isRight: (data: Record<string, unknown>) => boolean): Promise<void> {
    const fromMs = performance.now()
    for (let attempt = 0; ; attempt++) {
      const target = this.#targets[(turn + attempt) % this.#targets.length]!
      const query = queryFor(target)
      const phase = this.#current
      try {
        const response = await fetch(`http://127.0.0.1:${target.server.port}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) })
        const { data, errors } = (await response.json()) as { data: Record<string, unknown>; errors?: { message: string; extensions?: { code?: string } }[] }
        if (errors?.[0]!.extensions?.code === 'STORE_MIGRATING' && !this.#isOver) {
          phase.repeats++
          await pause(repeatMs)
          continue
        }
        if (errors) phase.failed.push(errors[0]!.message)
        else if (!isRight(data)) phase.wrong.push(`${query} answered ${JSON.stringify(data)}`)
      } catch (error) {
        phase.failed.push(String(error))
      }
      phase.latenciesMs.push(performance.now() - fromMs)
      return
    }
  }
}

/** Sooner than Retry-After says, so that the figures show how long writes were refused. */
const repeatMs = 100

/** A gateway of the new schema cannot start while documents are copied, and says so. */
async function startWhenPossible(start: () => Promise<Server>, isApplied: () => boolean): Promise<Server> {
  for (;;) {
    const isLast = isApplied()
    try {
      return await start()
    } catch (error) {
      if (isLast) throw error
      await pause(500)
    }
  }
}

function newPhase(name: string): Phase {
  return { name, fromMs: performance.now(), latenciesMs: [], failed: [], wrong: [], repeats: 0 }
}

function lineOf({ name, latenciesMs, failed, wrong, repeats }: Phase): string {
  const [what, tookMs] = name.split('|') as [string, string]
  const sorted = latenciesMs.toSorted((one, other) => one - other)
  const p99 = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0
  return `${what} (${(Number(tookMs) / 1000).toFixed(1)} s): ${Math.round(latenciesMs.length / (Number(tookMs) / 1000)).toLocaleString('en-US')} requests/s, p99 ${p99.toFixed(1)} ms, ${repeats > 0 ? `longest ${((sorted.at(-1) ?? 0) / 1000).toFixed(1)} s, ${repeats} answers repeated, ` : ''}${failed.length} failed, ${wrong.length} wrong`
}

function schemaFolder(folder: string, name: string, sdl: string): string {
  const path = join(folder, name)
  mkdirSync(path)
  writeFileSync(join(path, 'beasts.graphql'), sdl)
  return path
}

async function fill(file: string, documents: number): Promise<void> {
  const store = await openSqliteStore(file, readDeclaration(old).layout)
  for (let at = 0; at < documents; at += 1000) {
    await store.write(Array.from({ length: Math.min(1000, documents - at) }, (_, index) => {
      const id = `b${at + index}`
      return { kind: 'put', container: 'beasts', key: { partition: [id], id }, body: { id, label: `Beast ${id}`, legs: 4, note: 'x'.repeat(200) } }
    }))
  }
  await store.close()
}

async function checked(file: string, { sdl, container, copies }: Change, documents: number): Promise<string[]> {
  const store = await openSqliteStore(file, [...readDeclaration(sdl).layout, ...readDeclaration(old).layout.filter(({ name }) => name !== container && name !== ownContainer)])
  try {
    const left: string[] = []
    if (!copies) for await (const page of documentPages(store, { container })) left.push(...page.filter(({ body }) => 'label' in body).map(({ key }) => `${key.id} has its old form still`))
    const counts = [await store.count({ container }), copies ? await store.count({ container: 'beasts' }) : 0]
    if (counts[0] !== documents || counts[1] !== 0) left.push(`${counts[0]} of ${documents} documents are in ${container}, and ${counts[1]} where they were`)
    return [...left, ...(await Array.fromAsync(checkStore(readDeclaration(sdl).at(await readLocations(store)), store))).map(({ sentence }) => sentence)]
  } finally {
    await store.close()
  }
}

/** The last line that the command prints, which has the totals. */
async function quire(env: Record<string, string>, ...args: string[]): Promise<Record<string, unknown>> {
  const started = spawn(process.execPath, [join(import.meta.dirname, '../../bin/quire.js'), ...args], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code]] = await Promise.all([text(started.stdout), text(started.stderr), once(started, 'close')])
  if (code !== 0) throw new Error(`quire ${args.join(' ')} ended with ${String(code)}: ${err}${out}`)
  return JSON.parse(out.trim().split('\n').at(-1)!) as Record<string, unknown>
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
