// A value of the schema's own resolvers that its type cannot represent: the error names type and field, and never the value. Stored
// values are in invalid/.

import { describe, expect, test } from 'vitest'
import { createLog } from '../../../src/observe/log/log.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { openGateway } from '../../harness.ts'

const typeDefs = `
  enum Size { SMALL LARGE }
  type Cage @document(container: "cages") {
    id: ID! size: Size sizes: [Size!]! @contained(max: 9) places: Int open: Boolean name: String lock: Lock
    neighbour: Cage @snapshot(at: "neighbour", fields: ["size"])
  }
  type Lock { size: Size }
  type Box { size: Size sizes: [Size] @contained(max: 9) places: Int late: [Int] @contained(max: 9) grid: [[Size]] @contained(max: 9) }
  extend type Query { ownSize: Size box: Box }
  input MeasureInput { id: ID! }
  type MeasurePayload { size: Size places: Int sizes: [Size!] late: [Int] }
  extend type Mutation { measure(input: MeasureInput!): MeasurePayload }`

const wrong = 'topsecret'
const documents = {
  Cage: [
    { id: 'odd', size: wrong, sizes: ['SMALL', wrong], places: wrong, open: wrong, name: { first: wrong }, lock: { size: wrong }, neighbour: { id: 'next', size: wrong } },
    { id: 'even', size: 'SMALL', sizes: ['SMALL'], places: 3, open: true, name: 'Big', lock: { size: 'LARGE' }, neighbour: { id: 'odd', size: 'LARGE' } },
  ],
}

describe.each([[true], [false]])('development %s', (development) => {
  describe.each([[true], [false]])('compiled plans %s', (compiles) => {
    test.each([
      ['{ ownSize }', 'Query.ownSize: Size'],
      ['{ box { size } }', 'Box.size: Size'],
      ['{ box { sizes } }', 'Box.sizes: Size'],
      ['{ box { places } }', 'Box.places: Int'],
      ['{ box { late } }', 'Box.late: Int'],
      ['{ box { grid } }', 'Box.grid: Size'],
      ['mutation { measure(input: { id: "odd" }) { size } }', 'MeasurePayload.size: Size'],
      ['mutation { measure(input: { id: "odd" }) { places } }', 'MeasurePayload.places: Int'],
      ['mutation { measure(input: { id: "odd" }) { sizes } }', 'MeasurePayload.sizes: Size'],
      ['mutation { measure(input: { id: "odd" }) { late } }', 'MeasurePayload.late: Int'],
    ])('%s', async (query, named) => {
      const ask = await open(development, compiles)
      const { errors } = await ask(query)
      expect(errors).toMatchObject([{ message: expect.stringContaining(named) as string, extensions: { code: 'INTERNAL_SERVER_ERROR' } }])
      expect(JSON.stringify(errors)).not.toContain(wrong)
      await ask.close()
    })
  })
})

test('values that the type can represent are answered as before', async () => {
  const ask = await open(true, false)
  expect((await ask('{ cage(id: "even") { size sizes places open name lock { size } neighbour { size } } }')).data).toEqual({
    cage: { size: 'SMALL', sizes: ['SMALL'], places: 3, open: true, name: 'Big', lock: { size: 'LARGE' }, neighbour: { size: 'LARGE' } },
  })
  await ask.close()
})

function open(development: boolean, compiles: boolean) {
  return openGateway({
    typeDefs, documents, resolvers: { Query: { ownSize: () => wrong, box: () => ({ size: wrong, sizes: [wrong], places: wrong, late: [Promise.resolve(wrong)], grid: [[wrong]] }) }, Mutation: { measure: () => ({ size: wrong, places: wrong, sizes: [wrong], late: [Promise.resolve(wrong)] }) } }, development, compiles, openReads: true, openWrites: true, store: openMemoryStore,
    log: createLog({ level: 'silent', readable: false }),
  })
}
