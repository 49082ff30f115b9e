// Values that are longer than a store can address: nothing is found by them, and what is stored under them is stored
// or refused with a reason. On every store, and never as a fault.

import { afterAll, describe, expect, test } from 'vitest'
import { openGateway, stores } from '../harness.ts'

const typeDefs = /* GraphQL */ `
  type Beast @document(container: "beasts", partitionKey: "/zoo") { id: ID! zoo: String! @indexed name: String @indexed cage: Cage @reference(at: "cageId") @indexed }
  type Cage @document(container: "cages") { id: ID! beasts: BeastConnection! @reverse(of: "Beast.cage") }
`

const texts = [1, 100, 1000, 1500, 3000, 20_000].map((length) => 'ü'.repeat(length))

describe.each(stores)('on $name', async ({ store }) => {
  // Ten of the longest are more than a body may usually have.
  const ask = await openGateway({ typeDefs, store, limits: { bodyBytes: 1_000_000 }, documents: { Beast: [{ id: 'b1', zoo: 'berlin', name: 'Leo' }], Cage: [{ id: 'c1' }] } })
  afterAll(() => ask.close())

  test.each(texts.map((text) => [text.length, text]))('nothing is found by %d characters', async (_, text) => {
    const { data, errors } = await ask(`query($id: ID!, $text: String!, $nodeId: ID!) {
      cage(id: $id) { id } beast(id: $id) { id } placed: beast(id: "b1", zoo: $text) { id } node(nodeId: $nodeId) { nodeId }
      one: beasts(filter: { zoo: { eq: $text } }) { totalCount nodes { id } }
      some: beasts(filter: { zoo: { in: [$text, "berlin"] } }) { totalCount nodes { id } }
      named: beasts(filter: { name: { eq: $text } }) { totalCount } started: beasts(filter: { name: { startsWith: $text } }) { totalCount }
      caged: beasts(filter: { cageId: { eq: $id } }) { totalCount nodes { id } } byId: cages(filter: { id: { eq: $id } }) { totalCount nodes { id } }
    }`, { variables: { id: text, text, nodeId: Buffer.from(JSON.stringify(['Beast', 'b1', [text]])).toString('base64url') } })
    expect(errors).toBeUndefined()
    const none = { totalCount: 0, nodes: [] }
    expect(data).toEqual({
      cage: null, beast: null, placed: null, node: null, one: none, some: { totalCount: 1, nodes: [{ id: 'b1' }] },
      named: { totalCount: 0 }, started: { totalCount: 0 }, caged: none, byId: none,
    })
  })

  test.each(texts.map((text) => [text.length, text]))('what belongs where %d characters say is stored and found, or refused with a reason', async (length, zoo) => {
    const id = `long-${length}`
    const created = await ask('mutation($input: CreateBeastInput!) { createBeast(input: $input) { beast { zoo } } }', { variables: { input: { id, zoo } } })
    const found = await ask('query($zoo: String!) { beasts(filter: { zoo: { eq: $zoo } }) { nodes { id } } }', { variables: { zoo } })
    expect(found.errors).toBeUndefined()
    if (created.errors) {
      expect(created.errors[0]).toMatchObject({ message: expect.stringMatching(/shorter/i) as string, extensions: { code: 'BAD_USER_INPUT' } })
      expect(found.data).toEqual({ beasts: { nodes: [] } })
    } else {
      expect(created.data).toEqual({ createBeast: { beast: { zoo } } })
      expect(found.data).toEqual({ beasts: { nodes: [{ id }] } })
    }
    await ask('mutation($input: DeleteBeastInput!) { deleteBeast(input: $input) { clientMutationId } }', { variables: { input: { id, zoo } } })
  })

  test.each(texts.map((text) => [text.length, text]))('an id of %d characters is stored or refused with a reason', async (_, id) => {
    const { data, errors } = await ask('mutation($input: CreateCageInput!) { createCage(input: $input) { cage { id } } }', { variables: { input: { id } } })
    if (errors) expect(errors[0]?.extensions?.code).toBe('BAD_USER_INPUT')
    else expect(data).toEqual({ createCage: { cage: { id } } })
    const pointing = await ask('mutation($input: CreateBeastInput!) { createBeast(input: $input) { beast { id } } }', { variables: { input: { id: 'x', zoo: 'paris', cageId: `${id}!` } } })
    expect(pointing.errors?.[0]?.extensions?.code).toBe('REFERENCE_MISSING')
    await ask('mutation($input: DeleteCageInput!) { deleteCage(input: $input) { clientMutationId } }', { variables: { input: { id } } })
  })
})
