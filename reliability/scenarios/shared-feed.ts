// Several gateways on one change feed of sixteen physical partitions, and one of them killed. Each change has one effect elsewhere, and every
// request takes a while, as it does over a network, so a gateway carries so many changes a second and no more. The rate has to grow with the
// gateways, each effect has to be written once, and the parts of the killed one have to be taken over.

import { setTimeout as pause } from 'node:timers/promises'
import { startCosmosEmulator, type CosmosEmulator } from '../../src/emulator/cosmos-emulator.ts'
import { checkStore } from '../../src/evolve/check/check-store.ts'
import { Propagator } from '../../src/feed/propagator.ts'
import { createGateway } from '../../src/gateway.ts'
import { readSdl } from '../../src/model/sdl/read-sdl.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { openCosmosStore } from '../../src/store/cosmos/cosmos-store.ts'
import type { Store } from '../../src/store/store.ts'
import { bulletList, progress, type Outcome, type Scenario } from '../scenario.ts'

/** `gateways` are the numbers of gateways, one run each. */
export const defaults = { gateways: '1,2,4,8', changes: 400, latencyMs: 20, leaseMs: 6000 }
export const run: Scenario<typeof defaults>['run'] = sharedFeed

const typeDefs = `
  type Keeper @document(container: "keepers", partitionKey: "/id") { id: ID! name: String! }
  type Beast @document(container: "beasts", partitionKey: "/id") { id: ID! keeper: Keeper @snapshot(at: "keeper", fields: ["name"]) }
`
const declaration = readDeclaration(readSdl(typeDefs))
const partitions = 16

async function sharedFeed({ gateways, changes, latencyMs, leaseMs }: typeof defaults): Promise<Outcome> {
  const counts = gateways.split(',').map(Number)
  const lines: Record<string, string> = {}
  let held = true
  for (const count of counts) {
    const { perSecond, lagMs, repeated, findings } = await oneRun({ count, changes, latencyMs, leaseMs, kills: false })
    held &&= findings === 0 && repeated === 0
    lines[`${count} gateway${count > 1 ? 's' : ''}`] = `${perSecond.toFixed(1)} changes a second, the last of ${changes} arrived after ${(lagMs / 1000).toFixed(1)} s, ${repeated} effects written twice, ${findings} findings`
    progress(`${count}: ${lines[`${count} gateway${count > 1 ? 's' : ''}`]}`)
  }
  const most = Math.max(...counts)
  if (most > 1) {
    const { perSecond, lagMs, repeated, findings } = await oneRun({ count: most, changes, latencyMs, leaseMs, kills: true })
    held &&= findings === 0
    lines[`${most} gateways, one killed in the middle`] = `${perSecond.toFixed(1)} changes a second, the last of ${changes} arrived after ${(lagMs / 1000).toFixed(1)} s (leases last ${leaseMs / 1000} s), ${repeated} effects written twice, ${findings} findings`
  }
  return { held, figures: bulletList(lines) }
}

async function oneRun({ count, changes, latencyMs, leaseMs, kills }: { count: number; changes: number; latencyMs: number; leaseMs: number; kills: boolean }) {
  const emulator = await startCosmosEmulator({ partitions })
  const opened: Store[] = []
  try {
    const open = async (): Promise<Store> => {
      const store = await openCosmosStore({ endpoint: emulator.endpoint, key: emulator.key, database: 'zoo', create: true, limits: { deadlineMs: 60_000 } }, declaration.layout)
      opened.push(store)
      return store
    }
    const rename = await fill(await open(), changes)
    const stores = await Promise.all(Array.from({ length: count }, open))
    const followers = stores.map((store, at) => new Propagator(declaration, store, { owner: `gateway-${at}`, leaseMs }))
    await share(followers, leaseMs)
    await rename('new')
    emulator.faults.latencyMs = latencyMs
    emulator.clearLog()
    const startMs = performance.now()
    let lagMs = 0
    const isDone = (): boolean => effectsIn(emulator) >= changes
    await Promise.all(followers.map(async (follower, at) => {
      const dies = kills && at === 0
      // A killed gateway stops in the middle and gives nothing back; its parts wait until it is no longer registered.
      if (dies) void whenOver(() => effectsIn(emulator) > changes / 3).then(() => stores[0]!.close())
      while (!isDone()) {
        try {
          await follower.round()
        } catch (error) {
          if (dies) return
          throw error
        }
        await pause(50)
      }
      lagMs = Math.max(lagMs, performance.now() - startMs)
    }))
    emulator.faults.latencyMs = 0
    const written = effectsIn(emulator)
    for (const follower of kills ? followers.slice(1) : followers) await follower.round()
    const findings = await Array.fromAsync(checkStore(declaration, opened[0]!))
    return { perSecond: changes / (lagMs / 1000), lagMs, repeated: written - changes, findings: findings.length }
  } finally {
    for (const store of opened) await store.close()
    await emulator.close()
  }
}

/** Keepers with a beast each, and what renames all of them. */
async function fill(store: Store, changes: number): Promise<(name: string) => Promise<void>> {
  const gateway = await createGateway({ typeDefs, store: async () => store, development: true, propagates: false, freshness: () => ({ boundMs: Infinity, watermark: -Infinity }) })
  const send = async (query: string): Promise<void> => {
    const response = await gateway.fetch(new Request('http://quire/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) }))
    const { errors } = (await response.json()) as { errors?: { message: string }[] }
    if (errors) throw new Error(errors[0]!.message)
  }
  const all = Array.from({ length: changes }, (_, at) => at)
  const each = async (query: (at: number) => string): Promise<void> => {
    for (let at = 0; at < changes; at += 8) await Promise.all(all.slice(at, at + 8).map((one) => send(query(one))))
  }
  await each((at) => `mutation { createKeeper(input: { id: "k${at}", name: "old" }) { keeper { id } } }`)
  await each((at) => `mutation { createBeast(input: { id: "b${at}", keeperId: "k${at}" }) { beast { id } } }`)
  return (name) => each((at) => `mutation { updateKeeper(input: { id: "k${at}", name: "${name}" }) { keeper { id } } }`)
}

/** Until each follower has its share and there is nothing left to carry. */
async function share(followers: readonly Propagator[], leaseMs: number): Promise<void> {
  const untilMs = performance.now() + 4 * leaseMs
  const fair = Math.ceil(8 / followers.length)
  do {
    for (const follower of followers) await follower.round()
    await pause(leaseMs / 8)
  } while (performance.now() < untilMs && followers.some(({ lagsMs }) => lagsMs.size > fair || lagsMs.size === 0))
}

async function whenOver(isOver: () => boolean): Promise<void> {
  while (!isOver()) await pause(5)
}

/** How many beasts were written. */
function effectsIn({ log }: CosmosEmulator): number {
  return log.reduce((sum, { container, applied }) => sum + Number(container === 'beasts' && applied), 0)
}
