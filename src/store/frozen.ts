// Bodies that many readers share, and that nobody can change. They go through JSON, since that is what
// any store keeps: `undefined` and -0 do not survive it.

import type { Body } from './store.ts'

export function parseBody(json: string): Body {
  return frozen(JSON.parse(json) as Body)
}

/** The value itself, frozen with everything in it. */
export function frozen<Value extends object>(value: Value): Value {
  for (const inner of Object.values(value) as unknown[]) if (typeof inner === 'object' && inner !== null) frozen(inner)
  return Object.freeze(value)
}
