// The naive figures of the cost report on Cosmos DB, beside what a naive gateway really makes: round trips and waves are the same, the charge is an
// estimate, because the documents that were not read have no charge. How far off it is, this test bounds.

import { describe, expect, onTestFinished, test } from 'vitest'
import { openCosmosStore } from '../../../src/store/cosmos/cosmos-store.ts'
import { openGateway } from '../../harness.ts'
import { startCosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'

const typeDefs = /* GraphQL */ `
  type Song @document(container: "songs") {
    id: ID!
    title: String! @indexed
    label: Label @reference(at: "labelId")
    by: [Singer!]! @snapshot(at: "by", fields: ["name"])
    takes: TakeConnection! @reverse(of: "Take.song", orderBy: "seconds")
  }
  type Label @document(container: "labels") { id: ID! name: String! songs: SongConnection! @reverse(of: "Song.label") }
  type Singer @document(container: "singers") { id: ID! name: String! town: String }
  type Take @document(container: "takes", partitionKey: "/songId") { id: ID! song: Song! @reference(at: "songId") seconds: Int! @indexed }
`

const documents = {
  Song: Array.from({ length: 60 }, (_, at) => ({ id: `s${at}`, title: `T${at}`, labelId: `l${at % 12}`, by: [{ id: `a${at % 7}`, name: `A${at % 7}` }] })),
  Label: Array.from({ length: 12 }, (_, at) => ({ id: `l${at}`, name: `L${at}` })),
  Singer: Array.from({ length: 7 }, (_, at) => ({ id: `a${at}`, name: `A${at}`, town: 'Ulm'.repeat(100 * at) })),
  Take: Array.from({ length: 90 }, (_, at) => ({ id: `t${at}`, songId: `s${at % 30}`, seconds: at })),
}

const operations = [
  '{ song(id: "s1") { title } }',
  '{ song(id: "s1") { title by { name } label { name } } }',
  '{ songs(first: 20) { nodes { title } } }',
  '{ songs(first: 20) { nodes { title by { name } } } }',
  '{ songs(first: 20) { nodes { by { town } label { name } } } }',
  '{ songs(first: 5) { totalCount nodes { takes(first: 2) { nodes { seconds } } } } }',
  '{ labels(first: 5) { nodes { name songs(first: 3) { totalCount nodes { title by { name } } } } } }',
]

describe.each([1, 4, 16])('on %i physical partitions', (partitions) => {
  test('round trips and waves are those of a naive run, and the charge is close to it', async ({ annotate }) => {
    const server = await startCosmosEmulator({ partitions })
    const open = (database: string, strategy: 'batched' | 'naive') => openGateway({
      typeDefs, documents, settles: false, strategy, freshness: () => ({ boundMs: 0, watermark: 0 }),
      store: (layout) => openCosmosStore({ endpoint: server.endpoint, key: server.key, database, create: true }, layout),
    })
    const [batched, naive] = [await open('one', 'batched'), await open('two', 'naive')]
    onTestFinished(async () => {
      await Promise.all([batched.close(), naive.close()])
      await server.close()
    })
    const errors: number[] = []
    for (const query of operations) {
      const [{ report: said }, { report: really }] = [await batched(query), await naive(query)]
      expect([said.naive.roundTrips, said.naive.waves], query).toEqual([really.made.roundTrips, really.made.waves])
      expect(said).toMatchObject({ estimated: false, naiveEstimated: true })
      errors.push(said.naive.requestCharge / really.made.requestCharge - 1)
    }
    await annotate(`errors of the naive charge: ${errors.map((error) => `${(100 * error).toFixed(1)} %`).join(', ')}`)
    for (const error of errors) expect(Math.abs(error)).toBeLessThan(0.05)
  })
})
