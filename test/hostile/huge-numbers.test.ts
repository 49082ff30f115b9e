// Numbers that are too large: refused wherever they are written, and never stored as something that cannot be read.

import type { GraphQLResolveInfo } from 'graphql'
import { afterAll, describe, expect, test } from 'vitest'
import type { MutationContext, MutationInput } from '../../src/write/mutations.ts'
import { openGateway, stores } from '../harness.ts'

const typeDefs = /* GraphQL */ `
  type Beast @document(container: "beasts") { id: ID! weight: Float! @indexed meals: [Float!]! @contained(max: 5) }
  extend type Mutation { feed(input: FeedInput!): FeedPayload! }
  input FeedInput { clientMutationId: String id: ID! factor: Float! }
  type FeedPayload { clientMutationId: String beast: Beast! }
`

/** Works out a number that no input has brought. */
const feed = (_: unknown, { input }: { input: MutationInput & { id: string; factor: number } }, { quire }: MutationContext, info: GraphQLResolveInfo) =>
  quire.mutate(input, info, async (change) => {
    const beast = await change.get('Beast', input.id)
    return { beast: change.change('Beast', beast, { weight: (beast.after['weight'] as number) * input.factor }) }
  })

const huge = ['1e400', '-1e400', '9'.repeat(400), `${'9'.repeat(310)}.5`]

describe.each(stores)('on $name', async ({ store }) => {
  const ask = await openGateway({ typeDefs, store, resolvers: { Mutation: { feed } }, documents: { Beast: [{ id: 'b1', weight: 1e200, meals: [] }] } })
  afterAll(() => ask.close())
  const codes = async (query: string) => (await ask(query)).errors?.map(({ extensions }) => extensions?.code)

  test.each(huge)('%s is refused in a document, wherever it stands', async (number) => {
    for (const query of [
      `mutation { createBeast(input: { id: "x", weight: ${number}, meals: [] }) { beast { id } } }`,
      `mutation { updateBeast(input: { id: "b1", meals: [1, ${number}] }) { beast { id } } }`,
      `{ beasts(filter: { weight: { lt: ${number} } }) { totalCount } }`,
      `{ beastsAggregate(filter: { weight: { lt: ${number} } }) { sum { weight } } }`,
      `query($weight: Float = ${number}) { beasts(filter: { weight: { eq: $weight } }) { totalCount } }`,
    ]) expect(await codes(query)).toEqual(['GRAPHQL_VALIDATION_FAILED'])
  })

  test('what is worked out and too large is refused, and the document is as it was', async () => {
    expect(await codes('mutation { feed(input: { id: "b1", factor: 1e200 }) { beast { weight } } }')).toEqual(['BAD_USER_INPUT'])
    expect((await ask('{ beast(id: "b1") { weight meals } }')).data).toEqual({ beast: { weight: 1e200, meals: [] } })
  })

  test('the largest there is can be stored, read and found', async () => {
    expect((await ask('mutation { createBeast(input: { id: "b2", weight: 1.7976931348623157e308, meals: [] }) { beast { weight } } }')).data).toEqual({ createBeast: { beast: { weight: Number.MAX_VALUE } } })
    expect((await ask('{ beasts(filter: { weight: { gt: 1e300 } }) { nodes { id weight } } }')).data).toEqual({ beasts: { nodes: [{ id: 'b2', weight: Number.MAX_VALUE }] } })
    await ask('mutation { createBeast(input: { id: "b3", weight: 1.7976931348623157e308, meals: [] }) { beast { id } } }')
    expect((await ask('{ beastsAggregate { sum { weight } max { weight } } }')).data).toEqual({ beastsAggregate: { sum: { weight: Number.MAX_VALUE }, max: { weight: Number.MAX_VALUE } } })
    await ask('mutation { deleteBeast(input: { id: "b3" }) { clientMutationId } }')
    await ask('mutation { deleteBeast(input: { id: "b2" }) { clientMutationId } }')
  })
})
