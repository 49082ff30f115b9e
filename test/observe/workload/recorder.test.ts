// What is recorded of a workload: the numbers that `quire advise` needs, within bounds, and no values.

import fc from '../../fast-check.ts'
import { describe, expect, test } from 'vitest'
import { noBudget } from '../../../src/plan/cost/budget.ts'
import { noLimits } from '../../../src/http/limits/request-limits.ts'
import { bounds, Tally } from '../../../src/observe/workload/tally.ts'
import type { RecordedNode } from '../../../src/observe/workload/workload.ts'
import { workloadText } from '../../../src/observe/workload/workload-file.ts'
import { openShop } from './shop.ts'

describe('of reads', () => {
  test('of a relation that its snapshot answers: the rows, and the documents that were not read', async () => {
    const { ask, record } = await openShop()
    for (let time = 0; time < 2; time++) await ask('{ orders(first: 3) { nodes { code customer { name } } } }')
    const { relations, operations, made } = record.workload()
    expect(relations).toEqual({ 'Order.customer': { resolved: 6, covered: 6, documents: 4, rewritten: 0, beyond: {} } })
    expect(made).toEqual({ operations: 2, roundTrips: 2, requestCharge: 6.2 })
    expect(operations).toEqual([{ times: 2, places: [{
      field: 'Query.orders', given: ['first'], rows: 6, below: [{ field: 'OrderConnection.nodes', below: [
        { field: 'Order.code' },
        { field: 'Order.customer', asked: 2, resolved: 6, covered: 6, documents: 4, below: [{ field: 'Customer.name' }] },
      ] }],
    }] }])
  })

  test('the selected fields that the snapshot lacks, and how many documents were looked up', async () => {
    const { ask, record } = await openShop()
    await ask('{ orders(first: 3) { nodes { customer { name note first } products { label } } } }')
    expect(record.workload().relations).toEqual({
      'Order.customer': { resolved: 3, covered: 0, documents: 2, rewritten: 0, beyond: { note: 1, first: 1 } },
      'Order.products': { resolved: 3, covered: 0, documents: 3, rewritten: 0, beyond: { label: 1 } },
    })
  })

  test('a lookup that the request asked for is distinguished from one that the snapshot could not cover', async () => {
    const { ask, record } = await openShop()
    await ask('{ order(id: "o1") { customer @read(from: REFERENCE) { name } } }')
    const places: readonly RecordedNode[] = record.workload().operations[0]!.places
    expect(places[0]!.below).toEqual([{ field: 'Order.customer', forced: true, asked: 1, resolved: 1, documents: 1, below: [{ field: 'Customer.name' }] }])
  })

  test('operations that differ in values, aliases, fragments or the order of fields are one', async () => {
    const { ask, record } = await openShop()
    await ask('{ order(id: "o1") { code customer { name } } }')
    await ask('query Named($id: ID!, $with: Boolean!) { mine: order(id: $id) { ...F } } fragment F on Order { who: customer { name } code @include(if: $with) }', { variables: { id: 'o3', with: true } })
    expect(record.workload().operations.map(({ times }) => times)).toEqual([2])
  })

  test('an answer is not traced because it is recorded', async () => {
    const { ask } = await openShop()
    expect((await ask('{ order(id: "o1") { code } }', { headers: { 'quire-trace': '0' } })).report).toBeUndefined()
  })

  test('how often a list was paged and counted', async () => {
    const { ask, record } = await openShop()
    await ask('{ customers { nodes { orders(first: 1) { totalCount nodes { code } } } } }')
    const places: readonly RecordedNode[] = record.workload().operations[0]!.places
    expect(places[0]!.below![0]!.below![0]).toMatchObject({ field: 'Customer.orders', given: ['first'], asked: 1, resolved: 2, rows: 2 })
  })
})

describe('of writes', () => {
  test('which fields changed, derived ones too, and how many snapshots were rewritten', async () => {
    const { ask, record } = await openShop()
    await ask('mutation { updateCustomer(input: { id: "c1", first: "Eve" }) { customer { name } } }')
    await ask('mutation { updateCustomer(input: { id: "c1", note: "kind" }) { customer { name } } }')
    const { types, relations } = record.workload()
    expect(types['Customer']).toMatchObject({ created: 0, deleted: 0, rewritten: 0, updated: { 'first,name': 1, note: 1 }, measured: 2 })
    expect(types['Order']).toMatchObject({ rewritten: 2, updated: {} })
    expect(relations['Order.customer']!.rewritten).toBe(2)
  })

  test('the same if snapshots are updated through the change feed', async () => {
    const { ask, record } = await openShop({ effects: 'feed', followEveryMs: 5 })
    await ask('mutation { updateCustomer(input: { id: "c1", first: "Eve" }) { customer { name } } }')
    await expect.poll(() => record.workload().relations['Order.customer']?.rewritten).toBe(2)
    expect(record.workload().types['Order']!.rewritten).toBe(2)
    await ask.close()
  })

  test('creations and deletions, with rewritten counts and lengths of lists', async () => {
    const { ask, record } = await openShop()
    await ask('mutation { createOrder(input: { id: "o4", code: "D", customerId: "c2", productIds: ["p1", "p2", "p3"] }) { order { code } } }')
    await ask('mutation { updateOrder(input: { id: "o4", productIds: ["p1", "p2", "p3", "p3", "p1"], lines: [{ text: "x", count: 1 }] }) { order { code } } }')
    await ask('mutation { deleteOrder(input: { id: "o4" }) { order { code } } }')
    const { types, relations } = record.workload()
    expect(types['Order']).toMatchObject({ created: 1, deleted: 1, updated: { lines: 1 }, lists: { products: { grown: 0, longest: 3 }, lines: { grown: 1, longest: 1 } } })
    expect(relations['Customer.countOfOrders']!.rewritten).toBe(2)
    expect(types['Customer']!.rewritten).toBe(2)
  })

  test('a write that is refused is not recorded', async () => {
    const { ask, record } = await openShop()
    expect((await ask('mutation { deleteCustomer(input: { id: "c1" }) { customer { name } } }')).errors).toHaveLength(1)
    expect(record.workload().types).toEqual({})
  })
})

test('the record has no value of any request, nor a name chosen by a client', async () => {
  const { ask, record } = await openShop()
  // Long enough not to occur in the record by chance.
  const word = fc.stringMatching(/^[a-z]{12}$/)
  const number = fc.integer({ min: 1_000_000_000, max: 2_000_000_000 })
  await fc.assert(fc.asyncProperty(word, word, word, number, async (text, name, other, count) => {
    const sent = [
      `query ${name} { ${other}: orders(first: ${count}, filter: { code: { eq: "${text}" } }, orderBy: { field: CODE }) { nodes { code ${name}: customer { name } } } }`,
      `query ($${name}: ID!) { order(id: $${name}) { ...${other} } } fragment ${other} on Order { code customer @read(maxStaleMs: ${count}) { note } }`,
      `mutation { createProduct(input: { id: "${text}", label: "${name}", price: ${count}, clientMutationId: "${other}" }) { product { label } } }`,
      `mutation ($${name}: UpdateProductInput!) { updateProduct(input: $${name}) { product { label } } }`,
      `{ order(id: "${text}") { ${name} } }`,
    ]
    const variables = [{}, { [name]: text }, {}, { [name]: { id: text, label: other } }, {}]
    for (const [index, query] of sent.entries()) await ask(query, { variables: variables[index]!, headers: { 'quire-max-stale-ms': String(count), 'x-user': name } })
    const written = JSON.stringify(record.workload())
    expect([text, name, other].filter((value) => written.includes(value))).toEqual([])
    // As whole words: a summed charge may contain any digits.
    expect(written.match(/[\d.]+/g)).not.toContain(String(count))
  }), { numRuns: 25 })
  expect(record.workload().operations).toHaveLength(4)
})

describe('within bounds', () => {
  test('the operation with the fewest runs makes room, and is counted as left out', () => {
    const tally = new Tally()
    for (let number = 0; number < bounds.operations + 50; number++) tally.operation(operation(number, number < 10 ? 100 : 1))
    const { operations, leftOut } = workloadOf(tally)
    expect([operations.length, leftOut.operations]).toEqual([bounds.operations, 50])
    expect(operations.slice(0, 10).map(({ times }) => times)).toEqual(Array(10).fill(100))
  })

  test('the total length of shapes is bounded', () => {
    const tally = new Tally()
    for (let number = 0; number < 100; number++) tally.operation({ times: 1, places: Array.from({ length: 300 }, (_, index) => ({ field: `Query.${'long'.repeat(20)}${number}x${index}` })) })
    const { operations, leftOut } = workloadOf(tally)
    expect(operations.length + leftOut.operations).toBe(100)
    expect(operations.length).toBeGreaterThan(3)
  })

  test('the file stays below a megabyte, whatever there is to record', () => {
    const tally = new Tally()
    const awkward = { asked: 1 / 3, resolved: 1e20 / 3, covered: 1e9 / 7, documents: 1e12 / 7, rows: 1e15 / 7 }
    for (let number = 0; number < 1000; number++) {
      tally.operation({ times: 1 / 3, places: Array.from({ length: number % 300 }, (_, index) => ({ field: `T.f${index}`, given: ['first', 'after'], ...awkward, below: [{ field: `N${number}.a`, ...awkward }] })) })
      tally.relation(`Type${number}.relation`, { resolved: 1 / 3, covered: 1 / 3, documents: 1 / 3, rewritten: 1 / 3, beyond: Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`field${index}`, 1 / 3])) })
      tally.type(`Type${number}`, { updated: Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`${'field,'.repeat(index)}x`, 1 / 3])), lists: { list: { grown: 1 / 3, longest: 5 } } })
    }
    const workload = workloadOf(tally)
    expect(Buffer.byteLength(workloadText(workload))).toBeLessThan(1_000_000)
    expect(workload.leftOut.names).toBeGreaterThan(0)
    expect(workload.operations.reduce((sum, { times }) => sum + times, workload.leftOut.operations)).toBeCloseTo(1000 / 3, 6)
  })

  test('an operation with very many fields is only counted', async () => {
    const { ask, record } = await openShop({ limits: noLimits, budget: noBudget })
    await ask(`{ ${Array.from({ length: bounds.places }, (_, index) => `a${index}: order(id: "o1") { code }`).join(' ')} }`)
    const { operations, leftOut, made } = record.workload()
    expect([operations.length, leftOut.operations, made.operations]).toEqual([0, 1, 1])
  })

  test('changes of too many different sets of fields are only counted', () => {
    const tally = new Tally()
    for (let number = 0; number < bounds.changes + 7; number++) tally.type('Order', { updated: { [`f${number}`]: 1 } })
    const { types, leftOut } = workloadOf(tally)
    expect([Object.keys(types['Order']!.updated).length, leftOut.changes]).toEqual([bounds.changes, 7])
  })
})

function operation(number: number, times: number) {
  return { times, places: [{ field: `Query.f${number}`, resolved: times }] }
}

function workloadOf(tally: Tally) {
  return tally.workload({ runs: 1, startedAt: '', endedAt: '', recordedMs: 0 })
}
