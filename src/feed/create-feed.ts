// The change feed of one gateway. Where effects follow through the feed, it carries changes to their snapshots, lists
// and counts; it says how fresh snapshots are, and it streams changes to subscriptions.

import { randomUUID } from 'node:crypto'
import type { Cursors } from '../model/keys/cursor.ts'
import type { Observers } from '../observe/observers.ts'
import type { Recorder } from '../observe/workload/recorder.ts'
import type { Freshness } from '../plan/freshness.ts'
import type { Declaration } from '../relations/declaration.ts'
import type { Store } from '../store/store.ts'
import { withMeter } from '../store/with-meter.ts'
import type { EffectsMode } from '../write/writer.ts'
import { ChangeStream } from './change-stream.ts'
import { follow } from './run-propagator.ts'
import { Propagator } from './propagator.ts'
import { neverStale, Watermark } from './watermark.ts'

/** The options of a gateway that concern the feed. */
export interface FeedOptions {
  /** `together` writes effects in the transaction of their document, where the store can; `feed` lets them follow through the change feed. */
  readonly effects?: EffectsMode
  /** How often the feed is read; by default every 200 ms, or every second where reading is charged. */
  readonly followEveryMs?: number
  /** Whether this gateway carries changes to snapshots, or leaves that to others on the same store. */
  readonly propagates?: boolean
  /** How fresh snapshots are; by default what this gateway knows of the watermark. @internal */
  readonly freshness?: () => Freshness
}

export interface Feed {
  readonly freshness: () => Freshness
  readonly deadLetters: () => number
  readonly changes: ChangeStream
  stop(): Promise<void>
}

export interface FeedParts {
  readonly declaration: Declaration
  readonly store: Store
  readonly cursors: Cursors
  readonly observers: Observers
  readonly record: Recorder | undefined
}

export async function createFeed({ declaration, store, cursors, observers, record }: FeedParts, options: FeedOptions): Promise<Feed> {
  const { effects = 'together', propagates = true, followEveryMs = store.supports.charges === 'measured' ? 1000 : 200 } = options
  const metered = observers.meter ? withMeter(store, observers.meter) : store
  const changes = new ChangeStream(declaration, metered, cursors, followEveryMs)
  const needed = followsThroughFeed(effects, store) && (propagates || !options.freshness)
  if (!needed) return { freshness: options.freshness ?? (() => neverStale), deadLetters: () => 0, changes, stop: () => changes.stop() }
  const watermark = new Watermark(metered)
  const propagator = propagates ? new Propagator(declaration, metered, {
    owner: randomUUID(), onBatch: (batch) => observers.propagate(batch), onPropagated: record && ((entries) => record.propagated(declaration, entries)),
  }) : undefined
  await watermark.refresh()
  const following = follow(propagator, watermark, followEveryMs, observers)
  return {
    freshness: options.freshness ?? (() => watermark.freshness),
    deadLetters: () => watermark.deadLetters,
    changes,
    stop: async () => void (await Promise.all([following.stop(), changes.stop()])),
  }
}

/** A store that cannot write a document and all of its effects as one always lets them follow. */
function followsThroughFeed(effects: EffectsMode, { supports }: Store): boolean {
  return effects === 'feed' || supports.atomic !== 'store'
}
