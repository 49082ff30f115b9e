// Writers turn values into JSON text. Where that takes nothing but the value, a function writes one value
// at a time. Where something has to be read first, all values of a level are written together, which is what
// makes reads travel together and keeps the number of promises down to the number of places. Where everything
// was in hand there is none at all.

import { allThere, whenReady, type MaybePromise } from '../../store/maybe-promise.ts'
import { GiveUp } from './give-up.ts'
import type { Run, Times } from './run.ts'

export type Writer = OneByOne | Together

export interface OneByOne {
  readonly one: (value: unknown, run: Run) => string
}

export interface Together {
  readonly all: (values: readonly unknown[], run: Run, times: Times) => MaybePromise<readonly string[]>
}

export function writeAll(writer: Writer, values: readonly unknown[], run: Run, times: Times): MaybePromise<readonly string[]> {
  return 'one' in writer ? writeEach(writer, values, run, times) : writer.all(values, run, times)
}

function writeEach({ one }: OneByOne, values: readonly unknown[], run: Run, times: Times): string[] {
  if (!run.counts) return values.map((value) => one(value, run))
  return values.map((value, at) => {
    run.weight = times ? times[at]! : 1
    return one(value, run)
  })
}

export function together(writer: Writer): Together {
  return 'all' in writer ? writer : { all: (values, run, times) => writeEach(writer, values, run, times) }
}

export function writeNullable({ all }: Together): Together {
  return {
    all(values, run, times) {
      if (!values.some(isNothing)) return all(values, run, times)
      const present = values.filter((value) => !isNothing(value))
      const written = present.length > 0 ? all(present, run, times?.filter((_, at) => !isNothing(values[at]))) : []
      return whenReady(written, (texts) => {
        let next = 0
        return values.map((value) => (isNothing(value) ? 'null' : texts[next++]!))
      })
    },
  }
}

export function writeRequired({ all }: Together): Together {
  return {
    all(values, run, times) {
      if (values.some(isNothing)) throw new GiveUp('a value is null that must not be')
      return all(values, run, times)
    },
  }
}

export function writeList(element: Together): Together {
  return {
    all(values, run, times) {
      const lists = values.map(listed)
      const elements = lists.length === 1 ? lists[0]! : lists.flat()
      const shown = times && lists.flatMap(({ length }, at) => Array.from({ length }, () => times[at]!))
      return whenReady(elements.length > 0 ? element.all(elements, run, shown) : [], (texts) => {
        let next = 0
        return lists.map(({ length }) => listText(texts, next, (next += length)))
      })
    },
  }
}

/** One of several types: `typeOf` says which, and each has a writer of its own. */
export function writeAbstract(typeOf: (value: unknown, run: Run) => string, writers: ReadonlyMap<string, Writer>): Together {
  return {
    all(values, run, times) {
      const groups = [...Map.groupBy(values.keys(), (at) => writers.get(typeOf(values[at], run)))]
      const written = allThere(groups.length, (group) => {
        const [writer, places] = groups[group]!
        if (!writer) throw new GiveUp('a value is of no type that it can have')
        return writeAll(writer, places.map((at) => values[at]), run, times && places.map((at) => times[at]!))
      })
      return whenReady(written, (all) => {
        const texts: string[] = []
        for (const [group, [, places]] of groups.entries()) for (const [at, place] of places.entries()) texts[place] = all[group]![at]!
        return texts
      })
    },
  }
}

/** The same object at the same place has the same text, so it is read further and written once, however many rows show it. */
export function writeDistinct({ all }: Together): Together {
  return {
    all(objects, run, times) {
      if (objects.length === 1 || new Set(objects).size === objects.length) return all(objects, run, times)
      const places = new Map<unknown, number>()
      for (const object of objects) if (!places.has(object)) places.set(object, places.size)
      const written = all([...places.keys()], run, run.counts && summed(objects.map((object) => places.get(object)!), times))
      return whenReady(written, (texts) => objects.map((object) => texts[places.get(object)!]!))
    },
  }
}

/** How many times what is at each place is shown, given the place of each row and how many times that is. */
export function summed(places: readonly number[], times: Times): number[] {
  const sums: number[] = []
  for (const [at, place] of places.entries()) sums[place] = (sums[place] ?? 0) + (times ? times[at]! : 1)
  return sums
}

/** Put together piece by piece: V8 makes one text of the pieces when it is sent, and not at every level. */
function listText(texts: readonly string[], from: number, to: number): string {
  let list = ''
  for (let at = from; at < to; at++) list += at === from ? texts[at]! : `,${texts[at]!}`
  return `[${list}]`
}

function listed(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new GiveUp('a list is none')
  return value
}

function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined
}
