// One run of the simulation. A reader's guide:
//
//   scheduler.ts           virtual time: the order of all events follows from the seed
//   simulated-process.ts   one process: its own clock, which may be wrong; it can freeze and crash
//   database.ts, stores/   the documents, and what a process sees of them: a file that several processes share, as a model or a
//                          real SQLite file, or a service across a network that loses, delays and refuses
//   world.ts               real gateways (createGateway) on those processes and stores
//   client.ts              sessions (../history/client.ts) that write and read through the gateways, and record it
//   scenario.ts            what happens in a run, drawn from its seed
//   ../history/            judges the recorded history; it knows nothing of all this
//
// Gateways are the product itself. They know nothing of the simulation but the clock and the store that they are handed.
// In the end all faults stop, gateways that crashed are started again, and the feed gets time to drain. Then what is stored
// must agree with everything that clients were told, and `check` must find nothing.

import { checkStore } from '../../src/evolve/check/check-store.ts'
import type { Store } from '../../src/store/store.ts'
import { Random } from '../hostile/random.ts'
import { authors, books, first, registers } from '../history/documents.ts'
import { checkHistory } from '../history/check-history.ts'
import type { Finding } from '../history/finding.ts'
import { History } from '../history/history.ts'
import { simulatedClient } from './client.ts'
import { disturb, heal } from './disturbances.ts'
import { runOtherProgram } from './other-program.ts'
import { drawScenario, type Scenario, type ScenarioLimits } from './scenario.ts'
import { NeverEnds } from './scheduler.ts'
import { declaration } from './schema.ts'
import { subscribeTo } from './subscriber.ts'
import { World, type Planted } from './world.ts'

export interface SimulationOptions extends ScenarioLimits {
  readonly planted?: Planted
  /** Collects a line for everything that happens. */
  readonly trace?: string[]
}

export interface Run {
  readonly scenario: Scenario
  readonly findings: readonly Finding[]
  readonly reads: number
  readonly writes: number
  readonly virtualMs: number
}

/** How long everything may take to come to rest: leases expire, gateways look at the feed again. */
const restMs = 15_000
const maxRests = 12

export async function simulate(seed: number, { planted = {}, trace, ...limits }: SimulationOptions = {}): Promise<Run> {
  const scenario = drawScenario(seed, limits)
  const world = new World(scenario, seed, planted, trace)
  const history = new History(new Map(registers.map((register) => [register, first])))
  try {
    const findings = [...(await ended(world, live(world, history, seed))), ...checkHistory(history)]
    for (const { check, message } of findings) world.note(`FOUND ${check}: ${message}`)
    return { scenario, findings, reads: history.reads.length, writes: history.writes.length, virtualMs: world.scheduler.nowMs }
  } finally {
    await world.database.close()
  }
}

/** What is wrong in the end, or that there is no end. */
async function ended(world: World, living: Promise<string[]>): Promise<Finding[]> {
  const found = (check: string, message: string): Finding => ({ check, message, atMs: world.scheduler.nowMs })
  try {
    return (await world.scheduler.run(living)).map((message) => found('drift', message))
  } catch (error) {
    if (error instanceof NeverEnds) return [found('does not end', error.message)]
    throw error
  }
}

async function live(world: World, history: History, seed: number): Promise<string[]> {
  const { scenario } = world
  const over = new AbortController()
  const store = await world.database.inspect(declaration.layout)
  await fill(store)
  await world.startAll()
  const clients = Array.from({ length: scenario.clients }, (_, at) => simulatedClient(`c${at + 1}`, world, history, new Random('client', at, seed)))
  // Only what Quire writes is in the feed.
  const subscribers = scenario.faults.has('other programs') ? 0 : scenario.subscribers
  for (let at = 0; at < subscribers; at++) void subscribeTo(world, history, `s${at + 1}`, over.signal)
  const working = Promise.all([...clients.map((client) => client.work(scenario.operations)), runOtherProgram(world, history, new Random('program', seed))])
  await disturb(world, working, new Random('faults', seed))
  await heal(world)
  const drifted = await rest(world, store)
  for (let reads = 0; reads < 3; reads++) await clients[0]!.read()
  history.final = await finalState(store)
  over.abort()
  await world.scheduler.sleep(1)
  return drifted
}

/** The documents before the first write, with their effects. */
async function fill(store: Store): Promise<void> {
  const write = async (container: string, id: string, body: object): Promise<void> => void (await store.write([{ kind: 'put', container, key: { partition: [id], id }, body: { ...body, id } }]))
  for (const id of authors) await write('authors', id, { name: first, motto: first, note: first, books, countOfBooks: books.length })
  for (const id of books) await write('books', id, { title: first, authors: authors.map((author) => ({ id: author, name: first, motto: first })) })
}

/** What `check` still finds when everything has had enough time. */
async function rest(world: World, store: Store): Promise<string[]> {
  let found: string[] = []
  for (let rests = 0; rests < maxRests; rests++) {
    await world.scheduler.sleep(restMs)
    found = (await Array.fromAsync(checkStore(declaration, store))).map((finding) => JSON.stringify(finding))
    if (found.length === 0) break
  }
  return found
}

async function finalState(store: Store): Promise<NonNullable<History['final']>> {
  const [writers, titles] = await Promise.all([store.readMany('authors', authors.map(keyOf)), store.readMany('books', books.map(keyOf))])
  const all = await store.query({ container: 'books', orderBy: { path: ['id'], descending: false }, limit: 1000 })
  return {
    registers: new Map([
      ...writers.flatMap((found): [string, string][] => [[found!.key.id, String(found!.body['name'])], [`${found!.key.id}.note`, String(found!.body['note'])]]),
      ...titles.map((found): [string, string] => [`${found!.key.id}.title`, String(found!.body['title'])]),
    ]),
    sets: new Map([['books', new Set(all.map(({ key }) => key.id))]]),
  }
}

const keyOf = (id: string) => ({ partition: [id], id })
