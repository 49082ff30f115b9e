// The cost report of an operation over Cosmos DB is what the service has charged: its calls are exactly the
// requests that the server has logged while the operation ran.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { CostReport } from '../../../src/observe/cost-report.ts'
import { openGateway, type Answer, type Ask } from '../../harness.ts'
import { localServer, openCosmosTestStore } from './local.ts'
import type { CosmosEmulator, LoggedRequest } from '../../../src/emulator/cosmos-emulator.ts'

const typeDefs = `
  type Song @document(container: "songs") {
    id: ID!
    title: String! @indexed
    rating: Int @indexed
    label: Label @reference(at: "labelId")
    by: [Singer!]! @snapshot(at: "by", fields: ["name"])
    writers: [Singer!]! @reference(at: "writerIds")
    takes: TakeConnection! @reverse(of: "Take.song", orderBy: "seconds")
  }
  type Label @document(container: "labels") { id: ID! name: String! songs: SongConnection! @reverse(of: "Song.label") }
  type Singer @document(container: "singers") { id: ID! name: String! town: String }
  type Take @document(container: "takes", partitionKey: "/songId") { id: ID! song: Song! @reference(at: "songId") seconds: Int! @indexed }
`

const documents = {
  Song: Array.from({ length: 90 }, (_, at) => ({
    id: `s${at}`, title: `T${at}`, ...(at % 3 === 0 ? {} : { rating: at % 5 }), labelId: `l${at}`, writerIds: [`a${(at + 1) % 7}`], by: [{ id: `a${at % 7}`, name: `A${at % 7}` }],
  })),
  Label: Array.from({ length: 90 }, (_, at) => ({ id: `l${at}`, name: `L${at}` })),
  Singer: Array.from({ length: 7 }, (_, at) => ({ id: `a${at}`, name: `A${at}`, town: 'Ulm' })),
  Take: Array.from({ length: 90 }, (_, at) => ({ id: `t${at}`, songId: `s${at % 30}`, seconds: at })),
}

const partitions = 16
let server: CosmosEmulator
let ask: Ask

beforeAll(async () => {
  server = await localServer(partitions)
  ask = await openGateway({ typeDefs, documents, settles: false, store: (layout) => openCosmosTestStore(layout, partitions) })
})
afterEach(() => { Object.assign(server.faults, { throttle: 0, only: undefined }) })
afterAll(async () => ask.close())

/** Each distinct call with the relations it served. */
function served({ calls }: CostReport): Set<string> {
  return new Set(calls.map((call) => `${call.wave} ${call.operation} ${call.container} for ${call.for.join(', ')}`))
}

async function asked(query: string): Promise<Answer> {
  server.clearLog()
  const answer = await ask(query)
  expect(answer.errors).toBeUndefined()
  expectReported(answer.report, server.log)
  return answer
}

/** Each call matches a request in the log, and no request is left over. */
function expectReported({ calls, made, estimated }: CostReport, log: readonly LoggedRequest[]): void {
  const left = [...log]
  // Counts last: their rows are no documents, so any remaining query of the container may be theirs.
  for (const call of calls.toSorted((one, other) => Number(one.operation === 'count') - Number(other.operation === 'count'))) {
    const at = left.findIndex((request) => isRequestOf(call, request))
    expect(at, `${JSON.stringify(call)} among ${JSON.stringify(left)}`).toBeGreaterThanOrEqual(0)
    left.splice(at, 1)
  }
  expect(left).toEqual([])
  expect(made).toEqual({
    roundTrips: log.length,
    waves: Math.max(...calls.map(({ wave }) => wave)),
    requestCharge: expect.closeTo(log.reduce((sum, { charge }) => sum + charge, 0), 6),
  })
  expect(estimated).toBe(false)
  expect(calls.filter((call) => call.for.length === 0)).toEqual([])
}

function isRequestOf(call: CostReport['calls'][number], { operation, container, charge, documents: rows }: LoggedRequest): boolean {
  // Several keys of one physical partition are read by a query.
  const sent = call.operation === 'write' ? 'batch' : call.operation === 'read' && call.keys === 1 ? 'read' : 'query'
  return operation === sent && container === call.container && charge === call.requestCharge && (call.operation === 'count' || rows === call.documents)
}

describe('reading', () => {
  test('a page asks every physical partition at once', async () => {
    const { report } = await asked('{ songs(first: 20) { nodes { title } } }')
    expect(served(report)).toEqual(new Set(['1 query songs for Query.songs']))
    expect(report.made.roundTrips).toBe(partitions)
  })

  test('a page ordered by an optional field takes a second query for documents without it, in the same wave', async () => {
    const { report } = await asked('{ songs(first: 20, orderBy: { field: RATING }) { nodes { title } } }')
    expect(served(report)).toEqual(new Set(['1 query songs for Query.songs']))
    expect(report.made).toMatchObject({ roundTrips: 2 * partitions, waves: 1 })
  })

  test('a relation is looked up in one more wave, by reads and by queries', async () => {
    const { data, report } = await asked('{ songs(first: 90) { nodes { title label { name } } } }')
    expect(data).toMatchObject({ songs: { nodes: documents.Song.map(({ id }) => id).toSorted().map((id) => ({ title: `T${id.slice(1)}`, label: { name: `L${id.slice(1)}` } })) } })
    expect(served(report)).toEqual(new Set(['1 query songs for Query.songs', '2 read labels for Song.label']))
    const lookups = report.calls.filter(({ container }) => container === 'labels')
    expect(lookups.reduce((sum, { keys }) => sum + keys, 0)).toBe(90)
    expect(new Set(lookups.map(({ keys }) => keys === 1))).toEqual(new Set([true, false]))
    expect(new Set(server.log.filter(({ container }) => container === 'labels').map(({ operation }) => operation))).toEqual(new Set(['read', 'query']))
  })

  test('calls that serve two relations name both', async () => {
    const { report } = await asked('{ songs(first: 20) { nodes { by { town } writers { town } } } }')
    expect(served(report)).toEqual(new Set(['1 query songs for Query.songs', '2 read singers for Song.by, Song.writers']))
  })

  test('a relation that a snapshot answers makes no call', async () => {
    const { report } = await asked('{ songs(first: 20) { nodes { by { name } } } }')
    expect(served(report)).toEqual(new Set(['1 query songs for Query.songs']))
    expect(report.saved.bySnapshots).toBe(20)
  })

  test('total counts are in the wave of the page, and those of relations in the next one', async () => {
    const { data, report } = await asked('{ labels(first: 3) { totalCount nodes { songs { totalCount } } } }')
    expect(data).toEqual({ labels: { totalCount: 90, nodes: [{ songs: { totalCount: 1 } }, { songs: { totalCount: 1 } }, { songs: { totalCount: 1 } }] } })
    expect(served(report)).toEqual(new Set(['1 count labels for Query.labels', '1 query labels for Query.labels', '2 count songs for Label.songs']))
    expect(report.made.roundTrips).toBe(3 * partitions)
  })

  test('a node, and the first few of a relation that points at it from anywhere', async () => {
    const nodeId = Buffer.from(JSON.stringify(['Label', 'l1'])).toString('base64url')
    const { data, report } = await asked(`{ node(nodeId: "${nodeId}") { ... on Label { name songs(first: 2) { nodes { title } } } } }`)
    expect(data).toEqual({ node: { name: 'L1', songs: { nodes: [{ title: 'T1' }] } } })
    expect(served(report)).toEqual(new Set(['1 read labels for Query.node', '2 query songs for Label.songs']))
    expect(report.made.roundTrips).toBe(1 + partitions)
  })

  test('a query of one partition takes one request', async () => {
    const { data, report } = await asked('{ song(id: "s3") { title takes { totalCount nodes { seconds } } } }')
    expect(data).toEqual({ song: { title: 'T3', takes: { totalCount: 3, nodes: [{ seconds: 3 }, { seconds: 33 }, { seconds: 63 }] } } })
    expect(served(report)).toEqual(new Set(['1 read songs for Query.song', '2 query takes for Song.takes', '2 count takes for Song.takes']))
    expect(report.made).toMatchObject({ roundTrips: 3, waves: 2 })
  })

  test('a missing document is charged, too', async () => {
    const { data, report } = await asked('{ song(id: "nobody") { title } }')
    expect(data).toEqual({ song: null })
    expect(report.calls).toMatchObject([{ operation: 'read', keys: 1, documents: 0, requestCharge: 1 }])
  })

  test('each retry of a throttled request is a call of its own, one wave later', async () => {
    let left = 3
    Object.assign(server.faults, { throttle: 1, only: () => left-- > 0 })
    const { report } = await asked('{ songs(first: 20) { nodes { title } } }')
    expect(report.made).toMatchObject({ roundTrips: partitions + 3, waves: expect.toSatisfy((waves: number) => waves >= 2 && waves <= 4) })
    expect(report.calls.filter(({ requestCharge }) => requestCharge === 0)).toHaveLength(3)
  })

  test('an operation that needs nothing makes no call', async () => {
    server.clearLog()
    const { report } = await ask('{ __typename }')
    expect(report).toMatchObject({ made: { roundTrips: 0, waves: 0, requestCharge: 0 }, calls: [] })
    expect(server.log).toEqual([])
  })
})

describe('writing', () => {
  test('a create looks for the document, writes it and reads the selected relations', async () => {
    const { data, report } = await asked('mutation { createSong(input: { id: "new", title: "New", labelId: "l1", byIds: ["a1"] }) { song { title label { name } } } }')
    expect(data).toEqual({ createSong: { song: { title: 'New', label: { name: 'L1' } } } })
    expect(report.calls.filter(({ operation }) => operation === 'write')).toMatchObject([{ container: 'songs', keys: 1, documents: 1, for: ['Mutation.createSong'] }])
    expect(new Set(report.calls.flatMap((call) => call.for))).toEqual(new Set(['Mutation.createSong', 'Song.label']))
  })

  test('an update reads and writes', async () => {
    const { report } = await asked('mutation { updateLabel(input: { id: "l2", name: "New" }) { label { name } } }')
    expect([...served(report)]).toEqual(['1 read labels for Mutation.updateLabel', '2 write labels for Mutation.updateLabel'])
  })

  test('a delete reads the document and writes a tombstone', async () => {
    const { report } = await asked('mutation { deleteTake(input: { id: "t1" }) { take { id } } }')
    expect(report.calls.at(-1)).toMatchObject({ operation: 'write', container: 'takes', documents: 1, for: ['Mutation.deleteTake'] })
    expect((await ask('{ song(id: "s1") { takes { nodes { id } } } }')).data).toEqual({ song: { takes: { nodes: [{ id: 't31' }, { id: 't61' }] } } })
  })

  test('several mutations of one operation run one after the other, in later waves', async () => {
    const { report } = await asked('mutation { a: updateLabel(input: { id: "l3", name: "A" }) { label { id } } b: updateLabel(input: { id: "l4", name: "B" }) { label { id } } }')
    expect([...served(report)]).toEqual([1, 2, 3, 4].map((wave) => `${wave} ${wave % 2 === 1 ? 'read' : 'write'} labels for Mutation.updateLabel`))
  })
})
