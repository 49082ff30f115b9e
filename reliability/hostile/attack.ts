// Attacks one gateway: starts it, records its state, sends its share of hostile requests, and compares. Documents must be
// unchanged unless the attacker may write them, secrets must appear nowhere, and no viewer may have seen another's documents.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/config/config.ts'
import { readDeclaration, type Declaration } from '../../src/relations/declaration.ts'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import { startCosmosEmulator } from '../../src/emulator/cosmos-emulator.ts'
import { callerOf, nobody, sentBy, type Caller } from './callers.ts'
import { GatewayProcess } from './gateway-process.ts'
import { Issuer } from './issuer.ts'
import { openAdminGateway } from './admin-gateway.ts'
import { Random } from './random.ts'
import { SecretSearch, type Secret } from '../secret-search.ts'
import { cacheBytesIn, checked, cursorSecret, differences, insideProblems, type Insides, type Seen } from './evidence.ts'
import type { Findings } from './findings.ts'
import { asked, askedAs, posted, type Ask, type HostileClass } from './hostile-request.ts'
import type { Answer } from './http-answer.ts'
import { Judge } from './judge.ts'
import { markOthers, othersText, ownedTypes, rolesIn, type Asks } from './others-documents.ts'
import { ownIds, renew, deleteNew, targets } from './own-documents.ts'
import type { Profile } from './profiles.ts'
import { openWorld, seenDocuments, type World } from './world.ts'
import { Wire } from './wire.ts'

export interface AttackOptions {
  readonly profile: Profile
  readonly classes: readonly HostileClass[]
  readonly seed: string
  readonly requests: number
  /** Sends only this request and prints its answer. */
  readonly index?: number | undefined
  readonly findings: Findings
  readonly tell: (line: string) => void
}

export interface Attacked {
  readonly byClass: Record<string, number>
  readonly byStatus: Record<string, number>
  /** By the code of the first error, or `data`. */
  readonly byCode: Record<string, number>
  /** By sender. */
  readonly byCaller: Record<string, number>
  /** Documents that only their owners may read, and in how many of them the owners find their marker text. */
  readonly others: { readonly marked: number; readonly found: number }
  readonly slowest: { readonly ms: number; readonly class: string; readonly index: number }
  readonly inside: Insides
}

/** As many connections as a browser opens. */
const clients = 6
/** Requests between two times that deleted documents are created again. */
const renewEvery = 150
/** The share of requests that is repeated at the end: memory that grows then would grow every time. */
const repeated = 0.2

export async function attack(options: AttackOptions): Promise<Attacked> {
  const { profile, seed, findings } = options
  const folder = mkdtempSync(join(tmpdir(), 'quire-hostile-'))
  const key = Buffer.from(`canary key of the account ${seed}`).toString('base64')
  const cosmos = profile.store === 'cosmos' ? await startCosmosEmulator({ key, partitions: 1 }) : undefined
  const issuer = profile.who === 'tokens' ? await Issuer.open(folder, seed) : undefined
  const env: Record<string, string> = {
    ...profile.env,
    ...issuer?.env,
    QUIRE_STORE: profile.store === 'sqlite' ? `sqlite:${join(folder, 'documents.db')}` : profile.store,
    ...(cosmos ? { COSMOS_ENDPOINT: cosmos.endpoint, COSMOS_KEY: key } : {}),
    ...(profile.env['QUIRE_RECORD'] ? { QUIRE_RECORD: join(folder, profile.env['QUIRE_RECORD']) } : {}),
  }
  const gateway = await GatewayProcess.start({ env, ...(profile.args ? { args: profile.args } : {}) })
  const admin = profile.who === 'nobody' ? await openAdminGateway(env) : undefined
  const problem = (what: string, answer = ''): void => findings.add('afterwards', what, { profile: profile.name, index: 0, request: Buffer.alloc(0), answer })
  const known = [...(cosmos ? [{ name: 'key of the account', text: key }] : []), ...(issuer ? [issuer.secret] : [])]
  try {
    return await attackProcess({ ...options, gateway, issuer, admin: admin?.ask, env, folder, problem, known })
  } finally {
    await admin?.close()
    await gateway.stop()
    await cosmos?.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Started extends AttackOptions {
  readonly gateway: GatewayProcess
  readonly issuer: Issuer | undefined
  /** Used where no token grants full access. */
  readonly admin: Ask | undefined
  readonly env: Record<string, string>
  readonly folder: string
  readonly problem: (what: string, answer?: string) => void
  /** Secrets in its settings. */
  readonly known: readonly Secret[]
}

async function attackProcess(started: Started): Promise<Attacked> {
  const { profile, classes, seed, requests, index: only, findings, tell, gateway, env, folder, problem, known } = started
  const wire = new Wire(gateway.port)
  const { world, own, asks, askFor, others } = await begin(started, wire)
  if (others.found < others.marked) problem(`only in ${others.found} of ${others.marked} documents their owners find what nobody else should`)
  const documents = await seenDocuments(world.schema, asks.admin)
  if (profile.writes) await renew(world, own, askFor)
  const secrets = [...Object.values(world.sent), ...known, ...(world.tokens ? [{ name: 'signature of a token', text: world.tokens.mallory.split('.')[2]! }] : []), others.text, ...(await cursorSecret(env))]
  const judge = new Judge(new SecretSearch(secrets), [folder, join(import.meta.dirname, '../..')])
  const suitable = classes.filter(({ suits }) => suits?.(profile) ?? true)
  const tally = { byClass: {}, byStatus: {}, byCode: {}, byCaller: {}, slowest: { ms: 0, class: '', index: 0 } }

  const one = async (index: number, wired: Wire): Promise<void> => {
    const random = new Random(seed, profile.name, index)
    const { name, make } = weighted(suitable, random)
    const made = make(random, world)
    const caller = made.broken === undefined ? callerOf(random, world) : nobody
    const hostile = sentBy(caller, made)
    const answers = await wired.send(hostile)
    const [first] = answers
    add(tally.byClass, name)
    add(tally.byStatus, String(first?.status ?? 'closed'))
    add(tally.byCaller, hostile.broken !== undefined ? 'a broken token' : hostile !== made && caller.known ? 'somebody' : 'nobody')
    if (first) add(tally.byCode, `${name}: ${codeIn(first)}`)
    if (first && first.ms > tally.slowest.ms) tally.slowest = { ms: first.ms, class: name, index }
    const text = answers.map(answerText).join('\n')
    const problems = [...judge.problems(hostile, answers), ...(first && hostile.afterwards ? await hostile.afterwards(first, askOver(wired, caller)) : [])]
    for (const each of problems) findings.add(name, each, { profile: profile.name, index, request: hostile.bytes, answer: text })
    if (only !== undefined) tell(`${name}, ${index}:\n${hostile.bytes.toString()}\n${text}`)
  }

  /** Sends the requests of a range of numbers, from several clients at once. */
  const rush = async (from: number, to: number): Promise<Seen> => {
    let next = from
    await Promise.all(Array.from({ length: clients }, async () => {
      const wired = new Wire(gateway.port)
      while (next < to && !gateway.ended) {
        const index = next++
        if (profile.writes && index % renewEvery === renewEvery - 1) await renew(world, own, askFor)
        await one(index, wired)
      }
      wired.close()
    }))
    return look()
  }

  const metricsOf = async (): Promise<string> => (gateway.ended ? '' : ((await wire.send(asked('GET', '/metrics', {})))[0]?.body ?? ''))
  const look = async (): Promise<Seen> => {
    const cacheBytes = cacheBytesIn(await metricsOf())
    return gateway.ended ? nothing : { ...(await gateway.inside()), cacheBytes }
  }

  const again = only === undefined ? Math.floor(requests * repeated) : 0
  const before = await look()
  const once = only === undefined ? await rush(0, requests - again) : await rush(only, only + 1)
  const twice = await rush(requests - 2 * again, requests - again)
  const inside = { before, once, twice }
  for (const each of insideProblems(inside)) problem(each)
  if (gateway.ended) problem('the gateway has ended', gateway.written.slice(-2000))
  else {
    try {
      if (profile.writes) await deleteNew(world, documents, asks.admin)
      for (const line of differences(documents, await seenDocuments(world.schema, asks.admin))) problem(line)
    } catch (error) {
      problem(`what is stored cannot be read any more: ${(error as Error).message.slice(0, 300)}`)
    }
  }
  const metrics = await metricsOf()
  wire.close()
  await gateway.stop()
  const written = { 'the log': gateway.written, metrics, 'the recorded workload': env['QUIRE_RECORD'] ? readFileSync(env['QUIRE_RECORD'], 'utf8') : '' }
  const searcher = new SecretSearch([...secrets, world.value])
  for (const [where, text] of Object.entries(written)) for (const { secret, as, after: behind } of searcher.leaksIn(where, text)) problem(`${where}: the ${secret} is in it (${as})`, behind)
  for (const line of await checked(env)) problem(line)
  return { ...tally, others, inside }
}

/** Placeholder for a process that has ended. */
const nothing: Seen = { heapBytes: 0, residentBytes: 0, residentBeforeBytes: 0, cacheBytes: 0, prototypes: [] }

/** A viewer who owns documents. */
const mallory = 'mallory'

interface Begun {
  readonly world: World
  /** Documents that the attack may change. */
  readonly own: World['ids']
  readonly asks: Asks
  /** Creates them. */
  readonly askFor: (type: string) => Ask
  readonly others: Attacked['others'] & { readonly text: Secret }
}

/** What the attacker knows, and what the attacker must not find out. */
async function begin({ profile, seed, env, issuer, admin }: Started, wire: Wire): Promise<Begun> {
  const { typeDefs, derive } = await readSchemaFolder(readConfig(env).schemaFolder)
  const declaration = readDeclaration(typeDefs, derive)
  const owned = profile.who === 'everyone' ? [] : ownedTypes(declaration.model)
  const asks = await asksOf(declaration, wire, issuer, admin)
  const tokens = issuer && { mallory: await issuer.token(mallory), broken: await issuer.broken(adminName, rolesIn(declaration.model)) }
  const world = await openWorld({ declaration, ask: asks.admin, seed, tokens, owned: owned.map(({ type }) => type) })
  const text = othersText()
  const others = { ...(await markOthers(world, owned, text, asks)), text }
  const own = ownIds(world, owned, mallory)
  const malloryAsk = await asks.as(mallory)
  return {
    own, asks, others,
    askFor: (type) => (world.owned.includes(type) ? malloryAsk : asks.admin),
    world: profile.writes ? { ...world, ids: targets(own, world.ids, world.owned) } : world,
  }
}

const adminName = 'admin'

/** Without authentication all requests are alike. */
async function asksOf({ model }: Declaration, wire: Wire, issuer: Issuer | undefined, admin: Ask | undefined): Promise<Asks> {
  if (!issuer) return { admin: admin ?? askOver(wire), as: async () => admin ?? askOver(wire) }
  const as = async (id: string, roles: readonly string[] = []): Promise<Ask> => askOver(wire, { header: `authorization: Bearer ${await issuer.token(id, roles)}` })
  return { admin: await as(adminName, rolesIn(model)), as: (id) => as(id) }
}

function askOver(wire: Wire, { header }: Caller = nobody): Ask {
  return async (query, variables) => {
    const plain = posted(JSON.stringify({ query, variables }))
    const [answer] = await wire.send(header === undefined ? plain : askedAs(plain, header)!)
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

function answerText({ status, headers, body }: Answer): string {
  return `${status} ${headers['content-type'] ?? ''} ${body.slice(0, 2000)}`
}
