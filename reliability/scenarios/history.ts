// Four real gateways on one store, killed at random, some with wrong clocks, while sessions write, read and subscribe through all of them. The
// recorded history must be one that clients were promised: the checks are those of the simulation.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startCosmosEmulator } from '../../src/emulator/cosmos-emulator.ts'
import { missingTools } from '../durability/missing-tools.ts'
import { checkHistory } from '../history/check-history.ts'
import { Client, type Surroundings } from '../history/client.ts'
import { authors, books, first, registers } from '../history/documents.ts'
import { History } from '../history/history.ts'
import { RealGateways } from '../history/real-gateways.ts'
import { Subscriber } from '../history/subscriber.ts'
import { Random } from '../hostile/random.ts'
import { bulletList, firstFew, progress, type Outcome, type Scenario } from '../scenario.ts'

/** `setup` is one of the setups; all of them, one after the other, without it. Clocks are wrong by up to so many seconds. */
export const defaults = { minutes: 10, setup: '', seed: 1, clients: 8, clockSeconds: 5 }
export const run: Scenario<typeof defaults>['run'] = history

const setups: Readonly<Record<string, { readonly store: 'sqlite' | 'cosmos'; readonly effects: 'together' | 'feed' }>> = {
  'sqlite-together': { store: 'sqlite', effects: 'together' },
  'sqlite-feed': { store: 'sqlite', effects: 'feed' },
  'cosmos': { store: 'cosmos', effects: 'feed' },
}

const killEveryMs = 4000
const subscribers = 3
/** How long an event may take after everything has come to rest. */
const maxTellMs = 30_000
/** Leases of killed gateways last for half a minute. */
const maxRestMs = 90_000

async function history(options: typeof defaults): Promise<Outcome> {
  const missing = options.clockSeconds > 0 ? missingTools(['faketime']) : undefined
  if (missing) return { held: false, figures: `Not run: ${missing}.` }
  if (options.setup !== '' && !setups[options.setup]) return { held: false, figures: `Not run: there is no setup ${options.setup}. Choose one of ${Object.keys(setups).join(', ')}.` }
  const lines: Record<string, string> = {}
  let held = true
  for (const name of options.setup === '' ? Object.keys(setups) : [options.setup]) {
    const { reads, writes, told, kills, findings } = await runSetup(name, options)
    for (const line of firstFew(findings)) console.error(line)
    held &&= findings.length === 0 && reads > 0 && writes > 0 && told > 0
    lines[name] = `${writes.toLocaleString('en-US')} writes, ${reads.toLocaleString('en-US')} reads, ${told.toLocaleString('en-US')} events to ${subscribers} subscribers, ${kills} gateways killed, ${options.clockSeconds > 0 ? `clocks up to ${options.clockSeconds} s wrong, ` : ''}${options.minutes} minutes: ${findings.length} findings`
  }
  return { held, figures: bulletList(lines) }
}

async function runSetup(name: string, { minutes, seed, clients, clockSeconds }: typeof defaults): Promise<{ reads: number; writes: number; told: number; kills: number; findings: string[] }> {
  const { store, effects } = setups[name]!
  const folder = mkdtempSync(join(tmpdir(), 'quire-history-'))
  const cosmos = store === 'cosmos' ? await startCosmosEmulator() : undefined
  const where: Record<string, string> = cosmos ? { QUIRE_STORE: 'cosmos', COSMOS_ENDPOINT: cosmos.endpoint, COSMOS_KEY: cosmos.key } : { QUIRE_STORE: `sqlite:${join(folder, 'history.db')}` }
  const gateways = new RealGateways({ count: 4, env: { ...where, QUIRE_EFFECTS: effects }, aheadSeconds: [0, clockSeconds, -clockSeconds, 0] })
  const random = new Random('history', name, seed)
  const recorded = new History(new Map(registers.map((register) => [register, first])))
  try {
    await gateways.start()
    await fill(gateways, random)
    const stop = new AbortController()
    const killing = gateways.killUntil(stop.signal, new Random('kills', name, seed), killEveryMs)
    const over = new AbortController()
    const subscribing = Array.from({ length: subscribers }, (_, at) => gateways.subscribeUntil(over.signal, new Random('subscriber', at, seed), new Subscriber(`s${at + 1}`, recorded)))
    const untilMs = performance.now() + minutes * 60_000
    const working = Array.from({ length: clients }, async (_, at) => {
      const own = new Random('client', at, seed)
      const client = new Client(`c${at + 1}`, surroundings(gateways, own, name === 'sqlite-together'), recorded, own)
      while (performance.now() < untilMs) await client.work(5)
    })
    const telling = setInterval(() => {
      cosmos?.clearLog()
      progress(`${name}: ${recorded.writes.length} writes, ${recorded.reads.length} reads, ${gateways.kills} kills`)
    }, 10_000)
    await Promise.all(working)
    clearInterval(telling)
    stop.abort()
    await killing
    const drift = await rest(gateways, random)
    recorded.final = await finalState(gateways, random)
    // Events travel for a moment, and longer where a gateway has to be found first.
    for (const tellMs = performance.now() + maxTellMs; performance.now() < tellMs && checkHistory(recorded).some(({ check }) => check === 'missed event');) await pause(500)
    over.abort()
    await Promise.all(subscribing)
    const findings = [...drift, ...checkHistory(recorded).map(({ check, message }) => `${check}: ${message}`)]
    return { reads: recorded.reads.length, writes: recorded.writes.length, told: recorded.subscriptions.reduce((sum, { told }) => sum + told.length / 2, 0), kills: gateways.kills, findings }
  } finally {
    await gateways.stop()
    await cosmos?.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function surroundings(gateways: RealGateways, random: Random, hasCurrentSnapshots: boolean): Surroundings {
  return {
    nowMs: () => performance.now(),
    // Clients of a machine with few cores must leave some time to the gateways.
    sleep: (ms) => pause(Math.min(ms, 50)),
    async ask(query, headers) {
      const answer = await gateways.ask(random, query, headers)
      return answer && { ...answer, hasCurrentSnapshots }
    },
    note: () => undefined,
  }
}

async function fill(gateways: RealGateways, random: Random): Promise<void> {
  const ids = authors.map((id) => JSON.stringify(id)).join(', ')
  for (const id of authors) await expectData(gateways, random, `mutation { createAuthor(input: { id: "${id}", name: "${first}", motto: "${first}", note: "${first}" }) { author { id } } }`)
  for (const id of books) await expectData(gateways, random, `mutation { createBook(input: { id: "${id}", title: "${first}", authorIds: [${ids}] }) { book { id } } }`)
}

interface Stored {
  readonly authors: { readonly nodes: readonly { readonly id: string; readonly name: string; readonly note: string }[] }
  readonly books: { readonly nodes: readonly { readonly id: string; readonly title: string; readonly authors: readonly { readonly id: string; readonly name: string }[] }[]; readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null } }
}

/** What has not reached its snapshots when everything has had enough time. */
async function rest(gateways: RealGateways, random: Random): Promise<string[]> {
  const query = `{ authors { nodes { id name note } } books(first: 2) { nodes { id title authors @read(from: SNAPSHOT) { id name } } pageInfo { hasNextPage endCursor } } }`
  let drift: string[] = []
  for (const untilMs = performance.now() + maxRestMs; performance.now() < untilMs; await pause(1000)) {
    const found = (await expectData(gateways, random, query)) as unknown as Stored
    const names = new Map(found.authors.nodes.map(({ id, name }) => [id, name]))
    drift = found.books.nodes.flatMap((book) => book.authors.filter(({ id, name }) => names.get(id) !== name).map(({ id, name }) => `drift: ${book.id} has ${id} = ${name}, which is ${names.get(id)}`))
    if (drift.length === 0) return []
  }
  return drift
}

async function finalState(gateways: RealGateways, random: Random): Promise<NonNullable<History['final']>> {
  const values = new Map<string, string>()
  const members = new Set<string>()
  for (let after: string | null = null; ;) {
    const found = (await expectData(gateways, random, `{ authors { nodes { id name note } } books(first: 100${after === null ? '' : `, after: ${JSON.stringify(after)}`}) { nodes { id title authors @read(from: REFERENCE) { id name } } pageInfo { hasNextPage endCursor } } }`)) as unknown as Stored
    for (const { id, name, note } of found.authors.nodes) values.set(id, name).set(`${id}.note`, note)
    for (const { id, title } of found.books.nodes) {
      if (books.includes(id)) values.set(`${id}.title`, title)
      members.add(id)
    }
    after = found.books.pageInfo.endCursor
    if (!found.books.pageInfo.hasNextPage) return { registers: values, sets: new Map([['books', members]]) }
  }
}

/** Asks again after an error, such as a conflict. */
async function expectData(gateways: RealGateways, random: Random, query: string): Promise<Record<string, unknown>> {
  for (let tries = 0; ; tries++) {
    const answer = await gateways.ask(random, query, { 'quire-max-stale-ms': '0' })
    if (answer?.data && !answer.errors) return answer.data
    if (tries > 20) throw new Error(`No answer to ${query}: ${JSON.stringify(answer)}`)
    await pause(250)
  }
}
