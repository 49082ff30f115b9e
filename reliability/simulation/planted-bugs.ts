// Bugs for the checks to find, each planted where the simulation meets the product: in the store that a gateway is handed, or in an
// option. The product itself has none of them.

import { BadInput } from './bad-input.ts'
import type { CheckName } from '../history/check-history.ts'
import { ownContainer } from '../../src/store/own-container.ts'
import { neverStale } from '../../src/feed/watermark.ts'
import type { Store, Changes, Moment, StoredDocument, Write } from '../../src/store/store.ts'
import type { ScenarioLimits } from './scenario.ts'
import { wrapStore, type StoreCall } from './stores/wrap-store.ts'
import type { Planted } from './world.ts'

export interface PlantedBug {
  readonly what: string
  readonly finds: CheckName | 'drift' | 'does not end'
  readonly limits: ScenarioLimits
  /** Made for each run. */
  readonly plant: () => Planted
}

export const plantedBugs: readonly PlantedBug[] = [
  { what: 'a cached document is tagged with a version that was taken after reading it', finds: 'stale read', limits: { store: 'cosmos', faults: [] }, plant: taggedAfterReading },
  { what: 'a clock that is ahead is believed', finds: 'stale read', limits: { store: 'cosmos', faults: ['crashes'] }, plant: clockAhead },
  { what: 'snapshots count as current although the feed is not drained', finds: 'stale read', limits: { store: 'file', effects: 'feed', faults: [] }, plant: () => ({ options: () => ({ freshness: () => neverStale }) }) },
  { what: 'the token of a session is a little too old', finds: 'own write not seen', limits: { store: 'file', effects: 'feed', faults: [] }, plant: () => around(oldToken) },
  { what: 'etags are not compared', finds: 'lost update', limits: { store: 'cosmos', faults: ['slow network'] }, plant: () => around(withoutConditions) },
  { what: 'a refused write is made', finds: 'dirty read', limits: { store: 'cosmos', faults: [] }, plant: () => around(madeAndRefused()) },
  { what: 'a document is read while half of it is written', finds: 'torn read', limits: { store: 'cosmos', faults: [] }, plant: () => around(halfOld()) },
  { what: 'an older page of documents is returned after a newer one', finds: 'read went back', limits: { store: 'file', effects: 'feed', faults: [] }, plant: () => around(olderPages(false)) },
  { what: 'a page has documents of two moments', finds: 'two moments', limits: { store: 'file', effects: 'together', faults: [] }, plant: () => around(olderPages(true)) },
  { what: 'a change is left out of the feed, for subscribers', finds: 'missed event', limits: { store: 'file', effects: 'together', faults: [] }, plant: () => around(leavesOut()) },
  { what: 'a change is left out of the feed, for snapshots', finds: 'drift', limits: { store: 'file', effects: 'feed', faults: [] }, plant: () => around(leavesOut()) },
  { what: 'a gateway never starts', finds: 'does not end', limits: { store: 'file', effects: 'together', faults: [] }, plant: () => around(neverStarts) },
]

type Around = (call: StoreCall) => unknown

const around = (by: Around): Planted => ({ store: (store) => wrapCalls(store, by) })

/** Only calls that may be waited for: the others are answered at once. */
function wrapCalls(store: Store, by: Around): Store {
  return wrapStore(store, {}, (call) => (answeredAtOnce.has(call.name) ? call.make(...call.args) : by(call)))
}

const answeredAtOnce: ReadonlySet<string> = new Set(['lookIn', 'moment', 'asOfMoment', 'pointsWithin', 'reach', 'cachedBytes'])

/** Another process may have written between the reading and the tag. */
function taggedAfterReading(): Planted {
  let version = 0
  return {
    store: (store, process) => {
      const cached = new Map<string, { readonly found: unknown; readonly version: number }>()
      return wrapCalls(store, async ({ name, args, make }) => {
        if (name === 'write') return (make(...args) as Promise<unknown>).finally(() => version++)
        if (name !== 'readMany' || args[0] !== 'authors') return make(...args)
        const text = JSON.stringify(args[1])
        if (cached.get(text)?.version === version) return cached.get(text)!.found
        const found = await make(...args)
        await process.wait(20)
        cached.set(text, { found, version })
        return found
      })
    },
  }
}

/** Every second gateway is ten seconds ahead of the service, and nothing tells. */
function clockAhead(): Planted {
  let opened = 0
  return {
    store: (store) => {
      if (opened++ % 2 > 0) return store
      return wrapCalls(store, async ({ name, args, make }) => {
        const answer = await make(...args)
        if (name !== 'now' && (name as string) !== 'position') return answer
        const { earliest, latest } = answer as Moment
        return { earliest: earliest + 10_000, latest: latest + 10_000 }
      })
    },
  }
}

const oldToken: Around = ({ name, args, make }) => {
  if (name !== 'now' && (name as string) !== 'position') return make(...args)
  return (make(...args) as Promise<Moment>).then(({ earliest, latest }) => (name === 'now' ? { earliest, latest: latest - 40 } : { earliest, latest: latest - 1 }))
}

const withoutConditions: Around = ({ name, args, make }) => {
  if (name !== 'write') return make(...args)
  return make((args[0] as readonly Write[]).map((write) => (write.container !== ownContainer && write.kind === 'put' ? { kind: 'put', container: write.container, key: write.key, body: write.body } : write)), args[1])
}

const neverStarts: Around = ({ name, args, make }) => (name === 'atomically' ? Promise.reject(new Error('Not now.')) : make(...args))

function madeAndRefused(): Around {
  let writes = 0
  return async ({ name, args, make }) => {
    const answer = await make(...args)
    if (name === 'write' && (args[0] as readonly Write[]).some(({ container }) => container === 'authors') && ++writes % 5 === 0) throw new BadInput()
    return answer
  }
}

/** The motto is the one before. */
function halfOld(): Around {
  const last = new Map<string, unknown>()
  return async ({ name, args, make }) => {
    const answer = await make(...args)
    if (name !== 'readMany' || args[0] !== 'authors') return answer
    return (answer as (StoredDocument | undefined)[]).map((found) => {
      if (!found) return found
      const motto = last.get(found.key.id) ?? found.body['motto']
      last.set(found.key.id, found.body['motto'])
      return { ...found, body: { ...found.body, motto: motto as string } }
    })
  }
}

/** Every second page is the very first one, or has the first document of the one before. */
function olderPages(mixed: boolean): Around {
  let pages = 0
  let first: readonly StoredDocument[] = []
  let before: readonly StoredDocument[] = []
  return ({ name, args, make }) => {
    const answer = make(...args)
    if (name !== 'query' || (args[0] as { container: string }).container !== 'books' || !Array.isArray(answer) || answer.length < 2) return answer
    const last = before
    before = answer as StoredDocument[]
    if (first.length === 0) first = before
    if (++pages % 2 > 0 || last.length === 0) return answer
    return mixed ? [last[0], ...before.slice(1)] : first
  }
}

function leavesOut(): Around {
  let pages = 0
  return async ({ name, args, make }) => {
    const answer = await make(...args)
    if (name !== 'changes') return answer
    const { changes, ...page } = answer as Changes
    return { ...page, changes: changes.length > 0 && ++pages % 3 === 0 ? changes.slice(0, -1) : changes }
  }
}
