// Writers turn values into JSON text. Where the value is all that it takes, a function writes one value at a time. Where
// something has to be read first, all values of a level are written in one batch: so their reads leave together, there is
// one promise for a level and not one for a row, and none where every read was synchronous.

import { allRead, whenRead, type MaybePending } from '../../store/maybe-promise.ts'
import type { PlanNode } from '../../plan/plan.ts'
import { AnswerTooLarge, type Growth } from '../answer/answer-too-large.ts'
import type { Run, Weights } from './run.ts'

export type Writer = SingleWriter | BatchWriter

export interface SingleWriter {
  readonly one: (value: unknown, run: Run) => string
  readonly growth: Growth
}

export interface BatchWriter {
  readonly all: (values: readonly unknown[], run: Run, weights: Weights) => MaybePending<readonly string[]>
}

/**
 * Compiled code writes only answers without errors. Whatever else it meets (a null where there must be none, a reference
 * to a missing document, a store that does not answer) it leaves to GraphQL.js, which executes the operation with the same
 * reads and reports the error, its path and what becomes null.
 */
export class GiveUp extends Error {
  override readonly name = 'GiveUp'
}

export function giveUp(): never {
  throw new GiveUp('A value does not fit its type.')
}

export function writeAll(writer: Writer, values: readonly unknown[], run: Run, weights: Weights): MaybePending<readonly string[]> {
  return 'one' in writer ? writeEach(writer, values, run, weights) : writer.all(values, run, weights)
}

function writeEach({ one, growth }: SingleWriter, values: readonly unknown[], run: Run, weights: Weights): string[] {
  if (!run.counts) return values.map((value) => growth.add(one(value, run), run))
  return values.map((value, at) => {
    run.weight = weights ? weights[at]! : 1
    return growth.add(one(value, run), run)
  })
}

export function inBatch(writer: Writer): BatchWriter {
  return 'all' in writer ? writer : { all: (values, run, weights) => writeEach(writer, values, run, weights) }
}

export function writeNullable({ all }: BatchWriter): BatchWriter {
  return {
    all(values, run, weights) {
      if (!values.some(isNothing)) return all(values, run, weights)
      const present = values.filter((value) => !isNothing(value))
      const written = present.length > 0 ? all(present, run, weights?.filter((_, at) => !isNothing(values[at]))) : []
      return whenRead(written, (texts) => {
        let next = 0
        return values.map((value) => (isNothing(value) ? 'null' : texts[next++]!))
      })
    },
  }
}

export function writeRequired({ all }: BatchWriter): BatchWriter {
  return {
    all(values, run, weights) {
      if (values.some(isNothing)) throw new GiveUp('A non-null value is null.')
      return all(values, run, weights)
    },
  }
}

/** Where a list is shown, and how long its text may be. */
export interface ListPlace {
  readonly node: PlanNode
  readonly maxBytes: number
}

export function writeList(element: BatchWriter, place: ListPlace): BatchWriter {
  return {
    all(values, run, weights) {
      const lists = values.map(asList)
      const elements = lists.length === 1 ? lists[0]! : lists.flat()
      const ofElements = weights && lists.flatMap(({ length }, at) => Array.from({ length }, () => weights[at]!))
      return whenRead(elements.length > 0 ? element.all(elements, run, ofElements) : [], (texts) => {
        let next = 0
        return lists.map(({ length }) => listText(texts, next, (next += length), place))
      })
    },
  }
}

/** Objects inside of documents, which may hold something else. */
export function writeObjects({ all }: BatchWriter): BatchWriter {
  return {
    all(values, run, weights) {
      if (values.some((value) => typeof value !== 'object' || Array.isArray(value))) giveUp()
      return all(values, run, weights)
    },
  }
}

/** A value of an interface or union: `typeOf` names its type, and each type has its own writer. */
export function writeAbstract(typeOf: (value: unknown, run: Run) => string, writers: ReadonlyMap<string, Writer>): BatchWriter {
  return {
    all(values, run, weights) {
      const groups = [...Map.groupBy(values.keys(), (at) => writers.get(typeOf(values[at], run)))]
      const written = allRead(groups.length, (group) => {
        const [writer, indexes] = groups[group]!
        if (!writer) throw new GiveUp('A value has a type that the schema does not allow here.')
        return writeAll(writer, indexes.map((at) => values[at]), run, weights && indexes.map((at) => weights[at]!))
      })
      return whenRead(written, (all) => {
        const texts: string[] = []
        for (const [group, [, indexes]] of groups.entries()) for (const [at, index] of indexes.entries()) texts[index] = all[group]![at]!
        return texts
      })
    },
  }
}

/** The same object has the same text here, so it is read further and written once, however many rows show it. */
export function writeDistinct({ all }: BatchWriter): BatchWriter {
  return {
    all(objects, run, weights) {
      if (objects.length === 1 || new Set(objects).size === objects.length) return all(objects, run, weights)
      const indexes = new Map<unknown, number>()
      for (const object of objects) if (!indexes.has(object)) indexes.set(object, indexes.size)
      const written = all([...indexes.keys()], run, summedWeights(objects.map((object) => indexes.get(object)!), weights))
      return whenRead(written, (texts) => objects.map((object) => texts[indexes.get(object)!]!))
    },
  }
}

/** How many times each distinct value is shown, given the index of each row's value and how many times the row is. */
export function summedWeights(indexes: readonly number[], weights: Weights): number[] {
  const sums: number[] = []
  for (const [at, index] of indexes.entries()) sums[index] = (sums[index] ?? 0) + (weights ? weights[at]! : 1)
  return sums
}

/** Concatenated piece by piece: V8 then makes one flat string when the answer is sent, and not at every level. */
function listText(texts: readonly string[], from: number, to: number, { node, maxBytes }: ListPlace): string {
  let list = ''
  for (let at = from; at < to; at++) {
    list += at === from ? texts[at]! : `,${texts[at]!}`
    if (list.length > maxBytes) throw new AnswerTooLarge(node, 'bytes')
  }
  return `[${list}]`
}

function asList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new GiveUp('The value of a list is not an array.')
  return value
}

function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined
}
