// A store that outlives its gateways, and migrations of it.

import { applyMigration, type Applied, type ApplyOptions } from '../../../src/evolve/migrate/apply-migration.ts'
import { planMigration, type Answers } from '../../../src/evolve/migrate/plan-migration.ts'
import { isBody, type Body, type Json } from '../../../src/model/json/json.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { ownContainer } from '../../../src/store/own-container.ts'
import type { ContainerLayout, Store } from '../../../src/store/store.ts'
import { openGateway, type Ask, type Documents, type stores } from '../../harness.ts'

export const noAnswers: Answers = { renamed: new Map(), dropped: new Set(), defaults: new Map() }

/** A store with the containers of all these schemas. */
export async function keptStore(open: (typeof stores)[number]['store'], schemas: readonly string[], tenants = false): Promise<Store> {
  const layouts = new Map<string, ContainerLayout>()
  for (const layout of schemas.flatMap((each) => readDeclaration(each, {}, tenants).layout)) {
    const known = layouts.get(layout.name)
    const indexes = [...new Map([...(known?.indexes ?? []), ...layout.indexes].map((index) => [JSON.stringify(index), index])).values()]
    layouts.set(layout.name, { ...layout, indexes, untyped: layout.untyped === true && known?.untyped !== false })
  }
  // A migration beside gateways copies into a container beside the declared one.
  const store = await open([...layouts.values()].flatMap((layout) => (layout.name === ownContainer ? [layout] : [layout, { ...layout, name: `${layout.name}-2` }])))
  return new Proxy(store, { get: (target, name) => (name === 'close' ? () => Promise.resolve() : bound(target, name as keyof Store)) })
}

function bound(store: Store, name: keyof Store): unknown {
  const value: unknown = store[name]
  return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(store) : value
}

/** Serves a schema for as long as `use` runs. */
export async function serving<T>(store: Store, typeDefs: string, use: (ask: Ask) => Promise<T>, documents?: Documents): Promise<T> {
  const ask = await openGateway({ typeDefs, store: () => Promise.resolve(store), ...(documents ? { documents } : {}) })
  try {
    return await use(ask)
  } finally {
    await ask.close()
  }
}

export async function migrate(store: Store, typeDefs: string, answers: Answers = noAnswers, options: Partial<ApplyOptions> = {}): Promise<Applied> {
  const declaration = readDeclaration(typeDefs)
  return applyMigration(declaration, store, await planMigration(declaration, store, answers), answers, { keep: () => {}, silenceMs: 0, ...options })
}

/** All documents but Quire's own, without versions: how often a document was written is no part of what it says. */
export async function documentsIn(store: Store, schemas: readonly string[]): Promise<Record<string, Body>> {
  const names = new Set(schemas.flatMap((each) => readDeclaration(each).layout.map(({ name }) => name)).flatMap((name) => (name === ownContainer ? [] : [name, `${name}-2`])))
  const found = await Promise.all([...names].map(async (container) => (await store.query({ container, orderBy: { path: ['id'], descending: false }, limit: 1000 })).map(({ key, body }) => [`${container} ${JSON.stringify(key.partition)} ${key.id}`, withoutVersions(body) as Body] as const)))
  return Object.fromEntries(found.flat())
}

function withoutVersions(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutVersions)
  if (!isBody(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== '_v' && name !== '_c').map(([name, each]) => [name, withoutVersions(each!)]))
}

/** Lets a process die at its n-th write: nothing that it does afterwards reaches the store. Answers with whether it came so far. */
export async function killedAt(store: Store, write: number, run: (dying: Store) => Promise<unknown>): Promise<boolean> {
  let writes = 0
  const dying = new Proxy(store, {
    get(target, name) {
      const value: unknown = target[name as keyof Store]
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        if (name === 'write' || name === 'atomically') writes++
        if (writes >= write) return Promise.reject(new Error('killed'))
        return (value as (...given: unknown[]) => unknown).apply(target, args)
      }
    },
  })
  try {
    await run(dying)
    return writes >= write
  } catch (error) {
    if (writes < write) throw error
    return true
  }
}
