// What one price costs to write: with holdings that point at the stock, and with holdings that carry a
// copy of it. The data is the same and so is the mutation; only the declaration differs.

import { describe, expect, test } from 'vitest'
import { stores } from '../harness.ts'
import { openWritable } from './open-writable.ts'

const holders = 10_000

const schema = (stocks: string) => `
  type Portfolio @document(container: "portfolios") { id: ID! stocks: [Stock!]! ${stocks} }
  type Stock @document(container: "stocks") { id: ID! symbol: String! high: Float! }
`

const documentsWith = (held: object | string) => ({
  Stock: [{ id: '1', symbol: 'zaza', high: 2 }],
  Portfolio: Array.from({ length: holders }, (_, number) => ({ id: `f${number}`, stocks: [held] as never })),
})

describe.each(stores)('a new price, with ten thousand portfolios that hold the stock, on $name', ({ store }) => {
  const raise = 'mutation { updateStock(input: { id: "1", high: 3 }) { stock { high } } }'

  test('writes one document where they point at it', async () => {
    const { ask } = await openWritable({ typeDefs: schema('@reference(at: "stocks")'), store, documents: documentsWith('1') })
    const { errors, account } = await ask(raise)
    expect(errors).toBeUndefined()
    expect(writtenIn(account)).toBe(1)
  })

  test('writes every one of them where they embed it', async () => {
    const { ask } = await openWritable({
      typeDefs: schema('@snapshot(at: "stocks", fields: ["symbol", "high"])'), store, documents: documentsWith({ id: '1', symbol: 'zaza', high: 2 }),
    })
    const { errors, account } = await ask(raise)
    expect(errors).toBeUndefined()
    expect(writtenIn(account)).toBe(1 + holders)
    const { data } = await ask('{ portfolio(id: "f9999") { stocks { high } } }')
    expect(data).toEqual({ portfolio: { stocks: [{ high: 3 }] } })
  })
})

function writtenIn({ calls }: { calls: readonly { operation: string; keys: number }[] }): number {
  return calls.filter(({ operation }) => operation === 'write').reduce((sum, { keys }) => sum + keys, 0)
}
