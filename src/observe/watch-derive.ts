// In development, finds functions of `derive` that look at more than their document, such as the clock. Such a value would be
// frozen in production at the moment when its row or its snapshot was made, and differ from one process to the next.

import type { Body } from '../model/json/json.ts'
import type { Derive } from '../relations/kind.ts'
import { withTextOf } from '../relations/values/function-texts.ts'

/** How many documents each function is tried with. */
const tries = 20

/** The same functions. The first documents are derived a second time, on another day; `warn` gets a sentence about each function that then says something else. */
export function watchDerive(derive: Derive, warn: (sentence: string) => void): Derive {
  return Object.fromEntries(Object.entries(derive).map(([type, functions = {}]) => [
    type, Object.fromEntries(Object.entries(functions).map(([field, compute]) => [field, typeof compute === 'function' ? watched(`${type}.${field}`, compute, warn) : compute])),
  ]))
}

type Compute = (document: Body) => unknown

function watched(coordinate: string, compute: Compute, warn: (sentence: string) => void): Compute {
  let left = tries
  const wrapper: Compute = (document) => {
    const value = compute(document)
    if (left > 0) {
      left--
      if (!isSame(value, () => compute(document))) {
        left = 0
        warn(`${coordinate}: its function in derive does not depend on the document alone: at another time, it gives another value for the same document. Quire keeps what it computed, in rows and in snapshots, so clients would see old values. Store what changes, or compute it in the client.`)
      }
    }
    return value
  }
  return withTextOf(wrapper, compute)
}

function isSame(value: unknown, again: () => unknown): boolean {
  try {
    return JSON.stringify(value) === JSON.stringify(onAnotherDay(again))
  } catch {
    // It says nothing about the first value.
    return true
  }
}

/** Functions of `derive` are synchronous, so nothing else sees this clock. */
function onAnotherDay<T>(work: () => T): T {
  const Today = globalThis.Date
  const laterMs = 400.3 * 24 * 60 * 60 * 1000
  globalThis.Date = new Proxy(Today, {
    construct: (target, args: unknown[], newTarget) => Reflect.construct(target, args.length === 0 ? [Today.now() + laterMs] : args, newTarget) as object,
    apply: () => new Today(Today.now() + laterMs).toString(),
    get: (target, name) => (name === 'now' ? () => Today.now() + laterMs : Reflect.get(target, name) as unknown),
  })
  try {
    return work()
  } finally {
    globalThis.Date = Today
  }
}
