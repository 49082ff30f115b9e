// What a process sees of a service like Cosmos DB across a network: one clock, which is known only as an interval; batches within
// one partition; a feed in pages that can be empty, short or repeated, as after a split. A request that has left is served even if
// its sender dies; requests and answers can be late, overtake each other, be lost or be refused.

import { partitionText } from '../../../src/model/keys/key.ts'
import { InDoubtError, StoreUnavailableError } from '../../../src/store/store-errors.ts'
import type { Change, Changes, ContainerLayout, Store, Supports, Write } from '../../../src/store/store.ts'
import type { Random } from '../../hostile/random.ts'
import type { Scheduler } from '../scheduler.ts'
import { epochMs, type SimulatedProcess } from '../simulated-process.ts'
import { wrapStore, type StoreCall } from './wrap-store.ts'

export interface NetworkFaults {
  /** Shares of calls. */
  slow: number
  lost: number
  throttled: number
  /** Share of pages that are empty, short or repeated. */
  oddPages: number
}

/** As a late write must not depend on what was read long before, no request travels for longer than this. */
const maxTravelMs = 800
const timeoutMs = 3000
const supports: Partial<Supports> & { readonly positions: 'milliseconds' } = {
  atomic: 'partition', maxWriteDelayMs: 2000, charges: 'measured', sameObjects: false, durable: true, batch: { writes: 100, bytes: 2_000_000 }, positions: 'milliseconds',
}

/** The feed of such a service has everything. */
export function followedLayout(layout: readonly ContainerLayout[]): ContainerLayout[] {
  return layout.map((container) => ({ ...container, followed: Boolean(container.followed) }))
}

export function cosmosService(store: Store, process: SimulatedProcess, scheduler: Scheduler, random: Random, faults: NetworkFaults): Store {
  const travelMs = (): number => (random.chance(faults.slow) ? random.next() * maxTravelMs : 0.5 + random.next() * 4)
  const moment = (): { earliest: number; latest: number } => {
    const now = epochMs + scheduler.nowMs
    return { earliest: now - 500 - random.next() * 500, latest: now + 500 + random.next() * 500 }
  }
  const unavailable = async (): Promise<never> => {
    await process.wait(timeoutMs)
    throw new StoreUnavailableError('No answer.')
  }
  const request = async (call: StoreCall): Promise<unknown> => {
    await scheduler.sleep(travelMs())
    if (random.chance(faults.lost)) return unavailable()
    if (random.chance(faults.throttled)) {
      await process.wait(100 + random.next() * 900)
      if (random.chance(0.5)) throw new StoreUnavailableError('Too many requests.')
    }
    const answer = await serve(call, random, faults).then((value) => ({ value }), (error: unknown) => ({ error }))
    await process.wait(travelMs())
    if (random.chance(faults.lost)) {
      if (call.name === 'write') throw new InDoubtError('The answer was lost.')
      return unavailable()
    }
    if ('error' in answer) throw answer.error
    return answer.value
  }
  return wrapStore(store, supports, (call) => {
    switch (call.name as string) {
      case 'now': return Promise.resolve(moment())
      case 'position': return Promise.resolve({ earliest: moment().earliest - 2000, latest: moment().latest })
      case 'lookIn': case 'moment': return undefined
      case 'asOfMoment': return (call.args[0] as () => unknown)()
      case 'sweepFeed': return Promise.resolve(0)
      case 'atomically': return Promise.reject(new Error('This store is atomic within a partition.'))
      case 'feedParts': case 'pointsWithin': case 'reach': case 'cachedBytes': case 'close': return call.make(...call.args)
      default: return request(call)
    }
  })
}

async function serve({ name, args, make }: StoreCall, random: Random, faults: NetworkFaults): Promise<unknown> {
  if (name === 'write') {
    const places = new Set((args[0] as readonly Write[]).map(({ container, key }) => `${container} ${partitionText(key.partition)}`))
    if (places.size > 1) throw new Error(`One batch writes to ${[...places].join(' and ')}.`)
    return make((args[0] as readonly Write[]).map(asServiceTakes), args[1])
  }
  if (name !== 'changes') return make(...args)
  const [part, behind, limit] = args as Parameters<Store['changes']>
  const odd = random.chance(faults.oddPages) ? random.pick(['empty', 'short', 'repeated']) : undefined
  if (odd === 'empty') return { changes: [], point: behind, end: false }
  const page = (await make(part, behind, odd === 'short' ? 1 + random.below(2) : limit)) as Changes
  const changes = page.changes.map(inWholeSeconds)
  return odd === 'repeated' ? { changes, point: behind, end: false } : { ...page, changes }
}

/** The service knows nothing of what a write means to its writer, such as that nothing follows from it. */
function asServiceTakes(write: Write): Write {
  const { settled: _, ...known } = write as Write & { readonly settled?: unknown }
  return known
}

/** The service tells the time of a change in seconds. */
function inWholeSeconds(change: Change): Change {
  const at = Math.floor(change.at / 1000) * 1000
  return { ...change, at, position: at }
}
