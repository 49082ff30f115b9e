// A store whose calls all pass through one function, which may delay them, lose them or answer itself. Calls that the port gets
// in the future pass through it as well.

import type { Store, Supports } from '../../../src/store/store.ts'

export type CallName = Exclude<keyof Store, 'supports'>

export interface StoreCall {
  readonly name: CallName
  readonly args: readonly unknown[]
  /** Makes the call on the wrapped store, with these or other arguments. */
  readonly make: (...args: readonly unknown[]) => unknown
}

export function wrapStore(store: Store, supports: Partial<Supports>, around: (call: StoreCall) => unknown): Store {
  const made = new Map<PropertyKey, unknown>([['supports', { ...store.supports, ...supports }]])
  return new Proxy(store, {
    get(target, name) {
      const member = target[name as CallName] as unknown
      if (!made.has(name)) {
        made.set(name, typeof member !== 'function' ? member : (...args: unknown[]) =>
          around({ name: name as CallName, args, make: (...others) => (member as (...all: unknown[]) => unknown).apply(target, [...others]) }))
      }
      return made.get(name)
    },
  })
}
