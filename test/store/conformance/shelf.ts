// The containers and documents of the conformance suite, and how a test gets a fresh store that holds
// them.

import type { Key } from '../../../src/model/keys/key.ts'
import { partitionText } from '../../../src/model/keys/key.ts'
import type { Order, Query } from '../../../src/store/query.ts'
import type { Body } from '../../../src/model/json/json.ts'
import type { ContainerLayout, Store, StoredDocument, Write } from '../../../src/store/store.ts'

/**
 * Opens an empty store that no other test uses.
 *
 * @example
 * ```ts
 * const open: OpenStore = (layout) => openMemoryStore(layout)
 * ```
 */
export type OpenStore = (layout: readonly ContainerLayout[]) => Promise<Store>

export type Put = Extract<Write, { kind: 'put' }>

/** Orders of several values that have an index. */
export const severalOrders: readonly (readonly Order[])[] = [
  [{ path: ['n'], descending: false }, { path: ['Name'], descending: false }],
  [{ path: ['n'], descending: false }, { path: ['Name'], descending: true }],
  [{ path: ['Name'], descending: true }, { path: ['inner', 'deep-er'], descending: true }, { path: ['n'], descending: false }],
]

export const layout: readonly ContainerLayout[] = [
  {
    name: 'books',
    partitionKey: [['id']],
    indexes: [
      { type: 'book', orderBy: ['name'] },
      { type: 'book', orderBy: ['price'] },
      { type: 'book', equals: ['pub-id'] },
      { type: 'book', equals: ['pub-id'], orderBy: ['name'] },
      { type: 'book', equals: ['authors', '*', 'id'] },
      { type: 'book', equals: ['authors', '*', 'id'], orderBy: ['name'] },
    ],
    followed: true,
  },
  { name: 'reviews', partitionKey: [['bookId']], indexes: [{ orderBy: ['rating'] }], followed: true },
  {
    name: 'things',
    partitionKey: [['shelf']],
    indexes: [
      { type: 'thing', orderBy: ['n'] },
      { type: 'thing', equals: ['a-b'], orderBy: [`it's "quoted"`] },
      { type: 'thing', equals: ['tags', '*'], orderBy: ['n'] },
      { equals: ['items', '*', 'it-id'] },
      { equals: ['Name'], orderBy: ['name'] },
      ...severalOrders.map(([first, ...further]) => ({ orderBy: first!.path, thenBy: further.map(({ path, descending }) => ({ path, isOpposite: descending !== first!.descending })) })),
      { type: 'thing', equals: ['a-b'], orderBy: ['n'], thenBy: [{ path: ['Name'], isOpposite: true }] },
      // Some stores can order only by indexed paths.
      ...[['a-b'], ['Name'], ['inner', 'deep-er'], ['back\\slash'], ['inner', 'length'], ['tags', 'length'], ['constructor']].map((orderBy) => ({ orderBy })),
    ],
    followed: true,
  },
  { name: 'others', partitionKey: [['shelf']], indexes: [], followed: true },
  { name: 'notes', partitionKey: [['id']], indexes: [] },
]

export async function withStore(open: OpenStore, documents: readonly Put[], work: (store: Store) => Promise<void>): Promise<void> {
  const store = await open(layout)
  try {
    await fill(store, documents)
    await work(store)
  } finally {
    await store.close()
  }
}

/** In as few writes as the store's atomic scope allows. */
export async function fill(store: Store, writes: readonly Write[]): Promise<void> {
  const scope = ({ container, key }: Write): string => (store.supports.atomic === 'store' ? '' : container + partitionText(key.partition))
  const batches = [...Map.groupBy(writes, scope).values()].flatMap((together) => inChunks(together, 100))
  await Promise.all(batches.map((batch) => store.write(batch)))
}

/** Replaces all documents of the container by these. */
export async function refill(store: Store, container: string, documents: readonly Put[]): Promise<void> {
  const old = await store.query({ container, orderBy: { path: ['id'], descending: false }, limit: 1000 })
  await fill(store, old.map(({ key }) => ({ kind: 'delete', container, key })))
  await fill(store, documents)
}

export function book(id: string, properties: Body = {}): Put {
  return { kind: 'put', container: 'books', key: bookKey(id), body: { id, type: 'book', name: `Book ${id}`, ...properties } }
}

export function bookKey(id: string): Key {
  return { partition: [id], id }
}

export function review(bookId: string, id: string, properties: Body = {}): Put {
  return { kind: 'put', container: 'reviews', key: { partition: [bookId], id }, body: { id, bookId, ...properties } }
}

export function thing(id: string, properties: Body): Put {
  return { kind: 'put', container: 'things', key: { partition: ['p1'], id }, body: { id, shelf: 'p1', type: 'thing', ...properties } }
}

/** Increments the price of a book atomically. */
export function increment(store: Store, id: string): Promise<string[]> {
  return store.atomically(async () => [book(id, { price: 1 + (await priceOf(store, id)) })])
}

export async function priceOf(store: Store, id: string): Promise<number> {
  const [document] = await store.readMany('books', [bookKey(id)])
  return Number(document?.body.price)
}

/** A plan that has begun and returns when the test tells it to. */
export async function underWay(store: Store): Promise<{ ended: Promise<unknown>; end: (writes: readonly Write[]) => void }> {
  const begun = Promise.withResolvers<void>()
  const told = Promise.withResolvers<readonly Write[]>()
  const ended = store.atomically(() => {
    begun.resolve()
    return told.promise
  })
  await begun.promise
  return { ended, end: told.resolve }
}

/** All books by id, unless the test says otherwise. */
export function books(query: Partial<Query> = {}): Query {
  return { container: 'books', type: 'book', orderBy: { path: ['id'], descending: false }, limit: 100, ...query }
}

export function idsOf(documents: readonly (Pick<StoredDocument, 'key'> | undefined)[]): (string | undefined)[] {
  return documents.map((document) => document?.key.id)
}

function inChunks<Element>(elements: readonly Element[], size: number): Element[][] {
  return Array.from({ length: Math.ceil(elements.length / size) }, (_, at) => elements.slice(at * size, (at + 1) * size))
}
