// Aggregates of the custom scalars that Quire knows, computed and stored: whatever has an order has a smallest and largest value, and
// decimals have sums and averages, which are decimals.

import { describe, expect, test } from 'vitest'
import { print } from 'graphql'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { openGateway, stores } from '../harness.ts'

const typeDefs = /* GraphQL */ `
  scalar DateTime
  scalar Decimal
  scalar BigInt
  scalar UUID
  type Till @document(container: "tills") {
    id: ID!
    takings: Decimal! @aggregated(relation: "sales", field: "total", function: SUM)
    average: Decimal @aggregated(relation: "sales", field: "total", function: AVG)
    last: DateTime @aggregated(relation: "sales", field: "at", function: MAX)
    sales: SaleConnection! @reverse(of: "Sale.till")
  }
  type Sale @document(container: "sales") {
    id: ID!
    total: Decimal @indexed
    at: DateTime @indexed
    number: BigInt @indexed
    key: UUID @indexed
    till: Till @reference(at: "tillId")
  }
`

const sales = [
  { id: 's1', total: '0.1', at: '2024-03-01T08:00:00Z', number: '9' },
  { id: 's2', total: '0.2', at: '2024-03-01T10:00:00+03:00', number: '-10' },
  { id: 's3', total: null, at: null, number: '10' },
  { id: 's4', total: '12.5', at: '2023-01-01T00:00:00Z', number: null },
]

describe.each(stores)('on $name', ({ store }) => {
  test('sums of decimals are decimals, and moments and large numbers are compared by value, computed or stored', async () => {
    const ask = await openGateway({ typeDefs, store })
    await ask('mutation { createTill(input: { id: "t1" }) { till { id } } }')
    for (const sale of sales) expect((await ask('mutation ($input: CreateSaleInput!) { createSale(input: $input) { sale { id } } }', { variables: { input: { ...sale, tillId: 't1' } } })).errors).toBeUndefined()
    const asked = '{ sum { total } avg { total } min { total at number } max { total at number } }'
    const amounts = {
      sum: { total: '12.8' }, avg: { total: '4.26666666666667' },
      min: { total: '0.1', at: '2023-01-01T00:00:00.000Z', number: '-10' }, max: { total: '12.5', at: '2024-03-01T08:00:00.000Z', number: '10' },
    }
    expect((await ask(`{ salesAggregate ${asked} till(id: "t1") { takings average last salesAggregate ${asked} } }`)).data).toEqual({
      salesAggregate: amounts, till: { takings: '12.8', average: '4.26666666666667', last: '2024-03-01T08:00:00.000Z', salesAggregate: amounts },
    })
    const { errors } = await ask('mutation { deleteSale(input: { id: "s1" }) { clientMutationId } updateSale(input: { id: "s2", total: "0.30" }) { clientMutationId } }')
    expect(errors).toBeUndefined()
    expect((await ask('{ till(id: "t1") { takings average last } }')).data).toEqual({ till: { takings: '12.8', average: '6.4', last: '2024-03-01T07:00:00.000Z' } })
    await ask.close()
  })
})

test('what has no order has no smallest value', () => {
  const [values] = /type SaleAggregateValues \{[^}]*\}/.exec(print(readDeclaration(typeDefs).sdl))!
  expect(values).toMatch(/\btotal: Decimal\b/)
  expect(values).not.toMatch(/\bkey: /)
})

test.each([
  ['a sum of decimals that is a Float', 'Float!', 'n', 'SUM', 'Till.amount: it holds a Decimal. Declare it Decimal.'],
  ['a sum of moments', 'Float!', 'at', 'SUM', 'Till.amount: Sale.at is a text, which has no sum. Name a number, or use MIN or MAX.'],
])('%s is refused', (_, type, field, of, problem) => {
  const sdl = `scalar Decimal scalar DateTime type Till @document(container: "t") { id: ID! amount: ${type} @aggregated(relation: "sales", field: "${field}", function: ${of}) sales: SaleConnection! @reverse(of: "Sale.till") }
    type Sale @document(container: "s") { id: ID! n: Decimal at: DateTime till: Till @reference(at: "tillId") }`
  expect(() => readDeclaration(sdl)).toThrow(problem)
})
