// The change feed of one gateway. Where effects follow through the feed, it carries changes to their snapshots, lists
// and counts; it says how fresh snapshots are, and it streams changes to subscriptions.

import { randomUUID } from 'node:crypto'
import { cursorsWithin, type Cursors } from '../model/keys/cursor.ts'
import type { Log } from '../observe/log/log.ts'
import type { Observers } from '../observe/observers.ts'
import type { Recorder } from '../observe/workload/recorder.ts'
import type { Freshness, FreshnessDemand } from '../plan/freshness.ts'
import type { Declaration } from '../relations/declaration.ts'
import type { MaybePromise } from '../store/maybe-promise.ts'
import { readHistory } from '../store/own-container.ts'
import type { Store } from '../store/store.ts'
import { withMeter } from '../store/with-meter.ts'
import type { EffectsMode } from '../write/writer.ts'
import { ChangeStream } from './change-stream.ts'
import { processClock, type Clock } from './clock.ts'
import { drainFeed } from './mode/drain-feed.ts'
import { enterEffectsMode } from './mode/effects-mode.ts'
import type { GatewayMode } from './mode/gateway-mode.ts'
import { createLook, follow } from './run-propagator.ts'
import { pollingOptionsFor } from './polling/polling-options.ts'
import { Propagator } from './propagator.ts'
import { AppointedPropagator } from './siblings/appointed-propagator.ts'
import type { FeedSiblings } from './siblings/feed-siblings.ts'
import { createSweep } from './sweep-feed.ts'
import { neverStale, unproved, Watermark } from './watermark.ts'

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
  /** The other gateways behind the same address. One of them at a time carries changes. @internal */
  readonly siblings?: FeedSiblings | undefined
  /** The time, timers and chance that the gateway goes by. @internal */
  readonly clock?: Clock
}

export interface Feed {
  readonly freshness: () => Freshness
  /** Throws if this gateway may not write any more. To be called in the transaction of every write. */
  readonly mayWrite: (() => MaybePromise<void>) | undefined
  readonly deadLetters: () => number
  /** How long ago each part of the feed that this gateway follows was followed to its end. */
  readonly partLagsMs: () => ReadonlyMap<string, number>
  readonly changes: ChangeStream
  /** This gateway has written documents. */
  written(): void
  stop(): Promise<void>
}

export interface FeedParts {
  readonly declaration: Declaration
  /** Tells gateways of different schemas apart. */
  readonly schema: string
  readonly store: Store
  readonly cursors: Cursors
  readonly observers: Observers
  readonly log: Log
  readonly record: Recorder | undefined
}

export async function createFeed({ declaration, schema, store, cursors, observers, log, record }: FeedParts, options: FeedOptions): Promise<Feed> {
  const { effects = 'together', propagates = true, siblings, followEveryMs = store.supports.charges === 'measured' ? 1000 : 200 } = options
  const metered = observers.meter ? withMeter(store, observers.meter) : store
  const clock = options.clock ?? processClock
  const pace = pollingOptionsFor(metered, declaration.layout, followEveryMs, clock)
  // After a restore, the changes since an event of the lost history are unknown.
  const changes = new ChangeStream(declaration, metered, cursorsWithin(cursors, await readHistory(store)), pace.stream)
  const follows = followsThroughFeed(effects, store)
  const mode = store.supports.atomic === 'store' ? await enterMode(declaration, schema, store, effects, log, clock) : undefined
  const mayWrite = mode && (() => mode.check())
  if (!follows || (!propagates && options.freshness)) {
    const together = () => (mode!.isCertain ? neverStale : unproved)
    siblings?.onTold(() => changes.wake())
    const written = (): void => {
      siblings?.tell()
      changes.wake()
    }
    return { freshness: options.freshness ?? together, mayWrite, deadLetters: () => 0, partLagsMs: () => new Map(), changes, written, stop: () => allStopped([changes.stop(), mode?.leave()]) }
  }
  const written = (): void => {
    siblings?.tell()
    pace.signal?.send()
    changes.wake()
  }
  const watermark = new Watermark(metered, clock)
  const propagatorOf = (owner: string): Propagator => new Propagator(declaration, metered, {
    owner, clock,
    passed: () => watermark.freshness.watermark,
    onBatch(batch) {
      observers.propagate(batch)
      // Another program may have made the changes, without a signal.
      written()
    },
    onPropagated: record && ((entries) => record.propagated(declaration, entries)),
  })
  const appointed = siblings && propagates ? new AppointedPropagator(propagatorOf) : undefined
  const propagator = appointed ?? (propagates ? propagatorOf(randomUUID()) : undefined)
  await watermark.mark()
  await watermark.refresh()
  const following = follow(createLook(propagator, watermark), pace.propagator, observers, async () => propagator?.stop())
  siblings?.onTold(() => {
    changes.wake()
    following.wake()
  })
  siblings?.onAppointed((owner) => {
    appointed?.appoint(owner)
    following.wake()
  })
  const onUnmet = unmetDemands(watermark, () => following.wake())
  return {
    freshness: options.freshness ?? (() => ({ ...watermark.freshness, onUnmet })),
    mayWrite,
    deadLetters: () => watermark.deadLetters,
    partLagsMs: () => propagator?.lagsMs ?? new Map(),
    changes,
    written() {
      written()
      following.wake()
    },
    stop: () => allStopped([following.stop(), changes.stop(), mode?.leave()]),
  }
}

/** Enters the effects mode of a store that can be written in both. That may take as long as it takes to drain the feed. */
function enterMode(declaration: Declaration, schema: string, store: Store, mode: EffectsMode, log: Log, clock: Clock): Promise<GatewayMode> {
  return enterEffectsMode(store, mode, {
    clock, schema,
    async drain() {
      log.warn({}, 'The effects mode of this store changes to "together". What is in the change feed is propagated first.')
      let told = 0
      await drainFeed(declaration, store, clock, (changes) => {
        if (changes < told + progressEvery) return
        told = changes
        log.warn({ changes }, 'Propagating what is in the change feed.')
      })
    },
    onLost: () => log.error({}, `This gateway runs with effects "${mode}", and another has changed the mode of the store. Restart this one; until then it rejects writes.`),
    // Effects that follow through the feed leave the sweep to the propagator, which knows how far it has come.
    ...(mode === 'together' ? { onLook: createSweep(store) } : {}),
  })
}

/** How many changes are propagated between two lines of the log. */
const progressEvery = 10_000

async function allStopped(stopping: readonly (Promise<void> | undefined)[]): Promise<void> {
  await Promise.all(stopping.filter((each) => each !== undefined))
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
