// The source texts of `derive` functions that are loaded from a schema folder: a function with another text is another function, so snapshots
// of its values are recomputed. A compiled program may have another text for the same function, so functions that it passes have none here.

import type { Derive } from '../kind.ts'

const texts = new WeakMap<object, string>()

/** For functions that every process loads from the same file. */
export function withTexts(derive: Derive): Derive {
  for (const functions of Object.values(derive)) for (const compute of Object.values(functions ?? {})) if (typeof compute === 'function') texts.set(compute, String(compute))
  return derive
}

/** Undefined where it says nothing. */
export function textOf(compute: object | undefined): string | undefined {
  return compute && texts.get(compute)
}

/** For a function that only calls another one. */
export function withTextOf<T extends object>(wrapper: T, compute: object): T {
  const text = texts.get(compute)
  if (text !== undefined) texts.set(wrapper, text)
  return wrapper
}
