// Stored sums, averages and bounds: read like a stored count, kept like one, checked and repaired like one.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import fc, { runs } from '../fast-check.ts'
import { checkStore } from '../../src/evolve/check/check-store.ts'
import { confirmAll } from '../../src/evolve/confirm-all.ts'
import type { Body } from '../../src/model/json/json.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { openGateway, stores } from '../harness.ts'
import { callsOf, openWritable, written, type Writable } from '../write/open-writable.ts'
import { relationSuite } from './relation-suite.ts'

relationSuite(
  'aggregated',
  `
  type Team @document(container: "teams") {
    id: ID!
    goals: Float! @aggregated(relation: "players", field: "goals", function: SUM)
    average: Float @aggregated(relation: "players", field: "goals", function: AVG, at: "avg")
    firstName: String @aggregated(relation: "players", field: "name", function: MIN)
    players: PlayerConnection! @reverse(of: "Player.team")
    longest: Int @aggregated(relation: "games", field: "minutes", function: MAX)
    games: [Game!]! @contained(max: 9)
  }
  type Player @document(container: "players") { id: ID! name: String goals: Int team: Team @reference(at: "teamId") }
  type Game { minutes: Int }
  `,
  {
    Team: [{ id: 't1', goals: 5, avg: 2.5, firstName: 'Ann', games: [{ minutes: 90 }, { minutes: 120 }], longest: 120 }, { id: 't2', goals: 0, avg: null, firstName: null, games: [] }],
    Player: [{ id: 'p1', teamId: 't1', name: 'Bob', goals: 2 }, { id: 'p2', teamId: 't1', name: 'Ann', goals: 3 }, { id: 'p3', teamId: 't1' }],
  },
  {
    'amounts of other documents are answered from what is stored': {
      query: '{ teams { nodes { goals average firstName } } }',
      answer: { teams: { nodes: [{ goals: 5, average: 2.5, firstName: 'Ann' }, { goals: 0, average: null, firstName: null }] } },
      reads: ['1 query teams'],
      naive: 7,
    },
    'without what is stored, all parents are aggregated in one round trip': {
      query: '{ teams { nodes { average @read(from: REFERENCE) } } }',
      answer: { teams: { nodes: [{ average: 2.5 }, { average: null }] } },
      reads: ['1 query teams', '2 aggregate players 2'],
      naive: 3,
    },
    'an amount of a list in the same document is never a snapshot': {
      query: '{ teams { nodes { longest } } }',
      answer: { teams: { nodes: [{ longest: 120 }, { longest: null }] } },
      reads: ['1 query teams'],
      naive: 1,
    },
  },
)

const shop = /* GraphQL */ `
  type Product @document(container: "products", partitionKey: "/productId", type: "product") {
    id: ID!
    name: String
    stars: Float @aggregated(relation: "reviews", field: "stars", function: AVG) @indexed
    best: Int @aggregated(relation: "reviews", field: "stars", function: MAX)
    worst: Int @aggregated(relation: "reviews", field: "stars", function: MIN)
    spent: Float! @aggregated(relation: "reviews", field: "price", function: SUM)
    reviews: ReviewConnection! @reverse(of: "Review.product")
    tags: [Tag!]! @snapshot(at: "tags", fields: ["weight"])
    weight: Float! @aggregated(relation: "tags", field: "weight", function: SUM)
    scores: ScoreConnection! @bucketed(at: "recent", recent: 2, size: 2, key: "productId", type: "scores")
    score: Float @aggregated(relation: "scores", field: "value", function: AVG)
    lowest: Float @aggregated(relation: "scores", field: "value", function: MIN)
  }
  type Score { id: ID! value: Float }
  type Review @document(container: "reviews") { id: ID! stars: Int price: Float text: String product: Product @reference(at: "productId", onDelete: SET_NULL) }
  type Tag @document(container: "tags") {
    id: ID!
    weight: Float
    products: [Product!]! @reference(at: "products", inverseOf: "Product.tags")
    lastName: String @aggregated(relation: "products", field: "name", function: MAX)
  }
  extend type Mutation { score(productId: ID!, value: Float): Boolean }
`
interface Calls { readonly quire: { mutate(input: object, info: unknown, work: (change: { append(list: string, id: string, entry: object): Promise<unknown> }) => Promise<object>): Promise<unknown> } }
const resolvers = {
  Mutation: {
    score: async (_: unknown, { productId, value }: { productId: string; value: number | null }, { quire }: Calls, info: unknown) => {
      await quire.mutate({}, info, async (change) => ({ done: await change.append('Product.scores', productId, { value }) }))
      return true
    },
  },
} as never

const numbers = (objects: readonly Body[], name: string) => objects.map((each) => each[name]).filter((value) => typeof value === 'number')
const close = (value: number) => (Number.isInteger(value) ? value : (expect.closeTo(value, 9) as number))
const sum = (values: readonly number[]) => close(values.reduce((total, each) => total + each, 0))
const avg = (values: readonly number[]) => (values.length === 0 ? null : close(values.reduce((total, each) => total + each, 0) / values.length))
const best = (pick: (...all: number[]) => number, values: readonly number[]) => (values.length === 0 ? null : pick(...values))

const reviewInputs = (...prices: readonly number[]) => prices.map((price, at) => `{ id: "r${at}", price: ${price}, stars: ${at}, productId: "p1" }`).join(' ')

/** What the stored documents amount to, by going through all of them. */
async function expectTrue({ bodies }: Writable): Promise<void> {
  const [products, reviews, tags] = [await bodies('products'), Object.values(await bodies('reviews')), await bodies('tags')]
  for (const product of Object.values(products).filter(({ type }) => type === 'product')) {
    const own = reviews.filter(({ productId }) => productId === product['id'])
    const scores = [...((product['recent'] ?? []) as readonly Body[]), ...Object.values(products).filter(({ type, productId }) => type === 'scores' && productId === product['id']).flatMap((bucket) => bucket['entries'] as readonly Body[])]
    const linked = (product['tags'] as readonly Body[]).map(({ id }) => tags[String(id)]!)
    expect(product).toMatchObject({
      stars: avg(numbers(own, 'stars')), best: best(Math.max, numbers(own, 'stars')), worst: best(Math.min, numbers(own, 'stars')), spent: sum(numbers(own, 'price')),
      weight: sum(numbers(linked, 'weight')), score: avg(numbers(scores, 'value')), lowest: best(Math.min, numbers(scores, 'value')),
    })
  }
  for (const tag of Object.values(tags)) {
    const names = Object.values(products).filter(({ tags: of }) => (of as readonly Body[] | undefined)?.some(({ id }) => id === tag['id'])).map(({ name }) => name as string | null).filter((name) => name !== null && name !== undefined).toSorted()
    expect(tag['lastName']).toBe(names.at(-1) ?? null)
  }
}

const one = fc.integer({ min: 1, max: 3 })
const price = fc.constantFrom(null, 0.1, 0.2, 12.99, 1 / 3, 1000)
const stars = fc.option(fc.integer({ min: 1, max: 5 }))
const mutation: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.integer({ min: 1, max: 6 }), fc.option(one), stars, price).map(([id, of, n, p]) => `createReview(input: { id: "r${id}", stars: ${n}, price: ${p}, productId: ${of === null ? null : `"p${of}"`} }) { review { id } }`) },
  { weight: 3, arbitrary: fc.tuple(fc.integer({ min: 1, max: 6 }), stars, price).map(([id, n, p]) => `updateReview(input: { id: "r${id}", stars: ${n}, price: ${p} }) { review { id } }`) },
  fc.tuple(fc.integer({ min: 1, max: 6 }), fc.option(one)).map(([id, of]) => `updateReview(input: { id: "r${id}", productId: ${of === null ? null : `"p${of}"`} }) { review { id } }`),
  fc.integer({ min: 1, max: 6 }).map((id) => `deleteReview(input: { id: "r${id}" }) { review { id } }`),
  fc.tuple(one, fc.uniqueArray(one)).map(([id, tags]) => `updateProduct(input: { id: "p${id}", tagIds: ${JSON.stringify(tags.map((tag) => `t${tag}`))} }) { product { id } }`),
  fc.tuple(one, fc.constantFrom('x', 'y', 'z')).map(([id, name]) => `updateProduct(input: { id: "p${id}", name: "${name}" }) { product { id } }`),
  fc.tuple(one, price).map(([id, weight]) => `updateTag(input: { id: "t${id}", weight: ${weight} }) { tag { id } }`),
  { weight: 2, arbitrary: fc.tuple(one, price).map(([id, value]) => `score(productId: "p${id}", value: ${value})`) },
)

describe.each(stores)('stored aggregates on $name', ({ name, store }) => {
  const begun = async (): Promise<Writable> => {
    const opened = await openWritable({ typeDefs: shop, store, resolvers })
    await written(opened.ask, `mutation { ${[1, 2, 3].map((id) => `t${id}: createTag(input: { id: "t${id}", weight: ${id} }) { tag { id } }`).join(' ')} ${[1, 2, 3].map((id) => `p${id}: createProduct(input: { id: "p${id}", name: "n${id}", tagIds: ["t${id}"] }) { product { id } }`).join(' ')} }`)
    return opened
  }

  test('after any writes they are what going through all documents gives', { timeout: 120_000 }, async () => {
    await fc.assert(fc.asyncProperty(fc.array(mutation, { minLength: 5, maxLength: 25 }), async (mutations) => {
      const opened = await begun()
      // Creating twice, or changing what is not there, is refused and changes nothing.
      for (const each of mutations) await opened.ask(`mutation { ${each} }`)
      await expectTrue(opened)
      const declaration = readDeclaration(shop)
      expect(await Array.fromAsync(checkStore(declaration, opened.store, { repair: false }))).toEqual([])
      await opened.ask.close()
    }), { seed: 20_261_118, numRuns: runs(name === 'cosmos' ? 4 : 25) })
  })

  test('wrong ones are found and repaired', async () => {
    const opened = await begun()
    await written(opened.ask, `mutation { ${[3, 5, 1].map((n, at) => `r${at}: createReview(input: { id: "r${at}", stars: ${n}, price: 0.5, productId: "p1" }) { review { id } }`).join(' ')} ${[1, 2, 3, 4, 5].map((value) => `s${value}: score(productId: "p1", value: ${value})`).join(' ')} }`)
    const key = { partition: ['p1'], id: 'p1' }
    const [found] = await opened.store.readMany('products', [key])
    expect(found!.body).toMatchObject({ stars: 3, best: 5, worst: 1, spent: 1.5, score: 3, lowest: 1 })
    const { best: _, ...damaged }: Body = { ...found!.body, stars: 4, worst: null, spent: 7, weight: 9, score: 1, lowest: 0 }
    await opened.store.write([{ kind: 'put', container: 'products', key, body: damaged }])
    const declaration = readDeclaration(shop)
    const findings = await Array.fromAsync(checkStore(declaration, opened.store, { repair: true }))
    expect([...new Set(findings.map(({ kind, at, repair }) => `${kind} ${at} ${repair}`))].toSorted()).toEqual(['best', 'lowest', 'score', 'spent', 'stars', 'weight', 'worst'].map((each) => `miscounted Product.${each} done`))
    await expectTrue(opened)
    // The average was repaired, and the sum behind it was not changed: the next change does not rely on the two.
    await written(opened.ask, 'mutation { createReview(input: { id: "r9", stars: 5, productId: "p1" }) { review { id } } }')
    await expectTrue(opened)
  })

  test('a change within one transaction takes no look at the other documents, unless the best value goes', async () => {
    const opened = await begun()
    const asked = async (each: string) => callsOf(await opened.ask(`mutation { ${each} { __typename } }`)).filter((call) => call.startsWith('aggregate'))
    const none: string[] = []
    await asked('createReview(input: { id: "r1", stars: 2, price: 0.1, productId: "p1" })')
    const [added, changed, removed] = [
      await asked('createReview(input: { id: "r2", stars: 4, price: 0.2, productId: "p1" })'), await asked('updateReview(input: { id: "r2", stars: 3, price: 12.99 })'), await asked('deleteReview(input: { id: "r2" })'),
    ]
    if (opened.store.supports.atomic === 'store') {
      expect([added, changed]).toEqual([none, ['aggregate reviews']])
      expect(removed).toEqual(['aggregate reviews'])
    }
    await expectTrue(opened)
    expect(await asked('updateReview(input: { id: "r1", text: "no other value" })')).toEqual(none)
  })

  test('several changes in one transaction are each in the amount once, also where it has to be recomputed for one of them', async () => {
    const opened = await begun()
    await written(opened.ask, `mutation { createReviews(inputs: [${reviewInputs(0.1, 0.123456789, 3)}]) { written } }`)
    await expectTrue(opened)
    await written(opened.ask, `mutation { updateReviews(inputs: [${reviewInputs(0.2, 0.5, 4)}]) { written } }`)
    await expectTrue(opened)
    await written(opened.ask, `mutation { updateReviews(inputs: [{ id: "r0", price: 0.987654321 } { id: "r1", productId: "p2" } { id: "r2", productId: null }]) { written } }`)
    await expectTrue(opened)
  })

  test('lists are ordered by them, and grouped and filtered by them', async () => {
    const opened = await begun()
    await written(opened.ask, 'mutation { a: createReview(input: { id: "r1", stars: 2, productId: "p1" }) { review { id } } b: createReview(input: { id: "r2", stars: 5, productId: "p2" }) { review { id } } }')
    const { data, errors } = await opened.ask('{ products(orderBy: { field: STARS, direction: DESC }) { nodes { id stars } } good: products(filter: { stars: { gte: 4 } }) { nodes { id } } productsAggregate { avg { stars } } }')
    expect(errors).toBeUndefined()
    expect(data).toEqual({ products: { nodes: [{ id: 'p2', stars: 5 }, { id: 'p1', stars: 2 }, { id: 'p3', stars: null }] }, good: { nodes: [{ id: 'p2' }] }, productsAggregate: { avg: { stars: 3.5 } } })
  })
})

const cages = (more: string) => /* GraphQL */ `
  type Cage @document(container: "cages") { id: ID! size: Int keeper: Keeper @reference(at: "keeperId") }
  type Keeper @document(container: "keepers") { id: ID! cages: CageConnection! @reverse(of: "Cage.keeper") ${more} }
`

describe('a stored aggregate that is declared later', () => {
  const directory = mkdtempSync(join(tmpdir(), 'quire-aggregated-'))
  afterAll(() => rmSync(directory, { recursive: true }))
  const open = (more: string) => openGateway({ typeDefs: cages(more), store: (layout) => openSqliteStore(join(directory, 'cages.db'), layout) })
  const average = 'averageSize: Float @aggregated(relation: "cages", field: "size", function: AVG) @indexed'
  const asked = '{ keepers { nodes { averageSize } } }'

  test('is looked up until every document has it; what needs it in all documents is refused meanwhile', async () => {
    const before = await open('')
    await before('mutation { createKeeper(input: { id: "k1" }) { keeper { id } } a: createCage(input: { id: "c1", size: 4, keeperId: "k1" }) { cage { id } } b: createCage(input: { id: "c2", size: 5, keeperId: "k1" }) { cage { id } } }')
    await before.close()
    const meanwhile = await open(average)
    const { data, report } = await meanwhile(asked)
    expect(data).toEqual({ keepers: { nodes: [{ averageSize: 4.5 }] } })
    expect(report.relations).toMatchObject([{ field: 'Keeper.averageSize', from: 'REFERENCE', because: 'it was declared after the documents were written' }])
    expect((await meanwhile('{ keepersAggregate { avg { averageSize } } }')).errors).toMatchObject([{ extensions: { code: 'CATCHING_UP' } }])
    await meanwhile.close()
    const declaration = readDeclaration(cages(average))
    const store = await openSqliteStore(join(directory, 'cages.db'), declaration.layout)
    await Array.fromAsync(checkStore(declaration, store, { repair: true }))
    await confirmAll(declaration, store)
    await store.close()
    const after = await open(average)
    expect((await after(asked)).report.relations).toMatchObject([{ field: 'Keeper.averageSize', from: 'SNAPSHOT' }])
    expect((await after(asked)).data).toEqual({ keepers: { nodes: [{ averageSize: 4.5 }] } })
    await after.close()
  })
})
