// One gateway under attack: it is started, looked at, sent its share of hostile requests, and looked at again. What was
// not meant to be written must be as it was, and what was sent in secret must be nowhere.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkStore } from '../../src/check/check-store.ts'
import { openStored } from '../../src/cli/open-stored.ts'
import { readConfig } from '../../src/config.ts'
import { readDeclaration } from '../../src/declaration.ts'
import { openDomain } from '../../src/domain.ts'
import { ownContainer, ownKey } from '../../src/own-container.ts'
import { startCosmosServer } from '../../test/cosmos/server/server.ts'
import { GatewayProcess } from '../gateway-process.ts'
import type { Inside } from '../inside.ts'
import { Random } from '../random.ts'
import { Searcher, type Secret } from '../secrets.ts'
import type { Findings } from './findings.ts'
import { posted, type Ask, type Hostile, type HostileClass } from './hostile-request.ts'
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

export async function attack({ profile, classes, seed, requests, index: only, findings, tell }: AttackOptions): Promise<Attacked> {
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
  const wire = new Wire(gateway.port)
  const problem = (what: string, answer = ''): void => findings.add('afterwards', what, { profile: profile.name, index: 0, request: Buffer.alloc(0), answer })
  try {
    const ask: Ask = async (query, variables) => {
      const [answer] = await wire.send(posted(JSON.stringify({ query, variables })))
      return JSON.parse(answer?.body ?? '{}') as Awaited<ReturnType<Ask>>
    }
    const config = readConfig(env)
    const { typeDefs, derive } = await openDomain(config)
    const declaration = readDeclaration(typeDefs, derive)
    const known = await openWorld({ declaration, ask, seed, writes: profile.writes })
    const world: World = profile.writes ? { ...known, ids: ownIds(known) } : known
    const documents = await seenDocuments(world.schema, ask)
    const secrets = [...Object.values(world.sent), ...(cosmos ? [{ name: 'key of the account', text: key }] : []), ...(await cursorSecret(env))]
    const judge = new Judge(new Searcher(secrets), [folder, join(import.meta.dirname, '../..')])
    if (profile.writes) await renew(world, ask)
    const before = await gateway.inside()

    const tally = { byClass: {} as Record<string, number>, byStatus: {} as Record<string, number>, byCode: {} as Record<string, number>, slowest: { ms: 0, class: '', index: 0 } }
    const suitable = classes.filter(({ writes }) => profile.writes || !writes)
    const one = async (index: number, wired: Wire, asking: Ask): Promise<void> => {
      const random = new Random(seed, profile.name, index)
      const { name, make } = weighted(suitable, random)
      const hostile = withSecrets(make(random, world), random, world)
      const answers = await wired.send(hostile)
      add(tally.byClass, name)
      for (const { status, ms, body } of answers.slice(0, 1)) {
        add(tally.byStatus, String(status))
        add(tally.byCode, `${name}: ${/"code":"([A-Z_]+)"/.exec(body)?.[1] ?? (body.startsWith('{"data":') ? 'data' : 'neither data nor a code')}`)
        if (ms > tally.slowest.ms) tally.slowest = { ms, class: name, index }
      }
      if (answers.length === 0) add(tally.byStatus, 'closed')
      const problems = [...judge.problems(hostile, answers), ...(answers[0] && hostile.then ? await hostile.then(answers[0], asking) : [])]
      for (const each of problems) findings.add(name, each, { profile: profile.name, index, request: hostile.bytes, answer: answers.map(answerText).join('\n') })
      if (only !== undefined) tell(`${name}, ${index}:\n${hostile.bytes.toString()}\n${answers.map(answerText).join('\n')}`)
    }

    let next = only ?? 0
    const end = only === undefined ? requests : only + 1
    const work = async (): Promise<void> => {
      const wired = new Wire(gateway.port)
      const asking: Ask = async (query, variables) => JSON.parse((await wired.send(posted(JSON.stringify({ query, variables }))))[0]?.body ?? '{}') as Awaited<ReturnType<Ask>>
      while (next < end && !gateway.ended) {
        const index = next++
        if (profile.writes && index % renewEvery === renewEvery - 1) await renew(world, asking)
        await one(index, wired, asking)
      }
      wired.close()
    }
    await Promise.all(Array.from({ length: clients }, work))

    if (gateway.ended) problem('the gateway has ended', gateway.written.slice(-2000))
    else {
      if (profile.writes) await takeAway(world, documents, ask)
      for (const line of differences(documents, await seenDocuments(world.schema, ask))) problem(line)
    }
    const metrics = gateway.ended ? [] : await wire.send({ ...posted(''), bytes: Buffer.from('GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n') })
    const after = gateway.ended ? before : await gateway.inside()
    const added = after.prototypes.filter((name) => !before.prototypes.includes(name))
    if (added.length > 0) problem(`prototypes have something new: ${added.join(', ')}`)
    await gateway.stop()
    const everywhere = [['the log', gateway.written], ['metrics', metrics[0]?.body ?? ''], ['the recorded workload', env['QUIRE_RECORD'] ? readFileSync(env['QUIRE_RECORD'], 'utf8') : '']] as const
    const all: Secret[] = [...secrets, world.value]
    for (const [where, text] of everywhere) for (const leak of new Searcher(all).leaksIn(where, text)) problem(`${where}: the ${leak.secret} is in it (${leak.as})`, leak.after)
    if (profile.store !== 'memory') for (const line of await check(env)) problem(`check: ${line}`)
    return { ...tally, before, after }
  } finally {
    wire.close()
    await gateway.stop()
    await cosmos?.close()
    rmSync(folder, { recursive: true, force: true })
  }
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

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [
    ...[...before].flatMap(([name, text]) => (after.get(name) === text ? [] : [`${name} is ${after.has(name) ? 'not as it was' : 'gone'}`])),
    ...[...after.keys()].filter((name) => !before.has(name)).map((name) => `${name} is new`),
  ].slice(0, 10)
}

/** The one secret that a gateway makes itself. A store in memory cannot be looked at from here. */
async function cursorSecret(env: Record<string, string>): Promise<Secret[]> {
  if (env['QUIRE_STORE'] === 'memory') return []
  const { store } = await openStored(env)
  const [kept] = await store.readMany(ownContainer, [ownKey('cursor-secret')])
  await store.close()
  return kept ? [{ name: 'secret of the cursors', text: kept.body['secret'] as string }] : []
}

async function check(env: Record<string, string>): Promise<string[]> {
  const { declaration, store } = await openStored(env)
  try {
    return await Array.fromAsync(checkStore(declaration, store), ({ sentence }) => sentence)
  } finally {
    await store.close()
  }
}
