// Where the store has its documents in this process, a row's code looks up those that the row points at. The answers must
// equal those of GraphQL.js to the letter, while documents change, break and disappear.

import type { Arbitrary } from 'fast-check'
import { getNamedType, type GraphQLNamedType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { createGateway, type GatewayOptions } from '../../../src/gateway.ts'
import { noBudget } from '../../../src/plan/cost/budget.ts'
import { noLimits } from '../../../src/http/limits/request-limits.ts'
import { createLog } from '../../../src/observe/log/log.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { ownContainer } from '../../../src/store/own-container.ts'
import type { ContainerLayout, Store, StoredDocument } from '../../../src/store/store.ts'
import fc, { runs } from '../../fast-check.ts'
import { domains, type Domain } from '../../random/gateways.ts'
import { holdsForAll } from '../../random/holds-for-all.ts'
import { operationsOver } from '../../random/operations-over.ts'
import { pageSize } from '../../random/random-arguments.ts'
import { randomOperation } from '../../random/random-operation.ts'
import type { WrittenOperation } from '../../random/write-operation.ts'
import { wrong } from './damaged-store.ts'
import { failedIn, type Answer } from './failed-in.ts'
import { post } from '../../over-http.ts'

const places = [
  { name: 'memory', open: openMemoryStore, numRuns: runs(250) },
  { name: 'sqlite', open: (layout: readonly ContainerLayout[]) => openSqliteStore(':memory:', layout), numRuns: runs(200) },
]

const timeoutMs = 120_000

for (const [name, domain] of Object.entries(domains)) {
  describe.for(places)(`random operations over ${name} on $name`, ({ open, numRuns }) => {
    test('are answered with lookups as GraphQL.js answers them, while documents break and are repaired', async () => {
      const { quick, reference, store, looked } = await openBoth(domain, open)
      const operations = await lookupOperations(domain)
      const turns = breakingAndRepairing(store, await allDocuments(domain, store))
      let failed = 0
      await holdsForAll(operations, numRuns, async ({ query, variables }) => {
        // Written, and then held against what was written while some of it has changed.
        for (let time = 0; time < 3; time++) {
          await turns()
          const [answer, expected] = [await quick(query, variables), await reference(query, variables)]
          expect(JSON.stringify(answer.data)).toBe(JSON.stringify(expected.data))
          expect(failedIn(answer)).toEqual(failedIn(expected))
          if (expected.errors) failed++
        }
      })
      expect(failed).toBeGreaterThan(numRuns / 20)
      expect(looked.documents).toBeGreaterThan(numRuns / 4)
    }, timeoutMs)
  })
}

describe('a document that a row points at', () => {
  const zoo: Domain = {
    typeDefs: `
      type Cage @document(container: "cages") { id: ID!  name: String!  keeper: Keeper @reference(at: "keeper")  others: [Keeper!]! @reference(at: "others", max: 9) }
      type Keeper @document(container: "keepers") { id: ID!  name: String!  boss: Keeper @reference(at: "boss") }`,
  }
  const query = '{ cages { nodes { name keeper { name boss { name } } others { name } } } }'

  async function openZoo(change?: Change) {
    const opened = await openBoth(zoo, openMemoryStore, change)
    const put = (container: string, id: string, body: object) => opened.store.write([{ kind: 'put', container, key: { partition: [id], id }, body: { id, ...body } }])
    await put('keepers', 'ada', { name: 'Ada', boss: 'bo' })
    await put('keepers', 'bo', { name: 'Bo' })
    await put('cages', 'c1', { name: 'North', keeper: 'ada', others: ['bo', 'ada'] })
    await put('cages', 'c2', { name: 'South', keeper: 'ada', others: ['nobody'] })
    return { ...opened, put, shown: async () => ((await opened.quick(query, {})).data as { cages: { nodes: unknown } }).cages.nodes }
  }

  test('is shown as it is now, as are the rows that show it', async () => {
    const { put, shown, store } = await openZoo()
    const south = { name: 'South', keeper: { name: 'Ada', boss: { name: 'Bo' } }, others: [] }
    for (let time = 0; time < 3; time++) expect(await shown()).toEqual([{ name: 'North', keeper: { name: 'Ada', boss: { name: 'Bo' } }, others: [{ name: 'Bo' }, { name: 'Ada' }] }, south])
    await put('keepers', 'bo', { name: 'Bob' })
    for (let time = 0; time < 3; time++) expect(await shown()).toEqual([{ name: 'North', keeper: { name: 'Ada', boss: { name: 'Bob' } }, others: [{ name: 'Bob' }, { name: 'Ada' }] }, { ...south, keeper: { name: 'Ada', boss: { name: 'Bob' } } }])
    await store.write([{ kind: 'delete', container: 'keepers', key: { partition: ['ada'], id: 'ada' } }])
    for (let time = 0; time < 3; time++) expect(await shown()).toEqual([{ name: 'North', keeper: null, others: [{ name: 'Bob' }] }, { ...south, keeper: null }])
    await put('keepers', 'nobody', { name: 'Nobody' })
    for (let time = 0; time < 3; time++) expect(await shown()).toEqual([{ name: 'North', keeper: null, others: [{ name: 'Bob' }] }, { ...south, keeper: null, others: [{ name: 'Nobody' }] }])
  })

  test('is looked up as it is when the page has arrived, not as it was when the page was asked for', async () => {
    let [turn, waits] = [0, 0]
    const { put, shown } = await openZoo((real) => ({
      // Otherwise the answer would be made again after each write.
      moment: () => undefined,
      async query(wanted) {
        if (wanted.container !== 'cages') return real.query(wanted)
        waits++
        const page = await real.query(wanted)
        turn++
        if (waits > 2) await put('keepers', 'bo', { name: `Bo ${turn}` })
        return page
      },
      lookIn(container) {
        const [look, since] = [real.lookIn(container)!, turn]
        return (key) => {
          if (turn !== since) throw new Error('This is not how it is any more.')
          return look(key)
        }
      },
    }))
    for (let time = 1; time <= 5; time++) expect(await shown()).toMatchObject([{ keeper: { boss: { name: time > 2 ? `Bo ${time}` : 'Bo' } } }, { name: 'South' }])
  })
})

/** Operations that ask for little but what rows point at, from one page or one document on. */
async function lookupOperations(domain: Domain): Promise<Arbitrary<WrittenOperation>> {
  const { schema, known } = await operationsOver(domain)
  const roots = Object.values(schema.getQueryType()!.getFields()).filter(({ name }) => !['node', 'nodes'].includes(name))
  const from = (root: string) => randomOperation(schema, known, (parent, field) => (parent === schema.getQueryType() ? field.name === root : !isConnection(getNamedType(field.type))))
  return fc.oneof(...roots.map(({ name }) => from(name)))
}

function isConnection({ name }: GraphQLNamedType): boolean {
  return name.endsWith('Connection')
}

/** What a store does differently. */
type Change = (store: Store) => Partial<Store>

type Ask = (query: string, variables: object) => Promise<Answer>

/** Two gateways over one store: one with compiled plans that look documents up, the other with neither. */
async function openBoth(domain: Domain, open: GatewayOptions['store'], change: Change = () => ({})) {
  const store = await open(readDeclaration(domain.typeDefs, domain.derive).layout)
  const looked = { documents: 0 }
  const ask = async (compiles: boolean, of: Store): Promise<Ask> => {
    const gateway = await createGateway({ ...domain, openReads: true, store: async () => of, compiles, log: createLog({ level: 'silent', readable: false }), cursorSecret: 'tests', pageSizes: { default: pageSize }, budget: noBudget, limits: noLimits })
    return async (query, variables) => {
      const response = await post(gateway, { query, variables })
      return (await response.json()) as Answer
    }
  }
  return { quick: await ask(true, watched(store, looked, change)), reference: await ask(false, { ...store, lookIn: () => undefined }), store, looked }
}

/** The same store, which counts the documents that are looked up. */
function watched(store: Store, looked: { documents: number }, change: Change): Store {
  const changed = { ...store, ...change(store) }
  return {
    ...changed,
    lookIn(container) {
      const look = changed.lookIn(container)
      return look && ((key) => {
        looked.documents++
        return look(key)
      })
    },
  }
}

async function allDocuments(domain: Domain, store: Store): Promise<{ readonly container: string; readonly document: StoredDocument }[]> {
  const { layout } = readDeclaration(domain.typeDefs, domain.derive)
  const pages = await Promise.all(layout.map(async ({ name: container }) => (await store.query({ container, orderBy: { path: ['id'], descending: false }, limit: 10_000 })).map((document) => ({ container, document }))))
  return pages.flat().filter(({ container, document: { body } }) => container !== ownContainer && body['id'] !== undefined)
}

/** With every turn some documents break, and some of those that are broken become what they were. */
function breakingAndRepairing(store: Store, documents: readonly { readonly container: string; readonly document: StoredDocument }[]): () => Promise<void> {
  const perTurn = 2
  let next = 0
  return async () => {
    for (let many = 0; many < perTurn; many++, next++) {
      // Those next to each other are of one container, so it goes on in strides.
      const { container, document: { key, body } } = documents[(next * 101) % documents.length]!
      const repairs = Math.floor(next / documents.length) % 2 === 1
      await store.write([{ kind: 'put', container, key, body: repairs ? body : wrong(body) }])
    }
  }
}
