// More long queries than the store can answer in time: the gateway refuses some with the status of an overload, each once, and
// goes on answering others.

import { afterAll, expect, test } from 'vitest'
import { createGateway } from '../../../src/gateway.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import type { Write } from '../../../src/store/store.ts'
import { post } from '../../over-http.ts'
import { newFile } from '../../store/sqlite/new-file.ts'

const typeDefs = 'type Beast @document(container: "beasts") { id: ID! name: String! @indexed weight: Int! @indexed }'
const seed = (): Write[] => ['b1', 'b2', 'b3'].map((id, weight) => ({ kind: 'put', container: 'beasts', key: { partition: [id], id }, body: { id, name: id, weight } }))

/** Every query that may be long goes to the one thread. */
const gateway = await createGateway({ typeDefs, seed, openReads: true, store: (layout) => openSqliteStore(newFile(), layout, { longRows: -1, queryThreads: 1 }) })
afterAll(() => gateway.dispose())

const heavy = (weight: number) => post(gateway, { query: `{ beasts(filter: { not: { weight: { eq: ${weight} } } }) { nodes { id } } }` })

test('queries that would wait too long are refused as an overload, and others are answered', async () => {
  const answers = await Promise.all(Array.from({ length: 120 }, async (_, at) => {
    const response = await heavy(1000 + at)
    return { status: response.status, retryAfter: response.headers.get('retry-after'), ...((await response.json()) as { data?: unknown; errors?: { extensions: { code: string } }[] }) }
  }))
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.length).toBeGreaterThan(0)
  expect(new Set(refused.map(({ status, retryAfter, errors }) => `${status} ${retryAfter} ${errors?.map(({ extensions }) => extensions.code).join()}`))).toEqual(new Set(['503 1 OVERLOADED']))
  expect(answers.filter(({ status }) => status === 200).map(({ data }) => data)).toContainEqual({ beasts: { nodes: [{ id: 'b1' }, { id: 'b2' }, { id: 'b3' }] } })
  expect(await (await heavy(1)).json()).toEqual({ data: { beasts: { nodes: [{ id: 'b1' }, { id: 'b3' }] } } })
})
