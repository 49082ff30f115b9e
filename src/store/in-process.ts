// What the stores inside this process share: an engine keeps documents and finds them, and this
// makes it a store that meters its calls and holds its limits. No storage is chosen here.

import { setTimeout as pause } from 'node:timers/promises'
import { keyText, type Key } from '../keys/key.ts'
import { changesOf, checkPart, feedParts, sequenceAt, type FeedEntry } from './feed.ts'
import { countAccount, metered, queryAccount, readAccount, writeAccount } from './metered.ts'
import type { Path, Query, Scalar, Selection } from './query.ts'
import { StoreUnavailableError, type Meter, type Store, type StoredDocument, type Supports, type Write } from './store.ts'
import { inTurn, planInTurn } from './turns.ts'
import { encode, type EncodedWrite, type Written } from './writing.ts'

/** The store's own operations, answered at once. */
export interface Engine {
  readonly system: string
  readonly durable: boolean
  /** Engines with the same one write in turns. */
  readonly queue: unknown
  readMany(container: string, keys: readonly string[]): Map<string, StoredDocument>
  query(query: Query): StoredDocument[]
  queryEach(query: Query, by: Path, values: readonly Scalar[]): StoredDocument[][]
  count(selection: Selection): number
  countEach(selection: Selection, by: Path, values: readonly Scalar[]): number[]
  /** All or none, and with their entries in the feed. Sizes of what was replaced are needed only when `sized`. */
  write(writes: readonly EncodedWrite[], sized: boolean): Written[]
  /** From here to `release` only this engine writes, and that once at most. False when another process has it; it has its turn already. */
  hold(): boolean
  release(): void
  changes(part: string, behind: number, limit: number): FeedEntry[]
  /** The sequence of the newest entry of the feed, in whichever part; 0 when there is none. */
  lastChange(): number
  sizes(container: string, keys: readonly string[]): Map<string, number>
  ping(): void
  close(): void
}

export function inProcessStore(engine: Engine): Store {
  const supports: Supports = {
    system: engine.system,
    atomic: 'store',
    lateMs: 0,
    charges: 'estimated',
    sizes: 'exact',
    batch: { writes: Infinity, bytes: Infinity },
    durable: engine.durable,
    keysPerRequest: 1000,
    documentBytes: 2 * 1024 * 1024,
  }
  const encodeAll = (writes: readonly Write[]): EncodedWrite[] => writes.map((write) => encode(write, supports.documentBytes))
  const writeNow = (encoded: readonly EncodedWrite[], meter: Meter | undefined): string[] => {
    const container = [...new Set(encoded.map(({ write }) => write.container))].join(', ')
    const run = (): Written[] => engine.write(encoded, meter !== undefined)
    return metered(meter, { operation: 'write', container, keys: encoded.length }, run, writeAccount).map(({ etag }) => etag)
  }
  return {
    supports,

    async readMany(container, keys, meter) {
      if (keys.length === 0) return []
      const run = (): (StoredDocument | undefined)[] => {
        const texts = keys.map(keyText)
        const found = engine.readMany(container, texts)
        return texts.map((text) => found.get(text))
      }
      return metered(meter, { operation: 'read', container, keys: keys.length }, run, (found) => readAccount(keys, found))
    },

    async query(query, meter) {
      const call = { operation: 'query', container: query.container, keys: 0 } as const
      return metered(meter, call, () => engine.query(query), (page) => queryAccount([page]))
    },

    async queryEach(query, by, values, meter) {
      if (values.length === 0) return []
      const call = { operation: 'query', container: query.container, keys: values.length } as const
      return metered(meter, call, () => engine.queryEach(query, by, values), queryAccount)
    },

    async count(selection, meter) {
      const call = { operation: 'count', container: selection.container, keys: 0 } as const
      return metered(meter, call, () => engine.count(selection), (count) => countAccount([count]))
    },

    async countEach(selection, by, values, meter) {
      if (values.length === 0) return []
      const call = { operation: 'count', container: selection.container, keys: values.length } as const
      return metered(meter, call, () => engine.countEach(selection, by, values), countAccount)
    },

    async write(writes, meter) {
      if (writes.length === 0) return []
      // Before waiting, since the caller may change a body afterwards.
      const encoded = encodeAll(writes)
      return inHold(engine, () => writeNow(encoded, meter))
    },

    // Nothing is written before the plan has answered, and then all of it at once. So whoever reads
    // meanwhile, even on the same connection, sees what is committed. The plan itself must not call
    // `write` or `atomically`: it would wait for its own end, and is told so by an error.
    async atomically(plan, meter) {
      return inHold(engine, async () => {
        const encoded = encodeAll(await planInTurn(engine.queue, plan))
        return encoded.length === 0 ? [] : writeNow(encoded, meter)
      })
    },

    async feedParts() {
      return feedParts
    },

    async changes(part, behind, limit, meter) {
      checkPart(part)
      const sequence = sequenceAt(behind)
      const call = { operation: 'changes', container: 'feed', keys: 0 } as const
      const entries = metered(meter, call, () => engine.changes(part, sequence, limit), (found) => queryAccount([found]))
      return changesOf(entries, behind, limit)
    },

    async feedEnd(part) {
      checkPart(part)
      const sequence = engine.lastChange()
      return sequence === 0 ? undefined : String(sequence)
    },

    async now() {
      const now = Date.now()
      return { earliest: now, latest: now }
    },

    async sizes(container, keys) {
      const texts = keys.map(keyText)
      const found = engine.sizes(container, texts)
      return texts.map((text) => found.get(text))
    },

    reach: () => 1,

    async ping() {
      engine.ping()
    },

    async close() {
      engine.close()
    },
  }
}

/** How long a writer waits for one in another process. */
const mostWaitMs = 5000

/**
 * Runs while nobody else writes, in this process or any other. Waiting for another process is done by
 * asking again, after a moment that is never the same, so that reads and other requests go on meanwhile.
 */
function inHold<Answer>(engine: Engine, work: () => Answer | Promise<Answer>): Promise<Answer> {
  return inTurn(engine.queue, async () => {
    const until = performance.now() + mostWaitMs
    while (!engine.hold()) {
      if (performance.now() > until) throw new StoreUnavailableError(`Another process kept the store to itself for ${mostWaitMs} ms.`)
      await pause(1 + Math.random() * 9)
    }
    try {
      return await work()
    } finally {
      engine.release()
    }
  })
}

/** Engines keep one thing per container; asking for another one is a mistake in the caller. */
export function containerNamed<Container>(containers: ReadonlyMap<string, Container>, name: string): Container {
  const container = containers.get(name)
  if (container === undefined) {
    throw new Error(`There is no container ${JSON.stringify(name)}; the layout has ${[...containers.keys()].join(', ') || 'none'}.`)
  }
  return container
}

/** The other way round of `keyText`. */
export function keyOf(text: string): Key {
  const [partition, id]: [Key['partition'], string] = JSON.parse(text)
  return { partition, id }
}
