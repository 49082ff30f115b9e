// What is not there costs no more than what is: nothing to look for, and a reference whose document is gone. Counted where it is
// done: SQLite's statements, and in memory the documents and parts of indexes that are looked at.

import { StatementSync } from 'node:sqlite'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { MemoryContainer } from '../../src/store/memory/memory-container.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { SortedRows } from '../../src/store/memory/sorted-rows.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { documentWrites } from '../harness.ts'
import { post } from '../over-http.ts'
import { newFile } from '../store/sqlite/new-file.ts'

const typeDefs = `
  type Book @document(container: "books") { id: ID!  name: String! @indexed  writer: Writer @reference(at: "writerId") }
  type Writer @document(container: "writers") { id: ID!  name: String! }`

const shelf = 20
const documents = {
  Book: ['found', 'lost'].flatMap((name) => Array.from({ length: shelf }, (_, at) => ({ id: `${name}${at}`, name, writerId: `${name}${at}` }))),
  Writer: Array.from({ length: shelf }, (_, at) => ({ id: `found${at}`, name: 'Ada' })),
}

const stores: readonly { readonly name: string; readonly store: GatewayOptions['store']; readonly spy: () => { readonly calls: () => number } }[] = [
  { name: 'memory', store: openMemoryStore, spy: () => counted(vi.spyOn(MemoryContainer.prototype, 'get'), vi.spyOn(SortedRows.prototype, 'walk'), vi.spyOn(SortedRows.prototype, 'slice'), vi.spyOn(SortedRows.prototype, 'rankOf')) },
  { name: 'sqlite', store: (layout) => openSqliteStore(newFile(), layout), spy: () => counted(vi.spyOn(StatementSync.prototype, 'all'), vi.spyOn(StatementSync.prototype, 'get')) },
]

function counted(...spies: readonly { readonly mock: { readonly calls: readonly unknown[] } }[]) {
  return { calls: () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0) }
}

const listOf = (names: string): string => `{ books(first: 5, filter: { name: { in: [${names}] } }) { totalCount nodes { name } } }`
const writersOf = (name: string): string => `{ books(first: ${shelf}, filter: { name: { eq: "${name}" } }) { nodes { writer { name } } } }`
const writerOf = (id: string): string => `{ book(id: "${id}") { writer { name } } }`
const writers = (writer: object | null) => ({ books: { nodes: Array.from({ length: shelf }, () => ({ writer })) } })

function noMore(costs: readonly number[], than: readonly number[]): void {
  expect(costs.filter((cost, at) => cost > than[at]!), `${costs.join(' ')} instead of ${than.join(' ')}`).toEqual([])
}

afterEach(() => void vi.restoreAllMocks())

describe.each(stores)('on $name', ({ store, spy }) => {
  async function open() {
    const gateway = await createGateway({ typeDefs, store, seed: ({ model }) => documentWrites(model, documents), openReads: true, cursorSecret: 'tests', followEveryMs: 3_600_000 })
    const { calls } = spy()
    /** What an operation costs when it is asked for the first time, and from then on. */
    const costOf = async (query: string, expected: unknown): Promise<readonly number[]> => {
      const costs: number[] = []
      for (let times = 0; times < 4; times++) {
        const before = calls()
        expect(await (await post(gateway, { query })).json()).toEqual({ data: expected })
        costs.push(calls() - before)
      }
      return costs
    }
    return { gateway, costOf }
  }

  test('a list of nothing to look for costs no more than a list of one value', async () => {
    const { gateway, costOf } = await open()
    const hit = await costOf(listOf('"found"'), { books: { totalCount: shelf, nodes: Array.from({ length: 5 }, () => ({ name: 'found' })) } })
    noMore(await costOf(listOf(''), { books: { totalCount: 0, nodes: [] } }), hit)
    noMore(await costOf(listOf('"nowhere"'), { books: { totalCount: 0, nodes: [] } }), hit)
    await gateway.dispose()
  })

  test('references whose documents are gone cost no more than those whose documents are there', async () => {
    const { gateway, costOf } = await open()
    const hit = await costOf(writersOf('found'), writers({ name: 'Ada' }))
    noMore(await costOf(writersOf('lost'), writers(null)), hit)
    noMore(await costOf(writerOf('lost1'), { book: { writer: null } }), await costOf(writerOf('found1'), { book: { writer: { name: 'Ada' } } }))
    await gateway.dispose()
  })
})
