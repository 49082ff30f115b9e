// What a new price costs: with holdings that reference the stock, and with holdings that have a snapshot of it. The data
// and the mutation are the same; only the declaration differs.

import { describe, expect, test } from 'vitest'
import { unlikeStores } from '../harness.ts'
import { openWritable } from './open-writable.ts'

/** Over the network protocol of the test server, a tenth of them proves the same. */
const holdersOn = (name: string) => (name === 'cosmos' ? 300 : 3000)

const schema = (stocks: string) => `
  type Portfolio @document(container: "portfolios") { id: ID! stocks: [Stock!]! ${stocks} }
  type Stock @document(container: "stocks") { id: ID! symbol: String! high: Float! }
`

const documentsWith = (holders: number, held: object | string) => ({
  Stock: [{ id: '1', symbol: 'zaza', high: 2 }],
  Portfolio: Array.from({ length: holders }, (_, number) => ({ id: `f${number}`, stocks: [held] as never })),
})

describe.each(unlikeStores)('a new price, with thousands of portfolios that hold the stock, on $name', ({ name, store }) => {
  const holders = holdersOn(name)
  const raise = 'mutation { updateStock(input: { id: "1", high: 3 }) { stock { high } } }'

  test('writes one document where holdings reference it', async () => {
    const { ask } = await openWritable({ typeDefs: schema('@reference(at: "stocks")'), store, documents: documentsWith(holders, '1') })
    const { errors, report } = await ask(raise)
    expect(errors).toBeUndefined()
    expect(writtenIn(report)).toBe(1)
  })

  test('writes every portfolio where holdings have a snapshot', async () => {
    const { ask, store: kept } = await openWritable({
      typeDefs: schema('@snapshot(at: "stocks", fields: ["symbol", "high"])'), store, documents: documentsWith(holders, { id: '1', symbol: 'zaza', high: 2 }),
    })
    const { errors, report } = await ask(raise)
    expect(errors).toBeUndefined()
    // Through the change feed it is as many writes, made later.
    expect(writtenIn(report)).toBe(kept.supports.atomic === 'store' ? 1 + holders : 1)
    const { data } = await ask(`{ portfolio(id: "f${holders - 1}") { stocks { high } } }`)
    expect(data).toEqual({ portfolio: { stocks: [{ high: 3 }] } })
  })
})

function writtenIn({ calls }: { calls: readonly { operation: string; keys: number }[] }): number {
  return calls.filter(({ operation }) => operation === 'write').reduce((sum, { keys }) => sum + keys, 0)
}
