// In which waves reads go. Each goes one wave after the read that it depends on. If the same documents may have been read
// already, an answer can be there a wave earlier, for some rows or for all. So each read has a set of waves in which it can
// go; the last of them is the default.

import { nothingKnown, type Known } from './assumptions.ts'
import type { ExplainedRead } from './explained-node.ts'
import { furtherWaves } from './scattered-cost.ts'

export interface Timing {
  /** The waves in which it can go. */
  readonly asked: ReadonlySet<number>
  /** The waves after which it can be answered. */
  readonly answered: ReadonlySet<number>
}

export function timingsOf(reads: readonly ExplainedRead[], known: Known = nothingKnown): ReadonlyMap<ExplainedRead, Timing> {
  const timings = new Map(reads.map((read) => [read, { asked: new Set<number>(), answered: new Set<number>() }]))
  const start: ReadonlySet<number> = new Set([0])
  const earliest = new Map<string, number>()
  const further = new Map(reads.map((read) => [read, known.scattered ? furtherWaves(read.asked, known.count(read.asked.type)) : 0]))
  let changed = true
  // This ends: sets only grow, and the number of waves is limited.
  while (changed) {
    changed = false
    const add = (waves: Set<number>, wave: number) => {
      if (waves.has(wave)) return
      waves.add(wave)
      changed = true
    }
    for (const read of reads) {
      const { asked, answered } = timings.get(read)!
      const { loader } = read.asked
      for (const before of read.after ? timings.get(read.after)!.answered : start) {
        const wave = before + 1
        add(asked, wave)
        for (let later = 0; later <= further.get(read)!; later++) add(answered, wave + later)
        earliest.set(loader, Math.min(wave, earliest.get(loader) ?? wave))
        if (read.optional || earliest.get(loader)! < wave) add(answered, before)
      }
    }
  }
  return timings
}

/** The wave after which it is answered unless it is answered earlier. */
export function lastWave({ answered }: Timing): number {
  return Math.max(...answered)
}

/** The wave in which a read goes unless it is answered earlier. */
export function defaultWave({ asked }: Timing): number {
  return Math.max(...asked)
}
