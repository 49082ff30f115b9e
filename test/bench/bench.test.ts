// The foundations of the benchmarks: expected answers, generated documents, the order of rounds and the statistics. No peers,
// and nothing is timed.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { libraryOfSize, sizesFor } from '../../bench/data/library-at-size.ts'
import { sampleLibrary } from '../../bench/data/sample.ts'
import { interleaved } from '../../bench/interleaved.ts'
import { bodiesOf, comparable, type Answer } from '../../bench/operations/operation.ts'
import { operations } from '../../bench/operations/operations.ts'
import { twentyOperations } from '../../bench/operations/twenty.ts'
import { comparedWith } from '../../bench/report/cache-tables.ts'
import { cacheCode, withoutCache, type CacheName } from '../../bench/servers/cache-code.ts'
import { cosmosTables } from '../../bench/report/cosmos-tables.ts'
import { trafficOf } from '../../bench/servers/cosmos-server.ts'
import { openSampleGateway } from '../../bench/servers/sample-gateway.ts'
import { tracingCode, withoutTracingCode } from '../../bench/servers/tracing-code.ts'
import { median, medianWithin, quantile, ratio, spread } from '../../bench/statistics.ts'
import { checkStore } from '../../src/evolve/check/check-store.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { derive } from '../../schema/library/derive.ts'
import { readSdlFolder } from '../../src/model/sdl/read-sdl.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import type { LoggedRequest } from '../../src/emulator/cosmos-emulator.ts'

describe('the gateway gives the answer that was computed by hand', async () => {
  const documents = await sampleLibrary()
  const gateway = await openSampleGateway({ store: openMemoryStore, openWrites: true })
  const ask = async (body: string) => {
    const response = await gateway.fetch('http://quire/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return (await response.json()) as Answer
  }
  const variants = operations.flatMap((operation) => [
    { ...operation, text: undefined },
    ...(operation.lookedUp === undefined ? [] : [{ ...operation, title: `${operation.title}, looked up`, text: operation.lookedUp }]),
  ])
  test.each(variants)('$name: $title', async ({ requests: requestsFrom, text }) => {
    const requests = requestsFrom(documents).map((request) => (text === undefined ? request : { ...request, query: text }))
    const bodies = await bodiesOf(requests, ask)
    for (const [at, body] of bodies.entries()) expect(comparable(await ask(body))).toEqual(comparable({ data: requests[at]!.expected }))
  })
})

describe('the operations', async () => {
  const documents = await sampleLibrary()
  const requestsOf = (name: string) => operations.find((operation) => operation.name === name)!.requests(documents)

  test.each([['mix', 0], ['mix-1', 0.01], ['mix-10', 0.1]])('%s has its share of writes, and reads with all of the twenty operations', (name, share) => {
    const requests = requestsOf(name)
    expect(requests.filter(isWrite).length / requests.length).toBe(share)
    expect(twentyOperations).toHaveLength(20)
    expect(new Set(requests.filter((request) => !isWrite(request)).map(({ query }) => query)).size).toBe(20)
  })

  test.each(['mix-1', 'mix-10'])('%s changes what later requests read, and leaves the documents as they were', (name) => {
    const writes = requestsOf(name).filter(isWrite).map(({ variables }) => variables!['input'] as { id: string; name?: string; lastName?: string })
    const last = new Map(writes.map((input) => [input.id, input]))
    for (const { id, name: written } of documents.publishers) expect(last.get(id)?.name ?? written).toBe(written)
    for (const { id, lastName } of documents.authors) expect(last.get(id)?.lastName ?? lastName).toBe(lastName)
    expect(writes.some((input) => documents.publishers.some(({ id, name: original }) => id === input.id && original !== input.name))).toBe(true)
  })

  test.each(['pages', 'search', 'ids'])('the requests of %s differ, and so do their answers', (name) => {
    const requests = requestsOf(name)
    expect(requests.length).toBeGreaterThan(50)
    expect(new Set(requests.map(({ expected }) => JSON.stringify(expected))).size).toBeGreaterThan(requests.length / 2)
  })
})

test('a generated library has the wanted size, is the same every time, and passes check', async () => {
  const declaration = readDeclaration(readSdlFolder('schema/library'), derive)
  const writes = [...libraryOfSize(declaration.model, 500)].flat()
  expect(writes).toHaveLength(500)
  expect(sizesFor(1_000_000)).toEqual({ books: 770_000, authors: 220_000, publishers: 10_000 })
  expect([...libraryOfSize(declaration.model, 500)].flat()).toEqual(writes)
  const store = await openMemoryStore(declaration.layout)
  await store.write(writes)
  expect(await Array.fromAsync(checkStore(declaration, store), ({ sentence }) => sentence)).toEqual([])
})

test('every round measures each entry once and starts with another entry', async () => {
  const turns: string[] = []
  const measured = await interleaved(3, ['a', 'b', 'c'], async (entry, round) => {
    turns.push(`${entry}${round}`)
    return round
  })
  expect(turns).toEqual(['a0', 'b0', 'c0', 'b1', 'c1', 'a1', 'c2', 'a2', 'b2'])
  expect(measured).toEqual(new Map([['a', [0, 1, 2]], ['b', [0, 1, 2]], ['c', [0, 1, 2]]]))
})

test.each(Object.keys(tracingCode))('the patterns of the tracing code still match in %s', (file) => {
  const source = readFileSync(file, 'utf8')
  expect(withoutTracingCode(file, source)).not.toBe(source)
})

test.each(Object.keys(cacheCode) as CacheName[])('the pattern that turns off the cache of %s still matches', (name) => {
  const source = readFileSync(cacheCode[name].file, 'utf8')
  expect(withoutCache(name, source)).not.toBe(source)
})

test('a server without a cache is compared with the one that has it, in the same variant of the operation', () => {
  expect(['all', 'without-rows', 'all-looked-up', 'without-rows-looked-up'].map(comparedWith)).toEqual([undefined, 'all', undefined, 'all-looked-up'])
})

test('of the requests to Cosmos DB, those of the change feed and of leases are not counted for an operation', () => {
  const log = [logged('read', 'books', 1), logged('query', 'authors', 2.5), logged('plan', 'authors', 0), logged('changes', 'books', 1), logged('read', 'quire', 1)]
  expect(trafficOf(log)).toEqual({ reads: { requests: 3, requestCharge: 3.5 }, all: { requests: 5, requestCharge: 5.5 } })
})

test('on Cosmos DB, processor time is compared with the gateway that was written by hand, round by round', () => {
  const tables = cosmosTables([{ latencyMs: 5, operation: 'A', title: 'A: books', rows: [{ name: 'quire', title: 'Quire', rounds: rounds(50, 100) }, { name: 'hand-written', title: 'Yoga', rounds: rounds(100, 400) }] }], [{ title: 'Quire', seconds: 40, requestsPerSecond: 1.5, requestChargePerSecond: 3 }])
  expect(tables).toContain('0.38 (0.25–0.50)')
  expect(tables).toMatch(/A gateway at rest\n\n.*\n.*\n\| Quire +\| +40 \| +1\.50 \| +3\.00 \|/)
})

describe('statistics', () => {
  test('the median is the middle number, or the mean of the middle two', () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 2, 3])).toBe(2.5)
    expect(spread([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 })
  })

  test('a quantile is the number that the share is below, at most the largest', () => {
    expect(quantile([3, 1, 2, 4], 0.5)).toBe(3)
    expect(quantile([3, 1, 2], 0.999)).toBe(3)
  })

  test('ratios are taken round by round, so a round that is slow for both servers does not count', () => {
    expect(ratio([100, 10, 50], [200, 20, 100])).toEqual({ median: 0.5, min: 0.5, max: 0.5 })
  })

  test('the confidence interval of the median leaves out as many numbers at each end as a binomial tail of 2.5 % allows', () => {
    // Of ten fair coins at most one shows heads with probability 1.1 %, at most two with 5.5 %: one number is left out at each end.
    expect(medianWithin([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])).toEqual({ median: 5.5, low: 2, high: 9 })
    expect(medianWithin([3, 1, 2])).toEqual({ median: 2, low: 1, high: 3 })
  })
})

function isWrite({ query }: { readonly query: string }): boolean {
  return query.startsWith('mutation')
}

function logged(operation: LoggedRequest['operation'], container: string, charge: number): LoggedRequest {
  return { method: 'GET', path: '/', operation, container, status: 200, charge, documents: 0, applied: false }
}

function rounds(...cpu: readonly number[]) {
  return cpu.map((serverCpuUs) => ({ perSecond: 100, p50Ms: 1, p99Ms: 2, serverCpuUs, requests: 8, requestCharge: 48.7 }))
}
