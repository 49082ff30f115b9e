// The database after a store was opened on it: what is created, what is added to existing containers, and
// what is refused if nothing may be created.

import type { Container, ContainerDefinition, ContainerRequest, CosmosClient, IndexingPolicy } from '@azure/cosmos'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openCosmosStore } from '../../../src/store/cosmos/cosmos-store.ts'
import { indexingPolicy as policyFor } from '../../../src/store/cosmos/open/prepare-container.ts'
import type { Query, Selection } from '../../../src/store/query.ts'
import { SetupError, StoreUnavailableError } from '../../../src/store/store-errors.ts'
import type { ContainerLayout, Store } from '../../../src/store/store.ts'
import { book, books, fill, layout as shelf, review } from '../conformance/shelf.ts'
import { openAccount } from '../../emulator/open-account.ts'
import type { CosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'

const bookLayout: ContainerLayout = {
  name: 'books',
  partitionKey: [['pub-id']],
  indexes: [{ type: 'book', orderBy: ['name'] }, { type: 'book', equals: ['authors', '*', 'id'], orderBy: ['name'] }, { type: 'book', equals: ['inner', 'deep-er'] }],
  followed: true,
}

interface Opened {
  readonly server: CosmosEmulator
  readonly client: CosmosClient
  readonly open: (layout: readonly ContainerLayout[], create?: boolean) => Promise<Store>
  readonly definition: (name: string) => Promise<ContainerDefinition>
  /** A container that another program has created. */
  readonly made: (definition: Partial<ContainerRequest>) => Promise<Container>
}

async function openEmpty(): Promise<Opened> {
  const { server, client, container } = await openAccount()
  return {
    server,
    client,
    async open(layout, create = true) {
      const store = await openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'library', create }, layout)
      onTestFinished(() => store.close())
      return store
    },
    definition: async (name) => (await client.database('library').container(name).read()).resource!,
    made: container,
  }
}

async function openFilled(): Promise<Opened & { container: Container }> {
  const opened = await openEmpty()
  const container = await opened.made({ id: 'books', partitionKey: { paths: ['/shelf'] } })
  await container.items.create({ id: 'b1', shelf: 's', name: 'One' })
  return { ...opened, container }
}

function pathsOf({ indexingPolicy }: ContainerDefinition): string[] {
  return indexingPolicy!.includedPaths!.map(({ path }) => path)
}

function ordersOf({ indexingPolicy }: ContainerDefinition): string[] {
  return (indexingPolicy!.compositeIndexes ?? []).map((composite) => composite.map(({ path, order }) => `${path} ${order}`).join(', '))
}

describe('a new container', () => {
  test('indexes the paths that queries use, and nothing else', async () => {
    const { open, definition } = await openEmpty()
    await open([bookLayout])
    const found = await definition('books')
    expect(pathsOf(found).toSorted()).toEqual(['/"pub-id"/?', '/_gone/?', '/authors/[]/id/?', '/inner/"deep-er"/?', '/name/?', '/type/?'])
    expect(found.indexingPolicy).toMatchObject({ indexingMode: 'consistent', automatic: true, excludedPaths: [{ path: '/*' }] })
    expect(found.partitionKey).toEqual({ paths: ['/"pub-id"'], kind: 'Hash', version: 2 })
  })

  test('has one composite index with the id for every order except that by id', async () => {
    const { open, definition } = await openEmpty()
    await open([{ ...bookLayout, indexes: [...bookLayout.indexes, { orderBy: ['name'] }, { orderBy: ['id'] }, { orderBy: ['inner', 'deep-er'] }] }])
    expect(ordersOf(await definition('books'))).toEqual(['/name ascending, /id ascending', '/inner/"deep-er" ascending, /id ascending'])
  })

  test('indexes no type if no index names one, and little without indexes', async () => {
    const { open, definition } = await openEmpty()
    await open([{ name: 'notes', partitionKey: [['topic']], indexes: [] }])
    const found = await definition('notes')
    expect(pathsOf(found)).toEqual(['/topic/?'])
    expect(ordersOf(found)).toEqual([])
  })

  test('has a time to live only if it is followed, and then only documents with their own expire', async () => {
    const { open, definition } = await openEmpty()
    await open([bookLayout, { name: 'notes', partitionKey: [['id']], indexes: [] }])
    expect((await definition('books')).defaultTtl).toBe(-1)
    expect(await definition('notes')).not.toHaveProperty('defaultTtl')
  })

  test('has the levels of the layout\'s partition key', async () => {
    const { open, definition } = await openEmpty()
    await open([{ name: 'parcels', partitionKey: [['tenant'], ['depot-no'], ['inner', 'id']], indexes: [] }])
    expect((await definition('parcels')).partitionKey).toEqual({ paths: ['/tenant', '/"depot-no"', '/inner/id'], kind: 'MultiHash', version: 2 })
  })

  test('quotes names that need it', async () => {
    const { open, definition } = await openEmpty()
    await open([{ name: 'odd', partitionKey: [['1st']], indexes: [{ orderBy: [`it's "quoted"`] }, { equals: ['back\\slash', '*'] }] }])
    const found = await definition('odd')
    expect(pathsOf(found)).toEqual(['/"1st"/?', String.raw`/"it's \"quoted\""/?`, String.raw`/"back\\slash"/[]/?`])
    expect(ordersOf(found)).toEqual([String.raw`/"it's \"quoted\"" ascending, /id ascending`])
  })
})

describe('an existing container', () => {
  const own: IndexingPolicy = {
    indexingMode: 'consistent',
    automatic: true,
    includedPaths: [{ path: '/mine/?' }, { path: '/name/?' }],
    excludedPaths: [{ path: '/*' }],
    compositeIndexes: [[{ path: '/mine', order: 'descending' }, { path: '/name', order: 'ascending' }]],
  }
  const partitionKey = { paths: ['/pub-id'], kind: 'Hash', version: 2 } as NonNullable<ContainerDefinition['partitionKey']>

  test('gets the missing indexes and keeps its own', async () => {
    const { open, definition, made } = await openEmpty()
    await made({ id: 'books', partitionKey, indexingPolicy: own })
    await open([bookLayout])
    const found = await definition('books')
    expect(pathsOf(found)).toEqual(['/mine/?', '/name/?', '/"pub-id"/?', '/type/?', '/_gone/?', '/authors/[]/id/?', '/inner/"deep-er"/?'])
    expect(ordersOf(found)).toEqual(['/mine descending, /name ascending', '/name ascending, /id ascending'])
    expect(found.indexingPolicy).toMatchObject({ indexingMode: 'consistent', automatic: true, excludedPaths: [{ path: '/*' }] })
    expect(found.defaultTtl).toBe(-1)
  })

  test('keeps its documents and its own time to live', async () => {
    const { open, definition, made } = await openEmpty()
    const container = await made({ id: 'books', partitionKey, indexingPolicy: own, defaultTtl: 86_400 })
    await container.items.create({ id: 'b1', 'pub-id': 'p1', type: 'book', name: 'Old' })
    const store = await open([bookLayout])
    expect((await definition('books')).defaultTtl).toBe(86_400)
    expect(await store.readMany('books', [{ partition: ['p1'], id: 'b1' }])).toMatchObject([{ body: { name: 'Old' } }])
  })

  test('is not changed if it has everything, in any notation', async () => {
    const { server, open, made } = await openEmpty()
    await made({
      id: 'books', partitionKey, defaultTtl: -1,
      indexingPolicy: {
        ...own,
        includedPaths: ['/pub-id/?', '/type/?', '/_gone/?', '/name/?', '/authors/[]/id/?', '/inner/deep-er/?'].map((path) => ({ path })),
        compositeIndexes: [[{ path: '/"name"', order: 'ascending' }, { path: '/id', order: 'ascending' }]],
      },
    })
    server.clearLog()
    await open([bookLayout], false)
    expect(server.log.filter(({ applied }) => applied)).toEqual([])
  })

  test('that indexes everything lacks only composite indexes', async () => {
    const { open, definition, made } = await openEmpty()
    await made({ id: 'books', partitionKey })
    await open([bookLayout])
    const found = await definition('books')
    expect(pathsOf(found)).toEqual(['/*'])
    expect(ordersOf(found)).toEqual(['/name ascending, /id ascending'])
  })

  test('is changed once: opening it again changes nothing', async () => {
    const { server, open, made } = await openEmpty()
    await made({ id: 'books', partitionKey, indexingPolicy: own })
    await open([bookLayout])
    server.clearLog()
    await open([bookLayout])
    expect(server.log.filter(({ applied }) => applied)).toEqual([])
  })
})

test('two stores that are opened at the same time create the database and its containers once', async () => {
  const { open, definition } = await openEmpty()
  await Promise.all([open([bookLayout]), open([bookLayout])])
  expect(ordersOf(await definition('books'))).toEqual(['/name ascending, /id ascending'])
})

describe('if nothing may be created', () => {
  test('a database that is missing', async () => {
    const { server, open } = await openEmpty()
    await expectSetupError(open([bookLayout], false), `The database "library" is missing at ${server.endpoint}. Create it, set COSMOS_DATABASE to another, or let Quire create it (COSMOS_CREATE=yes).`)
  })

  test('a container that is missing', async () => {
    const { open, made } = await openEmpty()
    await made({ id: 'others' })
    await expectSetupError(open([bookLayout], false), 'The container "books" is missing in the database "library". Create it with the partition key /"pub-id", or let Quire create it (COSMOS_CREATE=yes).')
    await expectSetupError(
      open([{ name: 'parcels', partitionKey: [['tenant'], ['depot']], indexes: [] }], false),
      'The container "parcels" is missing in the database "library". Create it with the partition key /tenant, /depot, or let Quire create it (COSMOS_CREATE=yes).',
    )
  })

  const notes: ContainerLayout = { name: 'notes', partitionKey: [['pk']], indexes: [{ orderBy: ['n'] }], followed: true }
  const bare: IndexingPolicy = { indexingMode: 'consistent', automatic: true, includedPaths: [{ path: '/pk/?' }, { path: '/_gone/?' }], excludedPaths: [{ path: '/*' }] }
  const complete: IndexingPolicy = { ...bare, includedPaths: [...bare.includedPaths!, { path: '/n/?' }], compositeIndexes: [[{ path: '/n', order: 'ascending' }, { path: '/id', order: 'ascending' }]] }

  test.each<[string, IndexingPolicy, number | undefined, string]>([
    ['an index that is missing', bare, -1, 'indexes that the schema needs'],
    ['a time to live that is missing', complete, undefined, 'a time to live (-1: on, no default)'],
    ['both', bare, undefined, 'indexes that the schema needs and a time to live (-1: on, no default)'],
  ])('%s', async (_, indexingPolicy, defaultTtl, lacking) => {
    const { server, open, made, definition } = await openEmpty()
    await made({ id: 'notes', indexingPolicy, ...(defaultTtl === undefined ? {} : { defaultTtl }) })
    const before = await definition('notes')
    await expectSetupError(open([notes], false), `The container "notes" lacks ${lacking}. Give it the indexing policy ${JSON.stringify(complete)}, or let Quire do it (COSMOS_CREATE=yes).`)
    expect(await definition('notes')).toEqual(before)
    expect(server.log.filter(({ operation, method }) => operation === 'container' && method === 'PUT')).toEqual([])
  })

  test('a complete database is opened', async () => {
    const { open, made } = await openEmpty()
    await made({ id: 'notes', indexingPolicy: complete, defaultTtl: -1 })
    const store = await open([notes], false)
    expect(await store.count({ container: 'notes' })).toBe(0)
  })
})

describe('an index that is added to a container with documents', () => {
  const ordered: ContainerLayout = { name: 'books', partitionKey: [['shelf']], indexes: [{ orderBy: ['name'] }], untyped: true }
  const page: Query = { container: 'books', orderBy: { path: ['name'], descending: false, required: true }, limit: 10 }

  test('is built before the store is open', async () => {
    const { open } = await openFilled()
    expect(await (await open([ordered])).query(page)).toHaveLength(1)
  })

  test('is waited for if another program has added it', async () => {
    const { open, container, definition } = await openFilled()
    await container.replace({ ...(await definition('books')), indexingPolicy: policyFor(ordered) })
    expect(await (await open([ordered], false)).query(page)).toHaveLength(1)
  })

  test('is not waited for if there is none', async () => {
    const { open, server } = await openFilled()
    await open([ordered])
    server.clearLog()
    await open([ordered])
    expect(server.log.filter(({ operation, path }) => operation === 'container' && path.endsWith('/books'))).toHaveLength(1)
  })

  test('makes orders unavailable that need it, if it is taken away and built again while they are served', async () => {
    const { open, container, definition } = await openFilled()
    const store = await open([ordered])
    const policy = (await definition('books')).indexingPolicy!
    await container.replace({ ...(await definition('books')), indexingPolicy: { ...policy, compositeIndexes: [] } })
    for (let reads = 0; reads < 6; reads++) await container.read({ populateQuotaInfo: true })
    await expect(store.query(page)).rejects.toThrow(StoreUnavailableError)
  })
})

describe('a container with another partition key is refused', () => {
  test.each([
    [['/id'], [['pk']], '/id, and the schema declares /pk'],
    [['/pk'], [['p-k']], '/pk, and the schema declares /"p-k"'],
    [['/tenant', '/user'], [['tenant']], '/tenant, /user, and the schema declares /tenant'],
    [['/tenant'], [['tenant'], ['user']], '/tenant, and the schema declares /tenant, /user'],
    [['/user', '/tenant'], [['tenant'], ['user']], '/user, /tenant, and the schema declares /tenant, /user'],
  ])('by %j instead of %j', async (paths, partitionKey, said) => {
    const { open, made } = await openEmpty()
    await made({ id: 'books', partitionKey: { paths, kind: paths.length > 1 ? 'MultiHash' : 'Hash', version: 2 } as NonNullable<ContainerDefinition['partitionKey']> })
    const message = `The container "books" has the partition key ${said}. Declare the container's partitionKey in the schema, or move the documents to a container with the declared one.`
    for (const create of [true, false]) await expectSetupError(open([{ name: 'books', partitionKey, indexes: [] }], create), message)
  })

  test('the same path in another notation is accepted', async () => {
    const { open, made } = await openEmpty()
    await made({ id: 'books', partitionKey: { paths: ['/"pub-id"/inner'] } })
    await expect(open([{ name: 'books', partitionKey: [['pub-id', 'inner']], indexes: [] }])).resolves.toBeDefined()
  })
})

describe('queries of the layout use indexes', () => {
  const byId = { path: ['id'], descending: false }
  const things = (selection: Partial<Query> = {}): Query => ({ container: 'things', orderBy: byId, limit: 10, ...selection })

  const queries: readonly [string, Query][] = [
    ['the documents of a type', books()],
    ['in an order', books({ orderBy: { path: ['name'], descending: false } })],
    ['in an order, backwards', books({ orderBy: { path: ['price'], descending: true } })],
    ['behind a document', books({ orderBy: { path: ['price'], descending: false }, after: { value: 3, id: 'b3' } })],
    ['behind a document without a value', books({ orderBy: { path: ['price'], descending: false }, after: { value: null, id: 'b3' } })],
    ['with a value', books({ where: { op: 'eq', path: ['pub-id'], value: 'p1' }, orderBy: { path: ['name'], descending: false } })],
    ['without a value', books({ where: { op: 'eq', path: ['pub-id'], value: null } })],
    ['with one of several values', books({ where: { op: 'in', path: ['pub-id'], values: ['p1', 'p2', null] } })],
    ['with a value in a list', books({ where: { op: 'eq', path: ['authors', '*', 'id'], value: 'a1' } })],
    ['within bounds', books({ where: { op: 'and', conditions: [{ op: 'gte', path: ['price'], value: 1 }, { op: 'lt', path: ['price'], value: 9 }] } })],
    ['that begin with a text', books({ where: { op: 'startsWith', path: ['name'], value: 'Book' } })],
    ['of which something is not so', books({ where: { op: 'not', condition: { op: 'or', conditions: [{ op: 'eq', path: ['name'], value: 'x' }, { op: 'gt', path: ['price'], value: 1 }] } } })],
    ['in one partition', { container: 'reviews', partition: ['b1'], orderBy: { path: ['rating'], descending: true }, limit: 10 }],
    ['under names that need quotes', things({ type: 'thing', where: { op: 'eq', path: ['a-b'], value: 1 }, orderBy: { path: [`it's "quoted"`], descending: false } })],
    ['with an element of a list', things({ type: 'thing', where: { op: 'eq', path: ['tags', '*'], value: 'x' }, orderBy: { path: ['n'], descending: false } })],
  ]

  test.each(queries)('%s', async (_, query) => {
    const { server, open } = await openEmpty()
    const store = await open(shelf)
    await fill(store, [book('b1', { price: 3, 'pub-id': 'p1', authors: [{ id: 'a1' }] }), review('b1', 'r1', { rating: 3 })])
    server.clearLog()
    await store.query(query)
    await store.count(selectionOf(query))
    expect(server.log.length).toBeGreaterThan(1)
    expect(server.log.filter(({ scanned }) => scanned !== false)).toEqual([])
  })

  test('for each of several values', async () => {
    const { server, open } = await openEmpty()
    const store = await open(shelf)
    server.clearLog()
    await store.queryEach(books({ orderBy: { path: ['name'], descending: false } }), ['pub-id'], ['p1', 'p2', null])
    await store.queryEach(books(), ['authors', '*', 'id'], ['a1', 'a2'])
    await store.countEach(books(), ['pub-id'], ['p1', 'p2', null])
    await store.countEach(books(), ['authors', '*', 'id'], ['a1', 'a2'])
    await store.readMany('books', Array.from({ length: 40 }, (_, at) => ({ partition: [`b${at}`], id: `b${at}` })))
    expect(server.log.filter(({ operation }) => operation === 'query').length).toBeGreaterThan(10)
    expect(server.log.filter(({ operation, scanned }) => operation === 'query' && scanned !== false)).toEqual([])
  })

  test('other queries do not: the server would report it', async () => {
    const { server, open } = await openEmpty()
    const store = await open(shelf)
    server.clearLog()
    await store.count({ container: 'books', where: { op: 'eq', path: ['colour'], value: 'red' } })
    expect(server.log.map(({ scanned }) => scanned)).toEqual([true, true, true, true])
  })

  test('a container that is not followed is not searched for tombstones', async () => {
    const { server, open } = await openEmpty()
    const store = await open([{ name: 'notes', partitionKey: [['id']], indexes: [] }])
    server.clearLog()
    await store.count({ container: 'notes' })
    expect(server.log.map(({ scanned }) => scanned)).toEqual([false, false, false, false])
  })
})

function selectionOf({ orderBy: _, after: __, limit: ___, ...selection }: Query): Selection {
  return selection
}

async function expectSetupError(opening: Promise<unknown>, message: string): Promise<void> {
  const error: unknown = await opening.then(() => undefined, (reason: unknown) => reason)
  expect(error).toBeInstanceOf(SetupError)
  expect((error as SetupError).message).toBe(message)
}
