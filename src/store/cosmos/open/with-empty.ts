// A store that answers for containers that are missing as if they were empty, and refuses to write to them.

import type { Store } from '../../store.ts'

export function withEmpty(store: Store, names: readonly string[]): Store {
  const missing = new Set(names)
  if (missing.size === 0) return store
  const own: Partial<Store> = {
    readMany: (name, keys, meter) => (missing.has(name) ? keys.map(() => undefined) : store.readMany(name, keys, meter)),
    query: (query, meter) => (missing.has(query.container) ? [] : store.query(query, meter)),
    queryEach: (query, by, values, meter) => (missing.has(query.container) ? values.map(() => []) : store.queryEach(query, by, values, meter)),
    count: (selection, meter) => (missing.has(selection.container) ? 0 : store.count(selection, meter)),
    countEach: (selection, by, values, meter) => (missing.has(selection.container) ? values.map(() => 0) : store.countEach(selection, by, values, meter)),
    reach: (selection) => (missing.has(selection.container) ? 1 : store.reach(selection)),
  }
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = own[name as keyof Store] ?? target[name as keyof Store]
      return typeof value === 'function' && !(name in own) ? (value as (...args: unknown[]) => unknown).bind(target) : value
    },
  })
}
