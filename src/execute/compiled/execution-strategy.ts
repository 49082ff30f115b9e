// Two ways to write the same answer. Straight through: a store that has the documents in hand is looked at while a row is
// written, and nothing is gathered. In waves: what the rows of a level point at is gathered and read together, which is
// what any other store wants, and whoever counts what is read. A document that turns out not to be in hand is read
// in waves, with all others of its level. Then it is, so the next run tries the straight way again, and after that later
// and later: where there are more documents than can be kept in hand it would be in vain.

import type { DocumentType } from '../../model/model.ts'
import { notSynchronous } from '../../store/synchronous-reads.ts'
import { whenReady, type MaybePromise } from '../../store/maybe-promise.ts'
import type { LookById, Request, Run } from './run.ts'
import { writeAll, type Writer } from './json-writer.ts'

export interface Way {
  readonly root: Writer
  readonly oneAtATime: boolean
  /** The types whose documents are looked for; none in waves. */
  readonly targets: readonly DocumentType[]
}

/** Writes the `data` of an answer, or gives up. */
export type Compiled = (request: Request) => MaybePromise<string>

/** How many runs in a row are spared the straight way at most. */
const mostSpared = 64

/** Ways are made when they are first taken: most operations take one of them only. */
export function eitherWay(makeStraight: () => Way, makeInWaves: () => Way): Compiled {
  let straight: Way | undefined
  let inWaves: Way | undefined
  let [spared, sparing] = [0, 1]
  const goInWaves = (request: Request): MaybePromise<string> => go((inWaves ??= makeInWaves()), request, [])
  return (request) => {
    if (request.counts || spared-- > 0) return goInWaves(request)
    spared = 0
    straight ??= makeStraight()
    const looks = straight.targets.length > 0 && straight.oneAtATime ? looksAt(straight, request) : undefined
    if (!looks) return goInWaves(request)
    const orInWaves = (error: unknown): MaybePromise<string> => {
      if (error !== notSynchronous) throw error
      spared = sparing
      sparing = Math.min(2 * sparing, mostSpared)
      return goInWaves(request)
    }
    try {
      const written = go(straight, request, looks)
      if (written instanceof Promise) return written.catch(orInWaves)
      sparing = 1
      return written
    } catch (error) {
      return orInWaves(error)
    }
  }
}

function go(way: Way, request: Request, looks: readonly LookById[]): MaybePromise<string> {
  request.context.quire.reads.oneAtATime = way.oneAtATime
  const run: Run = {
    ...request, number: ++runs, looks, weight: 1,
    lookAgain: () => Object.assign(run, { number: ++runs, looks: looksAt(way, request) ?? throwNotInHand() }),
  }
  return whenReady(writeAll(way.root, [undefined], run, undefined), ([text]) => text!)
}

let runs = 0

/** Undefined unless all of them can be looked for. */
function looksAt({ targets }: Way, { context: { quire: { reads } } }: Request): LookById[] | undefined {
  const looks: LookById[] = []
  for (const target of targets) {
    const look = reads.lookFor(target)
    if (!look) return undefined
    looks.push(look)
  }
  return looks
}

function throwNotInHand(): never {
  throw notSynchronous
}
