// `node` by its two arguments: `nodeId`, and `id` for clients that know no other name.

import { describe, expect, test } from 'vitest'
import { openGateway, stores } from '../harness.ts'

const typeDefs = 'type Cat @document(container: "cats") { id: ID! name: String! }'

describe.each(stores)('node on $name', ({ store }) => {
  test('is found by nodeId or by id, with the compiled plan and without', async () => {
    const ask = await openGateway({ typeDefs, store, documents: { Cat: [{ id: 'c1', name: 'Tom' }] } })
    const { nodeId } = (await ask('{ cat(id: "c1") { nodeId } }')).data!['cat'] as { nodeId: string }
    for (const trace of ['0', '0', '1']) {
      for (const name of ['nodeId', 'id']) {
        const { data, errors } = await ask(`query ($given: ID!) { node(${name}: $given) { nodeId ... on Cat { name } } }`, { variables: { given: nodeId }, headers: { 'quire-trace': trace } })
        expect({ data, errors }).toEqual({ data: { node: { nodeId, name: 'Tom' } }, errors: undefined })
      }
    }
  })

  test('needs exactly one of them, and a global id', async () => {
    const ask = await openGateway({ typeDefs, store, documents: {} })
    for (const args of ['(nodeId: null)', '(id: "c1")', '(id: "a", nodeId: "b")', '']) {
      expect((await ask(`{ node${args} { nodeId } }`)).errors).toMatchObject([{ path: ['node'], extensions: { code: 'BAD_USER_INPUT' } }])
    }
  })
})
