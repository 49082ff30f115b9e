// The change feed of one gateway. Where effects follow through the feed, it carries changes to their snapshots, lists
// and counts; it says how fresh snapshots are, and it streams changes to subscriptions.

import { randomUUID } from 'node:crypto'
import type { Cursors } from '../model/keys/cursor.ts'
import type { Observers } from '../observe/observers.ts'
import type { Recorder } from '../observe/workload/recorder.ts'
import type { Freshness, FreshnessDemand } from '../plan/freshness.ts'
import type { Declaration } from '../relations/declaration.ts'
import type { Store } from '../store/store.ts'
import { withMeter } from '../store/with-meter.ts'
import type { EffectsMode } from '../write/writer.ts'
import { ChangeStream } from './change-stream.ts'
import { processClock, type Clock } from './clock.ts'
import { createLook, follow } from './run-propagator.ts'
import { paceOn } from './pace-on.ts'
import { Propagator } from './propagator.ts'
import { neverStale, Watermark } from './watermark.ts'

/** The options of a gateway that concern the feed. */
export interface FeedOptions {
  /** `together` writes effects in the transaction of their document, where the store can; `feed` lets them follow through the change feed. */
  readonly effects?: EffectsMode
  /**
   * The shortest interval between two looks at the feed; by default 200 ms, or one second where reading is charged. At rest the
   * interval grows to 5 times as long, or 40 times where reading is charged.
   */
  readonly followEveryMs?: number
  /** Whether this gateway carries changes to snapshots, or leaves that to others on the same store. */
  readonly propagates?: boolean
  /** How fresh snapshots are; by default what this gateway knows of the watermark. @internal */
  readonly freshness?: () => Freshness
  /** What it waits by between two looks at the feed. @internal */
  readonly clock?: Clock
}

export interface Feed {
  readonly freshness: () => Freshness
  readonly deadLetters: () => number
  readonly changes: ChangeStream
  /** This gateway has written documents. */
  written(): void
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
  const clock = options.clock ?? processClock
  const pace = paceOn(metered, followEveryMs, clock)
  const changes = new ChangeStream(declaration, metered, cursors, pace.stream)
  const needed = followsThroughFeed(effects, store) && (propagates || !options.freshness)
  if (!needed) return { freshness: options.freshness ?? (() => neverStale), deadLetters: () => 0, changes, written: () => changes.wake(), stop: () => changes.stop() }
  const written = (): void => {
    pace.signal?.send()
    changes.wake()
  }
  const watermark = new Watermark(metered, clock)
  const propagator = propagates ? new Propagator(declaration, metered, {
    owner: randomUUID(), clock,
    onBatch(batch) {
      observers.propagate(batch)
      // Another program may have made the changes, without a signal.
      written()
    },
    onPropagated: record && ((entries) => record.propagated(declaration, entries)),
  }) : undefined
  await watermark.mark()
  await watermark.refresh()
  const following = follow(createLook(propagator, watermark), pace.propagator, observers, async () => propagator?.stop())
  const onUnmet = unmetDemands(watermark, () => following.wake())
  return {
    freshness: options.freshness ?? (() => ({ ...watermark.freshness, onUnmet })),
    deadLetters: () => watermark.deadLetters,
    changes,
    written() {
      written()
      following.wake()
    },
    stop: async () => void (await Promise.all([following.stop(), changes.stop()])),
  }
}

/** A store that cannot write a document and all of its effects as one always lets them follow. */
function followsThroughFeed(effects: EffectsMode, { supports }: Store): boolean {
  return effects === 'feed' || supports.atomic !== 'store'
}

/** A reader that demands younger snapshots makes the gateway look, unless a look cannot help: no snapshot is ever called younger than the store can prove. */
function unmetDemands(watermark: Watermark, wake: () => void): (demand: FreshnessDemand) => void {
  return ({ maxStaleMs, seen }) => {
    const { youngestMs, deadLetters } = watermark
    const provable = youngestMs === Infinity ? deadLetters === 0 : maxStaleMs === undefined || maxStaleMs >= youngestMs
    if (provable && seen !== Infinity) wake()
  }
}
