// What a simulated client has around it: virtual time, and a network to whichever gateway the load balancer picks.

import type { Random } from '../hostile/random.ts'
import { Client, type Answer, type Received, type Surroundings } from '../history/client.ts'
import type { History } from '../history/history.ts'
import type { Running, World } from './world.ts'

const timeoutMs = 60_000

export function simulatedClient(name: string, world: World, history: History, random: Random): Client {
  return new Client(name, surroundings(world, random), history, random)
}

function surroundings(world: World, random: Random): Surroundings {
  const { scheduler, scenario } = world
  // Often so short that a write and the next read share a millisecond.
  const travelMs = (): number => random.next() * (random.chance(0.5) ? 0.05 : 1)
  const send = async (running: Running, query: string, headers: Record<string, string>): Promise<Received> => {
    const { process } = running
    await process.wait(travelMs())
    running.requests++
    const response = await running.gateway!.fetch('http://simulated/graphql', { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify({ query }) })
    const answer = (await response.json()) as Answer
    running.requests--
    await process.wait(travelMs())
    if (scenario.faults.has('lost answers') && random.chance(0.05)) return new Promise(() => undefined)
    return { ...answer, session: response.headers.get('quire-session'), hasCurrentSnapshots: running.effects === 'together' }
  }
  return {
    nowMs: () => scheduler.nowMs,
    sleep: (ms) => scheduler.sleep(ms),
    async ask(query, headers) {
      const listening = world.running.filter(({ gateway, isLeaving }) => gateway && !isLeaving)
      if (listening.length === 0) return undefined
      return Promise.race([scheduler.sleep(timeoutMs).then(() => undefined), send(random.pick(listening), query, headers)])
    },
    note: (line) => world.note(line),
  }
}
