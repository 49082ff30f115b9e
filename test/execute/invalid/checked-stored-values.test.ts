// Stored documents that do not fit their schema: the error names the document, the field and what was found, everything else
// is answered, and compiled plans answer as GraphQL.js does.

import { describe, expect, test } from 'vitest'
import { createLog } from '../../../src/observe/log/log.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { openGateway, stores, type Ask } from '../../harness.ts'

const typeDefs = `
  enum Size { SMALL LARGE }
  type Cage @document(container: "cages", partitionKey: "/cageId", type: "cage") {
    id: ID! size: Size sizes: [Size!]! @contained(max: 9) nullable: [Int] @contained(max: 9) places: Int open: Boolean name: String lock: Lock
    label: String! title: String! @derived tags: [String!]! @contained(max: 9) doors: [Lock!]! @contained(max: 9) food: Food
    keeper: Keeper! @reference(at: "keeperId")
    neighbour: Cage @snapshot(at: "neighbour", fields: ["size", "label"])
    notes(first: Int, after: String): NoteConnection! @bucketed(at: "notes", recent: 2, size: 2, key: "cageId", type: "notes")
  }
  type Lock { size: Size maker: Keeper @reference(at: "makerId") }
  type Note { id: ID! text: String! }
  type Keeper @document(container: "keepers") { id: ID! name: String }
  union Food = Hay | Fish
  type Hay @shape(has: "bales") { bales: Int! }
  type Fish @shape(has: "kilos") { kilos: Float! }
  extend type Query { ownSize: Size }
  extend type Cage { ownPlaces: Int }`

const derive = { Cage: { title: ({ title }: { readonly title?: unknown }) => title } }

const wrong = 'topsecret'
const even = {
  id: 'even', size: 'SMALL', sizes: ['SMALL'], nullable: [1], places: 3, open: true, name: 'Big', label: 'E', title: 'Even', keeperId: 'k', tags: ['a'], food: { bales: 2 },
  lock: { size: 'LARGE' }, doors: [{ size: 'SMALL' }], neighbour: { id: 'even', size: 'LARGE', label: 'x' }, notes: [{ id: 'n1', number: 1, text: 'fine' }], countOfNotes: 1,
}
const documents = {
  Cage: [
    {
      id: 'odd', size: wrong, sizes: ['SMALL', wrong], nullable: [1, wrong, 3], places: wrong, open: wrong, name: { first: wrong }, lock: { size: wrong },
      tags: wrong, doors: [{ size: 'SMALL' }, wrong], food: { leaves: 1 }, label: null, neighbour: { id: 'next', size: wrong },
      notes: [{ id: 'n1', number: 1 }], countOfNotes: 1,
    },
    { ...even, id: 'flat', lock: wrong, doors: [], sizes: [null], food: [1] },
    even,
  ],
  Keeper: [{ id: 'k', name: 'Kim' }],
}

const cases: readonly (readonly [query: string, named: string, path: readonly (string | number)[], found: string])[] = [
  ['{ cage(id: "odd") { id size } }', 'Cage odd does not fit its schema: Cage.size is', ['cage', 'size'], 'a string'],
  ['{ cages(orderBy: { field: ID }) { nodes { id size } } }', 'Cage odd does not fit its schema: Cage.size is', ['cages', 'nodes', 2, 'size'], 'a string'],
  ['{ cage(id: "odd") { id sizes } }', 'Cage odd does not fit its schema: Cage.sizes is', ['cage', 'sizes', 1], 'a string'],
  ['{ cage(id: "flat") { id sizes } }', 'Cage flat does not fit its schema: Cage.sizes is', ['cage', 'sizes', 0], 'null'],
  ['{ cage(id: "odd") { id nullable } }', 'Cage odd does not fit its schema: Cage.nullable is', ['cage', 'nullable', 1], 'a string'],
  ['{ cage(id: "odd") { id places } }', 'Cage odd does not fit its schema: Cage.places is', ['cage', 'places'], 'a string'],
  ['{ cage(id: "odd") { id open } }', 'Cage odd does not fit its schema: Cage.open is', ['cage', 'open'], 'a string'],
  ['{ cage(id: "odd") { id name } }', 'Cage odd does not fit its schema: Cage.name is', ['cage', 'name'], 'an object'],
  ['{ cage(id: "odd") { id label } }', 'Cage odd does not fit its schema: Cage.label is', ['cage', 'label'], 'null'],
  ['{ cage(id: "odd") { id title } }', 'Cage odd does not fit its schema: Cage.title is', ['cage', 'title'], 'null'],
  ['{ cage(id: "odd") { id tags } }', 'Cage odd does not fit its schema: Cage.tags is', ['cage', 'tags'], 'a string'],
  ['{ cage(id: "odd") { id keeper { name } } }', 'Cage odd does not fit its schema: Cage.keeper is', ['cage', 'keeper'], 'missing'],
  ['{ cage(id: "odd") { id lock { size } } }', 'Cage odd does not fit its schema: Lock.size is', ['cage', 'lock', 'size'], 'a string'],
  ['{ cage(id: "odd") { id doors { size } } }', 'Cage odd does not fit its schema: Cage.doors is', ['cage', 'doors', 1], 'a string'],
  ['{ cage(id: "odd") { id doors { maker { name } } } }', 'Cage odd does not fit its schema: Cage.doors is', ['cage', 'doors', 1], 'a string'],
  ['{ cage(id: "flat") { id lock { size } } }', 'Cage flat does not fit its schema: Cage.lock is', ['cage', 'lock'], 'a string'],
  ['{ cage(id: "flat") { id lock { maker { name } } } }', 'Cage flat does not fit its schema: Cage.lock is', ['cage', 'lock'], 'a string'],
  ['{ cage(id: "odd") { id food { ... on Hay { bales } } } }', 'Cage odd does not fit its schema: Cage.food is', ['cage', 'food'], 'an object'],
  ['{ cage(id: "flat") { id food { ... on Hay { bales } } } }', 'Cage flat does not fit its schema: Cage.food is', ['cage', 'food'], 'an array'],
  ['{ cage(id: "odd") { id neighbour { id size } } }', 'Cage odd does not fit its schema: in its snapshot of Cage next, Cage.size is', ['cage', 'neighbour', 'size'], 'a string'],
  ['{ cage(id: "odd") { id neighbour { id label } } }', 'Cage odd does not fit its schema: in its snapshot of Cage next, Cage.label is', ['cage', 'neighbour', 'label'], 'missing'],
  ['{ cage(id: "odd") { id notes { nodes { text } } } }', 'Cage odd does not fit its schema: Note.text is', ['cage', 'notes', 'nodes', 0, 'text'], 'missing'],
  ['{ cage(id: "odd") { id notes { edges { node { text } } } } }', 'Cage odd does not fit its schema: Note.text is', ['cage', 'notes', 'edges', 0, 'node', 'text'], 'missing'],
]

describe.each([[true], [false]])('development %s', (development) => {
  describe.each([[true], [false]])('compiled plans %s', (compiles) => {
    test('each value that does not fit is named, with its path; the value only in development', async () => {
      const ask = await open(development, compiles)
      for (const [query, named, path, found] of cases) {
        // The first time by closures, then by generated code.
        for (let time = 0; time < 3; time++) {
          const { errors } = await ask(query)
          expect(errors, query).toMatchObject([{ message: expect.stringContaining(`${named} ${found}`) as string, path, extensions: { code: 'DOCUMENT_INVALID' } }])
          if (found === 'a string') expect(JSON.stringify(errors).includes(wrong), query).toBe(development)
        }
      }
      await ask.close()
    })

    test('a value of a resolver of the schema is not the fault of a document', async () => {
      const ask = await open(development, compiles)
      for (const [query, named] of [['{ ownSize }', 'Query.ownSize: Size'], ['{ cage(id: "even") { ownPlaces } }', 'Cage.ownPlaces of even: Int']] as const) {
        const { errors } = await ask(query)
        expect(errors).toMatchObject([{ message: expect.stringContaining(named) as string, extensions: { code: 'INTERNAL_SERVER_ERROR' } }])
        expect(JSON.stringify(errors)).not.toContain(wrong)
      }
      await ask.close()
    })
  })
})

describe.for(stores)('on $name', ({ store }) => {
  test.each([[true], [false]])('nulls propagate as GraphQL says, and other documents are unaffected, compiled plans %s', async (compiles) => {
    const ask = await open(false, compiles, store)
    for (let time = 0; time < 3; time++) {
      const nullable = await ask('{ cages(orderBy: { field: ID }) { nodes { id places nullable } } }')
      expect(nullable.data).toEqual({ cages: { nodes: [{ id: 'even', places: 3, nullable: [1] }, { id: 'flat', places: 3, nullable: [1] }, { id: 'odd', places: null, nullable: [1, null, 3] }] } })
      expect(nullable.errors).toHaveLength(2)
      // A non-null field takes its object with it, and not its neighbours.
      const required = await ask('{ odd: cage(id: "odd") { id label } even: cage(id: "even") { id label } }')
      expect(required.data).toEqual({ odd: null, even: { id: 'even', label: 'E' } })
      expect(required.errors).toMatchObject([{ path: ['odd', 'label'], extensions: { code: 'DOCUMENT_INVALID' } }])
    }
    await ask.close()
  })
})

test('values that the type can represent are answered as before', async () => {
  const ask = await open(true, false)
  expect((await ask('{ cage(id: "even") { size sizes places open name lock { size } neighbour { size } food { ... on Hay { bales } } notes { nodes { text } } } }'))).toMatchObject({
    errors: undefined,
    data: { cage: { size: 'SMALL', sizes: ['SMALL'], places: 3, open: true, name: 'Big', lock: { size: 'LARGE' }, neighbour: { size: 'LARGE' }, food: { bales: 2 }, notes: { nodes: [{ text: 'fine' }] } } },
  })
  await ask.close()
})

test('the log names type and field, and neither the value nor the id', async () => {
  const lines: string[] = []
  const ask = await openGateway({
    typeDefs, derive, documents, development: false, openReads: true, store: openMemoryStore, resolvers: { Query: { ownSize: () => null }, Cage: { ownPlaces: () => 1 } },
    log: createLog({ level: 'warn', readable: false, to: { write: (line) => void lines.push(line) } }),
  })
  await ask('{ cage(id: "odd") { places } }')
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ code: 'DOCUMENT_INVALID', reason: expect.stringContaining('A Cage does not fit its schema: Cage.places is a string') as string }])
  expect(lines.join()).not.toContain(wrong)
  expect(lines.join()).not.toContain('odd')
  await ask.close()
})

function open(development: boolean, compiles: boolean, store: (typeof stores)[number]['store'] = openMemoryStore): Promise<Ask> {
  return openGateway({
    typeDefs, derive, documents, resolvers: { Query: { ownSize: () => wrong }, Cage: { ownPlaces: () => wrong } }, development, compiles, openReads: true, store,
    log: createLog({ level: 'silent', readable: false }),
  })
}
