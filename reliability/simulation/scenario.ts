// What happens in one run, drawn from its seed: which store, how many gateways and clients, and which kinds of faults. Each run
// leaves some kinds out, because a fault that is always there hides what only shows without it.

import type { EffectsMode } from '../../src/write/writer.ts'
import { Random } from '../hostile/random.ts'

export const faultKinds = ['crashes', 'freezes', 'clocks', 'modes', 'lost answers', 'slow network', 'throttling', 'odd pages', 'shared milliseconds', 'other programs'] as const
export type FaultKind = (typeof faultKinds)[number]

export const storeKinds = ['file', 'cosmos', 'sqlite'] as const
export type StoreKind = (typeof storeKinds)[number]

export interface Scenario {
  readonly store: StoreKind
  readonly effects: EffectsMode
  readonly gateways: number
  readonly clients: number
  readonly operations: number
  readonly followEveryMs: number
  readonly subscribers: number
  readonly faults: ReadonlySet<FaultKind>
}

/** Faults that a run may have, unless it is told otherwise. */
export const defaultFaults: readonly FaultKind[] = ['crashes', 'freezes', 'clocks', 'modes', 'lost answers', 'slow network', 'throttling', 'odd pages', 'shared milliseconds', 'other programs']

export interface ScenarioLimits {
  readonly faults?: readonly FaultKind[] | undefined
  readonly store?: StoreKind | undefined
  readonly effects?: EffectsMode | undefined
}

export function drawScenario(seed: number, { faults = defaultFaults, store, effects }: ScenarioLimits): Scenario {
  const random = new Random('scenario', seed)
  // A real SQLite file takes several times as long as the model of one.
  const kind = random.chance(0.08) ? 'sqlite' : random.pick(['file', 'cosmos'] as const)
  const mode = random.pick(['together', 'feed'] as const)
  const drawn = {
    gateways: random.between(1, 4),
    clients: random.between(2, 4),
    operations: random.between(6, 14),
    // Rarely so often that it looks many times within the milliseconds of a write.
    followEveryMs: random.chance(0.15) ? 2 : random.pick([50, 200]),
    subscribers: random.chance(0.3) ? 1 : 0,
    faults: new Set(faultKinds.filter((each) => random.chance(0.5) && faults.includes(each))),
  }
  return { ...drawn, store: store ?? kind, effects: (store ?? kind) === 'cosmos' ? 'feed' : (effects ?? mode) }
}
