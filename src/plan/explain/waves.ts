// In which waves questions go. Each goes one wave after the answer that it needs. Where the same
// documents may have been asked for already, an answer can be there a wave earlier, for some rows or
// for all: so every question has the waves in which it can go, the last of which is the usual one.

import type { Question } from './explained-node.ts'

export interface Timing {
  /** The waves in which it can be asked. */
  readonly asked: ReadonlySet<number>
  /** The waves after which its answer can be in. */
  readonly answered: ReadonlySet<number>
}

export function timingsOf(questions: readonly Question[]): ReadonlyMap<Question, Timing> {
  const timings = new Map(questions.map((question) => [question, { asked: new Set<number>(), answered: new Set<number>() }]))
  const beginning: ReadonlySet<number> = new Set([0])
  const earliest = new Map<string, number>()
  let changed = true
  // Sets only grow, and no wave comes after the last: this ends.
  while (changed) {
    changed = false
    const add = (waves: Set<number>, wave: number) => {
      if (waves.has(wave)) return
      waves.add(wave)
      changed = true
    }
    for (const question of questions) {
      const { asked, answered } = timings.get(question)!
      const { loader } = question.asked
      for (const before of question.after ? timings.get(question.after)!.answered : beginning) {
        const wave = before + 1
        add(asked, wave)
        add(answered, wave)
        earliest.set(loader, Math.min(wave, earliest.get(loader) ?? wave))
        if (question.optional || earliest.get(loader)! < wave) add(answered, before)
      }
    }
  }
  return timings
}

/** The wave in which a question usually goes. */
export function defaultWave({ asked }: Timing): number {
  return Math.max(...asked)
}
