// Paging through lists, as clients do it: walks in both directions, what is refused, and what a page
// costs. Root lists stand for all; the other kinds of list take part where they could differ.

import { describe, expect, test } from 'vitest'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { bucketKey } from '../../src/model/keys/bucket.ts'
import type { Body } from '../../src/model/json/json.ts'
import type { Store } from '../../src/store/store.ts'
import { openGateway, stores, type Ask } from '../harness.ts'

const typeDefs = /* GraphQL */ `
  type Shelf @document(container: "shelves", plural: "shelves", partitionKey: "/shelfId", type: "shelf") {
    id: ID!
    items: ItemConnection! @reverse(of: "Item.shelf", orderBy: "rank", descending: true)
    labels: LabelConnection! @joined(through: "Labelling")
    notes: NoteConnection! @bucketed(at: "recentNotes", recent: 2, size: 3, key: "shelfId", type: "notes")
  }
  type Item @document(container: "items") {
    id: ID!
    rank: Int @indexed
    group: String @indexed
    price: Float @indexed
    sold: Boolean @indexed
    shelf: Shelf @reference(at: "shelfId") @indexed
  }
  type Label @document(container: "labels") { id: ID! }
  type Labelling @document(container: "labellings", partitionKey: "/shelfId") {
    id: ID!
    shelf: Shelf! @reference(at: "shelfId")
    label: Label! @reference(at: "labelId")
  }
  type Note { id: ID! }
`

type Item = Body & { readonly id: string }

/** Ids that sort differently by letter, by number, by UTF-8 byte and by code point; equal values, and two ways of having none. */
const items: readonly Item[] = ['i10', 'i9', 'B', 'a', 'é', '😀', '\ud7fb', "o'x", 'Z', '_', '%', '! !', 'i1', 'i2', 'A', 'ä', 'zz', 'z', '0', '00', '-1'].map((id, at) => ({
  id,
  rank: [3, 1, null, 1, undefined, 2, 3][at % 7],
  group: ['x', 'X', '', undefined, 'y'][at % 5],
  price: [0.5, -1, 2, undefined][at % 4],
  sold: [true, undefined, false][at % 3],
  shelfId: ['s', 's', 'other', undefined][at % 4],
}))
const notes = Array.from({ length: 8 }, (_, number) => ({ id: `n${number}`, number }))
const labels = ['l1', 'l2', 'l3', 'l4', 'l5']

const documents = {
  Shelf: [
    { id: 's', shelfId: 's', recentNotes: notes.slice(-2).toReversed(), countOfNotes: notes.length },
    ...[0, 1].map((bucket) => ({ id: bucketKey('s', 'notes', bucket).id, shelfId: 's', type: 'notes', entries: notes.slice(0, -2).slice(bucket * 3, bucket * 3 + 3) })),
  ],
  Item: items,
  Label: labels.map((id) => ({ id })),
  Labelling: labels.map((labelId, at) => ({ id: `j${at}`, shelfId: 's', labelId })),
}

/** Each kind of list: how it is asked for with some arguments, and all that is in it. */
const lists = {
  'a root list': { of: (args: string, selection: string) => `list: items${args} ${selection}`, ids: ordered(items, 'id', false) },
  'a reverse relation': { of: onShelf('items'), ids: ordered(items.filter(({ shelfId }) => shelfId === 's'), 'rank', true) },
  'a joined relation': { of: onShelf('labels'), ids: labels },
  'a bucketed list': { of: onShelf('notes'), ids: notes.map(({ id }) => id).toReversed() },
}
type List = (typeof lists)[keyof typeof lists]

const edges = '{ edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }'

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean; readonly startCursor: string | null; readonly endCursor: string | null }
}

describe.each(stores)('on $name', ({ store }) => {
  const opened = openOnce(store)

  describe.each(Object.entries(lists))('%s', (_, list) => {
    test.each([1, 2, 3, 100])('is walked in pages of %i, in both directions, each entry once and in order', async (size) => {
      const { ask } = await opened
      expect(await walk(ask, list.of, size, 'forwards')).toEqual(list.ids)
      expect(await walk(ask, list.of, size, 'backwards')).toEqual(list.ids)
    })

    test('goes on exactly behind, and exactly before, each of its entries', async () => {
      const { ask } = await opened
      const all = await pageOf(ask, list.of('(first: 100)', edges))
      for (const [at, { cursor }] of all.edges.entries()) {
        const [behind, before] = await Promise.all([
          pageOf(ask, list.of('(first: 2, after: $cursor)', edges), cursor),
          pageOf(ask, list.of('(last: 2, before: $cursor)', edges), cursor),
        ])
        expect(idsOf(behind)).toEqual(list.ids.slice(at + 1, at + 3))
        expect(idsOf(before)).toEqual(list.ids.slice(Math.max(0, at - 2), at))
      }
    })

    test('has a page of nothing that still knows whether the list goes on', async () => {
      const { ask } = await opened
      const [first, last] = await Promise.all([pageOf(ask, list.of('(first: 0)', edges)), pageOf(ask, list.of('(last: 0)', edges))])
      expect(first).toEqual({ edges: [], pageInfo: { hasNextPage: true, hasPreviousPage: false, startCursor: null, endCursor: null } })
      expect(last).toEqual({ edges: [], pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null } })
    })
  })

  describe('a walk keeps to the filter and the order', () => {
    const filters: { readonly [filter: string]: (item: Item) => boolean } = {
      '{}': () => true,
      '{ group: { eq: "x" } }': ({ group }) => group === 'x',
      '{ rank: { isNull: true } }': ({ rank }) => (rank ?? null) === null,
      '{ rank: { gte: 2 } }': ({ rank }) => typeof rank === 'number' && rank >= 2,
      '{ shelfId: { eq: "s" } }': ({ shelfId }) => shelfId === 's',
      '{ not: { sold: { eq: true } } }': ({ sold }) => sold !== true,
    }
    const orders = ['ID', 'RANK', 'GROUP', 'PRICE', 'SOLD'].flatMap((field) => ['ASC', 'DESC'].map((direction) => ({ field, direction })))

    test.each(orders)('by $field $direction', async ({ field, direction }) => {
      const { ask } = await opened
      for (const [filter, keep] of Object.entries(filters)) {
        const expected = ordered(items.filter(keep), field.toLowerCase(), direction === 'DESC')
        const list = (args: string, selection: string) =>
          `list: items(${args.slice(1, -1)}, filter: ${filter}, orderBy: { field: ${field}, direction: ${direction} }) ${selection}`
        expect(expected.length, filter).toBeGreaterThan(2)
        for (const size of [2, 5]) {
          expect(await walk(ask, list, size, 'forwards'), `${filter} forwards by ${size}`).toEqual(expected)
          expect(await walk(ask, list, size, 'backwards'), `${filter} backwards by ${size}`).toEqual(expected)
        }
      }
    })
  })

  describe('the size of a page', () => {
    test.each([
      ['', 3], ['(first: 4)', 4], ['(first: 5)', 5], ['(first: 6)', 5], ['(first: 2147483647)', 5], ['(last: 2147483647)', 5], ['(first: null)', 3], ['(last: null)', 3],
    ])('items%s has %i entries, where 3 are usual and 5 the most', async (args, length) => {
      const ask = await openGateway({ typeDefs, store, documents, pageSizes: { default: 3, max: 5 } })
      const { data, report } = await ask(`{ items${args} { nodes { id } pageInfo { hasNextPage hasPreviousPage } } }`)
      const { nodes, pageInfo } = (data as { items: { nodes: unknown[]; pageInfo: Page['pageInfo'] } }).items
      expect(nodes).toHaveLength(length)
      expect(pageInfo).toEqual(args.startsWith('(last: 2') ? { hasNextPage: false, hasPreviousPage: true } : { hasNextPage: true, hasPreviousPage: false })
      expect(report.calls.map((call) => call.documents)).toEqual([length + 1])
    })
  })

  describe('what is refused', () => {
    const refusals: { readonly [args: string]: string } = {
      '(first: -1)': 'first is -1. Give a number from 0 to 1000.',
      '(last: -7)': 'last is -7. Give a number from 0 to 1000.',
      '(first: 1, last: 1)': 'Give first or last, not both.',
      '(first: 0, last: 0)': 'Give first or last, not both.',
      '(last: 1, after: $cursor)': 'after goes with first. To page backwards, give last and before.',
      '(first: 1, before: $cursor)': 'before goes with last. To page forwards, give first and after.',
      '(before: $cursor)': 'before goes with last. To page forwards, give first and after.',
      '(first: 1, after: "nonsense")': notThisCursor('after'),
      '(last: 1, before: "nonsense")': notThisCursor('before'),
    }

    describe.each(Object.entries(lists))('of %s', (_, list) => {
      test.each(Object.entries(refusals))('%s', async (args, message) => {
        const { ask, statusOf } = await opened
        const cursor = await cursorOf(ask, list)
        await expectRefused({ ask, statusOf }, list.of(args, '{ nodes { id } }'), cursor, message)
      })

      test('a cursor in which anything was changed', async () => {
        const { ask, statusOf } = await opened
        const cursor = await cursorOf(ask, list)
        const middle = Math.floor(cursor.length / 2)
        const tampered = cursor.slice(0, middle) + (cursor[middle] === 'A' ? 'B' : 'A') + cursor.slice(middle + 1)
        for (const wrong of [tampered, cursor.slice(1), cursor.slice(0, -4), cursor + cursor]) {
          await expectRefused({ ask, statusOf }, list.of('(first: 1, after: $cursor)', '{ nodes { id } }'), wrong, notThisCursor('after'))
        }
      })

      test('a cursor of any other list', async () => {
        const { ask, statusOf } = await opened
        for (const other of Object.values(lists).filter((each) => each !== list)) {
          const cursor = await cursorOf(ask, other)
          await expectRefused({ ask, statusOf }, list.of('(first: 1, after: $cursor)', '{ nodes { id } }'), cursor, notThisCursor('after'))
          await expectRefused({ ask, statusOf }, list.of('(last: 1, before: $cursor)', '{ nodes { id } }'), cursor, notThisCursor('before'))
        }
      })
    })

    test('a cursor of the same list in another order', async () => {
      const { ask, statusOf } = await opened
      const byRank = 'orderBy: { field: RANK }'
      const cursor = await cursorOf(ask, { of: (_, selection) => `list: items(first: 1, ${byRank}) ${selection}` })
      for (const order of ['', 'orderBy: { field: GROUP }', 'orderBy: { field: RANK, direction: DESC }']) {
        await expectRefused({ ask, statusOf }, `items(first: 1, after: $cursor, ${order}) { nodes { id } }`, cursor, notThisCursor('after'))
      }
      expect((await ask(operation(`items(first: 1, after: $cursor, ${byRank}) { nodes { id } }`), { variables: { cursor } })).errors).toBeUndefined()
    })

    test('a cursor of a gateway with another secret', async () => {
      const { ask, statusOf } = await opened
      const other = await openGateway({ typeDefs, store, documents, cursorSecret: 'another' })
      const cursor = await cursorOf(other, lists['a root list'])
      await expectRefused({ ask, statusOf }, 'items(after: $cursor) { nodes { id } }', cursor, notThisCursor('after'))
    })
  })

  describe('what is read', () => {
    const costs: { readonly [selection: string]: readonly string[] } = {
      '{ totalCount }': ['count items: 0'],
      '{ again: totalCount totalCount }': ['count items: 0'],
      '{ nodes { id } }': ['query items: 4'],
      '{ edges { cursor node { id } } nodes { id } pageInfo { startCursor endCursor } }': ['query items: 4'],
      '{ totalCount nodes { id } }': ['count items: 0', 'query items: 4'],
      '{ __typename }': [],
      '{ nodes { id } pageInfo { hasNextPage } }': ['query items: 5'],
      '{ pageInfo { hasNextPage } }': ['query items: 5'],
      '{ nodes { id } pageInfo { more: hasNextPage } }': ['query items: 5'],
      '{ nodes { id } ... on ItemConnection { pageInfo { ... { hasNextPage } } } }': ['query items: 5'],
      '{ nodes { id } pageInfo { endCursor hasNextPage @skip(if: true) } }': ['query items: 4'],
      '{ nodes { id } pageInfo @include(if: false) { hasNextPage } }': ['query items: 4'],
    }

    test.each(Object.entries(costs))('items(first: 4) %s', async (selection, reads) => {
      const { ask } = await opened
      const { errors, report } = await ask(`{ items(first: 4) ${selection} }`)
      expect(errors).toBeUndefined()
      expect(documentsRead(report).toSorted()).toEqual(reads)
    })

    test('a page of nothing reads no document, and one when it is asked whether there are any', async () => {
      const { ask } = await opened
      expect(documentsRead((await ask('{ items(first: 0) { nodes { id } } }')).report)).toEqual(['query items: 0'])
      expect(documentsRead((await ask('{ items(first: 0) { nodes { id } pageInfo { hasNextPage } } }')).report)).toEqual(['query items: 1'])
    })

    test('two places in one operation each look further only if they ask', async () => {
      const { ask } = await opened
      const { report } = await ask('{ a: items(first: 2) { nodes { id } } b: items(first: 2) { nodes { id } pageInfo { hasNextPage } } }')
      expect(documentsRead(report).toSorted()).toEqual(['query items: 2', 'query items: 3'])
    })

    test('the total of a relation is counted without a page, and of a bucketed list it is in the document', async () => {
      const { ask } = await opened
      const { data, report } = await ask('{ shelf(id: "s") { items { totalCount } labels { totalCount } notes { totalCount } } }')
      expect(data).toEqual({ shelf: { items: { totalCount: lists['a reverse relation'].ids.length }, labels: { totalCount: 5 }, notes: { totalCount: 8 } } })
      expect(documentsRead(report).toSorted()).toEqual(['count items: 0', 'count labellings: 0', 'read shelves: 1'])
    })

    test('the total does not depend on the page', async () => {
      const { ask } = await opened
      const cursor = await cursorOf(ask, lists['a root list'])
      const { data } = await ask(operation('items(first: 1, after: $cursor) { totalCount }'), { variables: { cursor } })
      expect(data).toEqual({ items: { totalCount: items.length } })
    })
  })
})

/** One gateway for asking and one for looking at the status, over the same store. */
async function openOnce(store: GatewayOptions['store']) {
  let opened: Promise<Store> | undefined
  const once: GatewayOptions['store'] = (layout) => (opened ??= store(layout))
  const ask = await openGateway({ typeDefs, store: once, documents })
  const yoga = await createGateway({ typeDefs, store: once, cursorSecret: 'tests' })
  const statusOf = async (query: string, variables: object): Promise<number> => {
    const body = JSON.stringify({ query, variables })
    return (await yoga.fetch('http://quire/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status
  }
  return { ask, statusOf }
}

/** The whole list, page by page, put together in the order of the list. */
async function walk(ask: Ask, list: List['of'], size: number, direction: 'forwards' | 'backwards'): Promise<string[]> {
  const forwards = direction === 'forwards'
  const args = forwards ? `(first: ${size}, after: $cursor)` : `(last: ${size}, before: $cursor)`
  const seen: string[] = []
  let cursor: string | null = null
  for (let pages = 0; pages <= items.length; pages++) {
    const page = await pageOf(ask, list(args, edges), cursor)
    const ids = idsOf(page)
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page.pageInfo
    expect([startCursor, endCursor]).toEqual([page.edges[0]?.cursor ?? null, page.edges.at(-1)?.cursor ?? null])
    expect(forwards ? hasPreviousPage : hasNextPage).toBe(pages > 0)
    seen.splice(forwards ? seen.length : 0, 0, ...ids)
    if (!(forwards ? hasNextPage : hasPreviousPage)) return seen
    expect(ids).toHaveLength(size)
    cursor = forwards ? endCursor : startCursor
  }
  throw new Error(`The list does not end: ${seen.join(', ')}`)
}

async function pageOf(ask: Ask, selection: string, cursor: string | null = null): Promise<Page> {
  const { data, errors } = await ask(operation(selection), { variables: { cursor } })
  expect(errors).toBeUndefined()
  const { list, shelf } = data as { list?: Page; shelf?: { list: Page } }
  return (list ?? shelf?.list)!
}

async function cursorOf(ask: Ask, list: Pick<List, 'of'>): Promise<string> {
  return (await pageOf(ask, list.of('(first: 1)', edges))).pageInfo.endCursor!
}

async function expectRefused({ ask, statusOf }: Awaited<ReturnType<typeof openOnce>>, selection: string, cursor: string, message: string): Promise<void> {
  const { errors } = await ask(operation(selection), { variables: { cursor } })
  expect(errors?.map((error) => [error.message, error.extensions?.code])).toEqual([[message, 'BAD_USER_INPUT']])
  expect([200, 400]).toContain(await statusOf(operation(selection), { cursor }))
}

function notThisCursor(name: 'after' | 'before'): string {
  return `${name} is not a cursor of this list in this order. Take one from its own edges or pageInfo.`
}

/** The variable is declared only where it is used, or the operation would not be valid. */
function operation(selection: string): string {
  return selection.includes('$cursor') ? `query ($cursor: String) { ${selection} }` : `{ ${selection} }`
}

function onShelf(field: string) {
  return (args: string, selection: string) => `shelf(id: "s") { list: ${field}${args} ${selection} }`
}

function idsOf(page: Page): string[] {
  return page.edges.map(({ node }) => node.id)
}

function documentsRead({ calls }: Awaited<ReturnType<Ask>>['report']): string[] {
  return calls.map((call) => `${call.operation} ${call.container}: ${call.documents}`)
}

/** Nothing first, then by value, text by its UTF-8 bytes; equal values by id, the same way round. */
function ordered(all: readonly Item[], property: string, descending: boolean): string[] {
  const ascending = all.toSorted((a, b) => compare(a[property] ?? null, b[property] ?? null) || compare(a.id, b.id)).map(({ id }) => id)
  return descending ? ascending.toReversed() : ascending
}

function compare(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  return typeof a === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(b as string)) : Number(a) - Number(b)
}
