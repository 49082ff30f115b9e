// One gateway under attack: it is started, looked at, sent its share of hostile requests, and looked at again. What was
// not meant to be written must be as it was, and what was sent in secret must be nowhere.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'
import { readDeclaration } from '../../src/declaration.ts'
import { openDomain, type Domain } from '../../src/domain.ts'
import { startCosmosServer } from '../../test/cosmos/server/server.ts'
import { GatewayProcess } from './gateway-process.ts'
import type { Inside } from './inside.ts'
import { Random } from './random.ts'
import { Searcher, type Secret } from './secrets.ts'
import { checked, cursorSecret, differences, insideProblems } from './evidence.ts'
import type { Findings } from './findings.ts'
import { asked, posted, type Ask, type Hostile, type HostileClass } from './hostile-request.ts'
import type { Answer } from './http-answer.ts'
import { Judge } from './judge.ts'
import { ownIds, renew, takeAway } from './own-documents.ts'
import type { Profile } from './profiles.ts'
import { openWorld, seenDocuments, type World } from './world.ts'
import { Wire } from './wire.ts'

export interface AttackOptions {
  readonly profile: Profile
  readonly classes: readonly HostileClass[]
  readonly seed: string
  readonly requests: number
  /** Only this one, and its answer printed. */
  readonly index?: number | undefined
  readonly findings: Findings
  readonly tell: (line: string) => void
}

export interface Attacked {
  readonly byClass: Record<string, number>
  readonly byStatus: Record<string, number>
  /** By the code of the first error, or that there was none. */
  readonly byCode: Record<string, number>
  readonly slowest: { readonly ms: number; readonly class: string; readonly index: number }
  readonly before: Inside
  readonly after: Inside
}

/** As many as a browser would open. */
const clients = 6
/** How many requests may go by until what was deleted is there again. */
const renewEvery = 150

export async function attack(options: AttackOptions): Promise<Attacked> {
  const { profile, seed, findings } = options
  const folder = mkdtempSync(join(tmpdir(), 'quire-hostile-'))
  const key = Buffer.from(`canary key of the account ${seed}`).toString('base64')
  const cosmos = profile.store === 'cosmos' ? await startCosmosServer({ key, partitions: 1 }) : undefined
  const env: Record<string, string> = {
    ...profile.env,
    QUIRE_STORE: profile.store === 'sqlite' ? `sqlite:${join(folder, 'documents.db')}` : profile.store,
    ...(cosmos ? { COSMOS_ENDPOINT: cosmos.endpoint, COSMOS_KEY: key } : {}),
    ...(profile.env['QUIRE_RECORD'] ? { QUIRE_RECORD: join(folder, profile.env['QUIRE_RECORD']) } : {}),
  }
  const gateway = await GatewayProcess.start({ env, ...(profile.args ? { args: profile.args } : {}) })
  const problem = (what: string, answer = ''): void => findings.add('afterwards', what, { profile: profile.name, index: 0, request: Buffer.alloc(0), answer })
  try {
    return await attackProcess({ ...options, gateway, env, folder, problem, known: cosmos ? [{ name: 'key of the account', text: key }] : [] })
  } finally {
    await gateway.stop()
    await cosmos?.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Started extends AttackOptions {
  readonly gateway: GatewayProcess
  readonly env: Record<string, string>
  readonly folder: string
  readonly problem: (what: string, answer?: string) => void
  /** Secrets that it was started with. */
  readonly known: readonly Secret[]
}

async function attackProcess({ profile, classes, seed, requests, index: only, findings, tell, gateway, env, folder, problem, known }: Started): Promise<Attacked> {
  const wire = new Wire(gateway.port)
  const ask = askOver(wire)
  const world = await begin(await openDomain(readConfig(env)), ask, seed, profile.writes)
  const documents = await seenDocuments(world.schema, ask)
  if (profile.writes) await renew(world, ask)
  const secrets = [...Object.values(world.sent), ...known, ...(await cursorSecret(env))]
  const judge = new Judge(new Searcher(secrets), [folder, join(import.meta.dirname, '../..')])
  const suitable = classes.filter(({ writes }) => profile.writes || !writes)
  const tally = { byClass: {}, byStatus: {}, byCode: {}, slowest: { ms: 0, class: '', index: 0 } }

  const one = async (index: number, wired: Wire): Promise<void> => {
    const random = new Random(seed, profile.name, index)
    const { name, make } = weighted(suitable, random)
    const hostile = withSecrets(make(random, world), random, world)
    const answers = await wired.send(hostile)
    const [first] = answers
    add(tally.byClass, name)
    add(tally.byStatus, String(first?.status ?? 'closed'))
    if (first) add(tally.byCode, `${name}: ${codeIn(first)}`)
    if (first && first.ms > tally.slowest.ms) tally.slowest = { ms: first.ms, class: name, index }
    const text = answers.map(answerText).join('\n')
    const problems = [...judge.problems(hostile, answers), ...(first && hostile.afterwards ? await hostile.afterwards(first, askOver(wired)) : [])]
    for (const each of problems) findings.add(name, each, { profile: profile.name, index, request: hostile.bytes, answer: text })
    if (only !== undefined) tell(`${name}, ${index}:\n${hostile.bytes.toString()}\n${text}`)
  }

  /** All requests from one number to another, by several clients at once. */
  const rush = async (from: number, to: number): Promise<Inside> => {
    let next = from
    await Promise.all(Array.from({ length: clients }, async () => {
      const wired = new Wire(gateway.port)
      while (next < to && !gateway.ended) {
        const index = next++
        if (profile.writes && index % renewEvery === renewEvery - 1) await renew(world, askOver(wired))
        await one(index, wired)
      }
      wired.close()
    }))
    return gateway.ended ? nothing : gateway.inside()
  }

  const before = await gateway.inside()
  const middle = only === undefined ? await rush(0, Math.floor(requests / 2)) : before
  const after = only === undefined ? await rush(Math.floor(requests / 2), requests) : await rush(only, only + 1)
  for (const each of insideProblems(before, middle, after, requests)) problem(each)
  if (gateway.ended) problem('the gateway has ended', gateway.written.slice(-2000))
  else {
    try {
      if (profile.writes) await takeAway(world, documents, ask)
      for (const line of differences(documents, await seenDocuments(world.schema, ask))) problem(line)
    } catch (error) {
      problem(`what is stored cannot be read any more: ${(error as Error).message.slice(0, 300)}`)
    }
  }
  const [metrics] = gateway.ended ? [] : await wire.send(asked('GET', '/metrics', {}))
  wire.close()
  await gateway.stop()
  const written = { 'the log': gateway.written, metrics: metrics?.body ?? '', 'the recorded workload': env['QUIRE_RECORD'] ? readFileSync(env['QUIRE_RECORD'], 'utf8') : '' }
  const searcher = new Searcher([...secrets, world.value])
  for (const [where, text] of Object.entries(written)) for (const { secret, as, after: behind } of searcher.leaksIn(where, text)) problem(`${where}: the ${secret} is in it (${as})`, behind)
  for (const line of await checked(env)) problem(line)
  return { ...tally, before, after }
}

/** Of a process that is no more. */
const nothing: Inside = { heapBytes: 0, residentBytes: 0, prototypes: [] }

/** What whoever attacks knows. Where writes are open, all that is aimed at a document is aimed at one that may be hurt. */
async function begin({ typeDefs, derive }: Domain, ask: Ask, seed: string, writes: boolean): Promise<World> {
  const world = await openWorld({ declaration: readDeclaration(typeDefs, derive), ask, seed, writes })
  return writes ? { ...world, ids: ownIds(world) } : world
}

function askOver(wire: Wire): Ask {
  return async (query, variables) => {
    const [answer] = await wire.send(posted(JSON.stringify({ query, variables })))
    return JSON.parse(answer?.body ?? '{}') as Awaited<ReturnType<Ask>>
  }
}

function codeIn({ body }: Answer): string {
  return /"code":"([A-Z_]+)"/.exec(body)?.[1] ?? (body.startsWith('{"data":') ? 'data' : 'neither data nor a code')
}

function add(tally: Record<string, number>, name: string): void {
  tally[name] = (tally[name] ?? 0) + 1
}

function weighted(classes: readonly HostileClass[], random: Random): HostileClass {
  let left = random.next() * classes.reduce((sum, { weight }) => sum + weight, 0)
  return classes.find(({ weight }) => (left -= weight) < 0) ?? classes[0]!
}

/** Every tenth says who it is, in ways that nobody may write down. */
function withSecrets(hostile: Hostile, random: Random, { sent }: World): Hostile {
  const line = 'HTTP/1.1\r\nhost: 127.0.0.1\r\n'
  const at = hostile.bytes.indexOf(line)
  if (at < 0 || !random.chance(0.1)) return hostile
  const header = random.pick([`authorization: Bearer ${sent.authorization.text}`, `authorization: Basic ${Buffer.from(`user:${sent.password.text}`).toString('base64')}`, `cookie: session=${sent.cookie.text}`, `x-api-key: ${sent.authorization.text}`])
  return { ...hostile, bytes: Buffer.concat([hostile.bytes.subarray(0, at + line.length), Buffer.from(`${header}\r\n`), hostile.bytes.subarray(at + line.length)]) }
}

function answerText({ status, headers, body }: Answer): string {
  return `${status} ${headers['content-type'] ?? ''} ${body.slice(0, 2000)}`
}
