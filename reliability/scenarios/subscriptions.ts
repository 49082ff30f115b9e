// A thousand subscriptions beside other clients: every subscriber is told of a change in time, /health answers in time meanwhile, and
// subscribers that read nothing cost little memory.

import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { quantile } from '../../bench/statistics.ts'
import type { Server } from '../../bench/servers/start-server.ts'
import { Probe } from '../load/probe.ts'
import { Subscribers } from '../load/subscribers.ts'
import { outcome, progress, type Outcome } from '../scenario.ts'
import { startLibrary } from '../servers/start-library.ts'

const maxToldMs = 100
const maxHealthMs = 50
const maxGrownMb = 250

export const defaults = { subscriptions: 1000, seconds: 10 }

export async function run({ subscriptions, seconds }: typeof defaults): Promise<Outcome> {
  const env = { QUIRE_MOST_SUBSCRIPTIONS: String(subscriptions), QUIRE_MOST_SUBSCRIPTIONS_PER_CALLER: String(subscriptions) }
  // One change a second: each is told apart. Then more than one for each look at the change feed.
  const single = await told(env, subscriptions, 1, seconds)
  const many = await told(env, subscriptions, 40, seconds)
  const slow = await unread(env, subscriptions, 10, seconds)
  return outcome({
    lines: [
      `${subscriptions} subscriptions, one change a second: all were told within ${single.toldMs} ms of its answer (at most ${maxToldMs}; p50 ${single.toldP50Ms}), /health p99 ${single.healthP99Ms} ms (at most ${maxHealthMs}), max ${single.healthMaxMs}.`,
      `${subscriptions} subscriptions, 40 changes a second (${many.changes} made): the latest was told to all within ${many.toldMs} ms, writes took ${many.writeP50Ms} ms (p99 ${many.writeP99Ms}), /health p99 ${many.healthP99Ms} ms (at most ${maxHealthMs}), max ${many.healthMaxMs}.`,
      `${subscriptions} subscribers that read nothing, 10 changes a second: memory grew by ${slow.grownMb} MB (at most ${maxGrownMb}), /health p99 ${slow.healthP99Ms} ms, max ${slow.healthMaxMs}.`,
    ],
    data: { single, many, slow },
    holds: single.toldMs <= maxToldMs && single.healthP99Ms <= maxHealthMs && many.healthP99Ms <= maxHealthMs && slow.healthP99Ms <= maxHealthMs && slow.grownMb <= maxGrownMb,
  })
}

async function told(env: Record<string, string>, subscriptions: number, perSecond: number, seconds: number) {
  const server = await startLibrary({ env })
  const firstTold = new Map<number, number>()
  const latest = new Float64Array(subscriptions)
  const toldAll = new Map<number, number>()
  const subscribers = new Subscribers({
    port: server.port, reads: true,
    onTold(subscriber, price) {
      latest[subscriber] = price
      firstTold.set(price, firstTold.get(price) ?? performance.now())
      // Prices rise, so who was told of a later one was told of all that count.
      const lowest = latest.reduce((low, each) => Math.min(low, each), Infinity)
      for (const known of firstTold.keys()) if (known <= lowest && !toldAll.has(known)) toldAll.set(known, performance.now())
    },
  })
  await subscribers.open(subscriptions)
  progress(`${subscriptions} subscriptions are open`)
  const { answered, wroteMs, health } = await traded(server, perSecond, seconds)
  await pause(2000)
  subscribers.close()
  await server.stop()
  // Not counted is the first, which the gateway has not compiled its code for.
  const lags = [...answered].slice(1).flatMap(([price, atMs]) => (toldAll.has(price) ? [toldAll.get(price)! - atMs] : []))
  return { changes: answered.size, toldMs: ms(Math.max(...lags)), toldP50Ms: ms(quantile(lags, 0.5)), writeP50Ms: ms(quantile(wroteMs, 0.5)), writeP99Ms: ms(quantile(wroteMs, 0.99)), ...healthOf(health) }
}

async function unread(env: Record<string, string>, subscriptions: number, perSecond: number, seconds: number) {
  const server = await startLibrary({ env })
  const subscribers = new Subscribers({ port: server.port, reads: false })
  await subscribers.open(subscriptions)
  const before = residentMb(server)
  const { health } = await traded(server, perSecond, seconds)
  const grownMb = Math.round(residentMb(server) - before)
  subscribers.close()
  await server.stop()
  return { grownMb, ...healthOf(health) }
}

/** Trades at ever higher prices, at this rate as far as the gateway can answer. */
async function traded({ port, ask }: Server, perSecond: number, seconds: number) {
  const answered = new Map<number, number>()
  const wroteMs: number[] = []
  const probe = new Probe(port)
  const startMs = performance.now()
  for (let number = 1; performance.now() - startMs < seconds * 1000; number++) {
    const price = 100_000 + number
    const beganMs = performance.now()
    const { errors } = await ask(JSON.stringify({ query: `mutation { recordTrade(input: { symbol: "zaza", price: ${price}, quantity: 1 }) { stock { id } } }` }))
    if (errors) throw new Error(JSON.stringify(errors))
    const nowMs = performance.now()
    answered.set(price, nowMs)
    wroteMs.push(nowMs - beganMs)
    await pause(Math.max(0, startMs + (number * 1000) / perSecond - nowMs))
  }
  return { answered, wroteMs, health: await probe.stop() }
}

function healthOf(health: readonly number[]) {
  return { probes: health.length, healthP99Ms: ms(quantile(health, 0.99)), healthMaxMs: ms(Math.max(...health)) }
}

function residentMb({ pid }: Server): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

function ms(time: number): number {
  return Math.round(time * 10) / 10
}
