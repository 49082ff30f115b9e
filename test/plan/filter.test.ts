// Filters, as clients write them, on every store: whatever is asked, the answer is what a plain
// JavaScript filter over the same documents finds. Orders and pages are tested elsewhere.

import fc, { runs } from '../fast-check.ts'
import { describe, expect, test } from 'vitest'
import type { Body } from '../../src/model/json/json.ts'
import { openGateway, stores, type Ask } from '../harness.ts'

const typeDefs = /* GraphQL */ `
  enum Species { CAT DOG NEWT }
  scalar Day
  type Pet @document(container: "pets") {
    id: ID!
    name: String @indexed
    age: Int @indexed
    weight: Float @stored(at: "weight-kg") @indexed
    tame: Boolean @indexed
    species: Species @indexed
    born: Day @indexed
    owner: Person @reference(at: "owner-id") @indexed
    sitters: [Person!]! @reference(at: "sitters") @indexed
    vet: Vet @reference(at: "vetNumber", numeric: true) @indexed
    pastVets: [Vet!]! @reference(at: "past", numeric: true) @indexed
    breeder: Person @snapshot(at: "breeder", fields: ["name"]) @indexed
    friends: [Pet!]! @snapshot(at: "friends", fields: ["name"]) @indexed
    toys: [String!]! @contained(max: 9)
    countOfToys: Int! @counted(relation: "toys") @indexed
  }
  type Person @document(container: "people") { id: ID! name: String }
  type Vet @document(container: "vets") { id: ID! patients: PetConnection! @reverse(of: "Pet.vet") }
`

type Pet = Body & {
  readonly id: string; readonly name?: string | null; readonly age?: number | null; readonly 'weight-kg'?: number | null; readonly tame?: boolean | null
  readonly species?: string; readonly born?: string; readonly 'owner-id'?: string | null; readonly sitters?: readonly string[]; readonly vetNumber?: number | null
  readonly past?: readonly number[]; readonly breeder?: { readonly id: string } | null; readonly friends?: readonly { readonly id: string }[]; readonly countOfToys?: number
}

const pets: readonly Pet[] = [
  { id: 'p1', name: 'Rex', age: 3, 'weight-kg': 30.5, tame: true, species: 'DOG', born: '2023-01-31', 'owner-id': 'ann', sitters: ['bob', "o'neil"], vetNumber: 1, past: [2, 3], breeder: { id: 'bob' }, friends: [{ id: 'p2' }, { id: "it's" }], countOfToys: 2 },
  { id: 'p2', name: 'rex', age: 3, 'weight-kg': 4, tame: false, species: 'CAT', born: '2023-01-31', 'owner-id': "o'neil", sitters: ['ann'], vetNumber: 10, past: [1], breeder: { id: "o'neil" }, friends: [{ id: 'p1' }], countOfToys: 0 },
  { id: "it's", name: "it's 100%", age: 0, 'weight-kg': -0.5, tame: true, species: 'NEWT', born: '2026-08-09', 'owner-id': 'ann', sitters: [], vetNumber: 0, past: [], friends: [], countOfToys: 1 },
  { id: 'say "hi"', name: '100 percent', age: -1, 'weight-kg': 0, species: 'CAT', 'owner-id': 'say "hi"', sitters: ['ann', 'bob'], vetNumber: 1, past: [1, 2, 3], breeder: null, countOfToys: 5 },
  { id: 'back|slash', name: 'a_b', age: 12, tame: null, sitters: ['back|slash'], past: [10] },
  { id: '%', name: 'a\\b', age: null, 'weight-kg': 12.25, tame: false, vetNumber: null, 'owner-id': null, friends: [{ id: '%' }], countOfToys: 2 },
  { id: '_', name: 'axb', age: 2, species: 'DOG', born: '', vetNumber: 2 },
  { id: "'; DROP TABLE pets; --", name: "'; DROP", age: 100, born: '2020-02-29', 'owner-id': 'bob' },
  { id: 'é😀', name: 'é😀', age: 7, 'weight-kg': 1e21, tame: true, breeder: { id: 'ann' } },
  { id: 'cotton', name: '100% cotton', vetNumber: 2 ** 53, past: [2 ** 53] },
  { id: 'next', name: 'b' },
  { id: 'empty', name: '', age: 3 },
  { id: 'nothing', name: null },
  { id: '10', name: '10', age: 10, vetNumber: 100, past: [100] },
]

const documents = {
  Pet: pets,
  Person: ['ann', 'bob', "o'neil", 'say "hi"', 'back|slash'].map((id) => ({ id, name: id })),
  Vet: ['0', '1', '2', '3', '10', '100', 'locum'].map((id) => ({ id })),
}

type Keep = (pet: Pet) => boolean
type Filter = { readonly [name: string]: unknown }

/** For each field and operator, a filter that finds some and not all. */
const filters: { readonly [field: string]: readonly (readonly [Filter, Keep])[] } = {
  text: [
    [{ name: { eq: 'Rex' } }, ({ name }) => name === 'Rex'],
    [{ name: { eq: '' } }, ({ name }) => name === ''],
    [{ name: { eq: "it's 100%" } }, ({ name }) => name === "it's 100%"],
    [{ name: { eq: '10' } }, ({ name }) => name === '10'],
    [{ name: { in: ['Rex', 'a_b', 'nobody', "'; DROP"] } }, ({ name }) => ['Rex', 'a_b', "'; DROP"].includes(name!)],
    [{ name: { lt: 'a_b' } }, ({ name }) => isText(name) && name < 'a_b'],
    [{ name: { lte: 'a_b' } }, ({ name }) => isText(name) && name <= 'a_b'],
    [{ name: { gt: 'a_b' } }, ({ name }) => isText(name) && name > 'a_b'],
    [{ name: { gte: 'a_b' } }, ({ name }) => isText(name) && name >= 'a_b'],
    [{ name: { gte: '1', lt: 'b' } }, ({ name }) => isText(name) && name >= '1' && name < 'b'],
  ],
  'the end or a part of a text': [
    ...['x', 'ex', '%', 'b', '😀', ''].flatMap((part) => [
      [{ name: { endsWith: part } }, ({ name }: Pet) => isText(name) && name.endsWith(part)] as const,
      [{ name: { contains: part } }, ({ name }: Pet) => isText(name) && name.includes(part)] as const,
      [{ name: { iendsWith: part } }, ({ name }: Pet) => isText(name) && name.toLowerCase().endsWith(part.toLowerCase())] as const,
      [{ name: { icontains: part } }, ({ name }: Pet) => isText(name) && name.toLowerCase().includes(part.toLowerCase())] as const,
    ]),
    [{ name: { ieq: 'REX' } }, ({ name }) => name?.toLowerCase() === 'rex'],
    [{ name: { iendsWith: 'EX' } }, ({ name }) => name?.toLowerCase().endsWith('ex') === true],
    [{ name: { istartsWith: 'rE' } }, ({ name }) => name?.toLowerCase().startsWith('re') === true],
    [{ name: { startsWith: '1', contains: '%' } }, ({ name }) => isText(name) && name.startsWith('1') && name.includes('%')],
  ],
  'all but one value': [
    [{ name: { ne: 'Rex' } }, ({ name }) => name !== 'Rex'],
    [{ name: { ne: null } }, ({ name }) => isText(name)],
    [{ age: { ne: 3 } }, ({ age }) => age !== 3],
    [{ species: { ne: 'CAT' } }, ({ species }) => species !== 'CAT'],
    [{ ownerId: { ne: 'ann' } }, (pet) => pet['owner-id'] !== 'ann'],
    [{ vetId: { ne: '1' } }, ({ vetNumber }) => vetNumber !== 1],
  ],
  'the start of a text': [
    ...['R', 'r', '100', '100%', "it's", 'a_', 'a\\', 'a', "'", 'é', 'é😀', '10'].map((start) => [{ name: { startsWith: start } }, ({ name }: Pet) => isText(name) && name.startsWith(start)] as const),
    [{ name: { startsWith: '' } }, ({ name }) => isText(name)],
    [{ name: { startsWith: 'a', gt: 'a_' } }, ({ name }) => isText(name) && name.startsWith('a') && name > 'a_'],
  ],
  'a whole number': [
    [{ age: { eq: 3 } }, ({ age }) => age === 3],
    [{ age: { eq: 0 } }, ({ age }) => age === 0],
    [{ age: { in: [-1, 0, 12, 999] } }, ({ age }) => [-1, 0, 12].includes(age!)],
    [{ age: { lt: 3 } }, ({ age }) => isNumber(age) && age < 3],
    [{ age: { lte: 3 } }, ({ age }) => isNumber(age) && age <= 3],
    [{ age: { gt: 3 } }, ({ age }) => isNumber(age) && age > 3],
    [{ age: { gte: 3 } }, ({ age }) => isNumber(age) && age >= 3],
  ],
  'a fraction, under another name in the document': [
    [{ weight: { eq: 30.5 } }, (pet) => pet['weight-kg'] === 30.5],
    [{ weight: { eq: 0 } }, (pet) => pet['weight-kg'] === 0],
    [{ weight: { eq: 1e21 } }, (pet) => pet['weight-kg'] === 1e21],
    [{ weight: { in: [4, 12.25] } }, (pet) => [4, 12.25].includes(pet['weight-kg']!)],
    [{ weight: { lt: 0 } }, (pet) => isNumber(pet['weight-kg']) && pet['weight-kg'] < 0],
    [{ weight: { gte: 4, lt: 30.5 } }, (pet) => isNumber(pet['weight-kg']) && pet['weight-kg'] >= 4 && pet['weight-kg'] < 30.5],
  ],
  'a boolean': [
    [{ tame: { eq: true } }, ({ tame }) => tame === true],
    [{ tame: { eq: false } }, ({ tame }) => tame === false],
    [{ tame: { in: [true, false] } }, ({ tame }) => typeof tame === 'boolean'],
  ],
  'an enum': [
    [{ species: { eq: 'DOG' } }, ({ species }) => species === 'DOG'],
    [{ species: { in: ['CAT', 'NEWT'] } }, ({ species }) => species === 'CAT' || species === 'NEWT'],
  ],
  'a scalar of its own': [
    [{ born: { eq: '2023-01-31' } }, ({ born }) => born === '2023-01-31'],
    [{ born: { in: ['', '2020-02-29'] } }, ({ born }) => born === '' || born === '2020-02-29'],
  ],
  'a count': [
    [{ countOfToys: { eq: 2 } }, ({ countOfToys }) => countOfToys === 2],
    [{ countOfToys: { gt: 0 } }, ({ countOfToys = 0 }) => countOfToys > 0],
  ],
  'no value': [
    [{ name: { eq: null } }, ({ name }) => isNothing(name)],
    [{ name: { isNull: true } }, ({ name }) => isNothing(name)],
    [{ name: { isNull: false } }, ({ name }) => !isNothing(name)],
    [{ age: { eq: null } }, ({ age }) => isNothing(age)],
    [{ tame: { isNull: true } }, ({ tame }) => isNothing(tame)],
    [{ species: { isNull: false } }, ({ species }) => !isNothing(species)],
    [{ born: { eq: null } }, ({ born }) => isNothing(born)],
    [{ ownerId: { eq: null } }, (pet) => isNothing(pet['owner-id'])],
    [{ vetId: { eq: null } }, ({ vetNumber }) => isNothing(vetNumber)],
    [{ vetId: { isNull: false } }, ({ vetNumber }) => !isNothing(vetNumber)],
    [{ breederId: { isNull: true } }, ({ breeder }) => isNothing(breeder)],
  ],
  'an id': [
    ...pets.map(({ id }) => [{ id: { eq: id } }, (pet: Pet) => pet.id === id] as const),
    [{ id: { in: ["it's", 'say "hi"', '%', 'nobody'] } }, ({ id }) => ["it's", 'say "hi"', '%'].includes(id)],
    [{ id: { eq: '10', in: ['10', 'p1'] } }, ({ id }) => id === '10'],
  ],
  'the id of a reference': [
    [{ ownerId: { eq: 'ann' } }, (pet) => pet['owner-id'] === 'ann'],
    [{ ownerId: { eq: "o'neil" } }, (pet) => pet['owner-id'] === "o'neil"],
    [{ ownerId: { in: ['bob', 'say "hi"'] } }, (pet) => ['bob', 'say "hi"'].includes(pet['owner-id']!)],
  ],
  'ids in a list of references': [
    [{ sitterIds: { contains: 'ann' } }, ({ sitters }) => sitters?.includes('ann') ?? false],
    [{ sitterIds: { contains: "o'neil" } }, ({ sitters }) => sitters?.includes("o'neil") ?? false],
    [{ sitterIds: { containsAny: ['ann', 'back|slash'] } }, ({ sitters = [] }) => sitters.includes('ann') || sitters.includes('back|slash')],
    [{ sitterIds: { contains: 'ann', containsAny: ['bob'] } }, ({ sitters = [] }) => sitters.includes('ann') && sitters.includes('bob')],
  ],
  'the id of a reference that is stored as a number': [
    ...['0', '1', '10', '100'].map((id) => [{ vetId: { eq: id } }, ({ vetNumber }: Pet) => vetNumber === Number(id)] as const),
    [{ vetId: { in: ['1', '2', '7'] } }, ({ vetNumber }) => vetNumber === 1 || vetNumber === 2],
  ],
  'ids in a list of references that are stored as numbers': [
    [{ pastVetIds: { contains: '1' } }, ({ past }) => past?.includes(1) ?? false],
    [{ pastVetIds: { contains: '100' } }, ({ past }) => past?.includes(100) ?? false],
    [{ pastVetIds: { containsAny: ['3', '10'] } }, ({ past = [] }) => past.includes(3) || past.includes(10)],
  ],
  'the id of a snapshot, and ids in a list of snapshots': [
    [{ breederId: { eq: "o'neil" } }, ({ breeder }) => breeder?.id === "o'neil"],
    [{ breederId: { in: ['ann', 'bob'] } }, ({ breeder }) => breeder?.id === 'ann' || breeder?.id === 'bob'],
    [{ friendIds: { contains: '%' } }, ({ friends }) => friends?.some(({ id }) => id === '%') ?? false],
    [{ friendIds: { containsAny: ['p1', "it's"] } }, ({ friends = [] }) => friends.some(({ id }) => id === 'p1' || id === "it's")],
  ],
  'several at once': [
    [{ age: { eq: 3 }, tame: { eq: true } }, ({ age, tame }) => age === 3 && tame === true],
    [{ and: [{ age: { eq: 3 } }, { name: { startsWith: 'r' } }] }, ({ age, name }) => age === 3 && name === 'rex'],
    [{ or: [{ age: { eq: 12 } }, { ownerId: { eq: 'ann' } }] }, (pet) => pet.age === 12 || pet['owner-id'] === 'ann'],
    [{ or: [{ age: { lt: 3 } }, { age: { gt: 7 } }], tame: { isNull: true } }, ({ age, tame }) => isNumber(age) && (age < 3 || age > 7) && isNothing(tame)],
    [{ not: { age: { gte: 3 } } }, ({ age }) => !(isNumber(age) && age >= 3)],
    [{ not: { ownerId: { in: ['ann', 'bob'] } } }, (pet) => !['ann', 'bob'].includes(pet['owner-id']!)],
    [{ not: { sitterIds: { contains: 'ann' } } }, ({ sitters = [] }) => !sitters.includes('ann')],
    [{ not: { or: [{ tame: { eq: true } }, { not: { name: { isNull: false } } }] } }, ({ tame, name }) => tame !== true && !isNothing(name)],
    [{ or: [{ id: { eq: 'p1' } }, { and: [{ vetId: { eq: '1' } }, { pastVetIds: { contains: '1' } }] }] }, ({ id, vetNumber, past = [] }) => id === 'p1' || (vetNumber === 1 && past.includes(1))],
  ],
}

const findingAll: readonly (Filter | null)[] = [
  null, {}, { name: null }, { name: {} }, { name: { in: null } }, { name: { startsWith: null } }, { name: { isNull: null } }, { age: { gt: null } }, { sitterIds: {} },
  { sitterIds: { contains: null } }, { and: [] }, { and: null }, { or: null }, { not: null }, { or: [{}] }, { and: [{}, {}] }, { not: { not: {} } },
  { not: { name: { in: [] } } }, { or: [{ age: { eq: 3 } }, { not: { age: { eq: 3 } } }] },
]

const findingNothing: readonly Filter[] = [
  { name: { in: [] } }, { age: { in: [] } }, { id: { in: [] } }, { vetId: { in: [] } }, { ownerId: { in: [] } }, { sitterIds: { containsAny: [] } }, { or: [] }, { not: {} },
  { id: { eq: 'nobody' } }, { id: { eq: null } }, { id: { eq: 'p1', in: ['p2'] } }, { name: { eq: null, isNull: false } }, { name: { startsWith: 'a%' } },
  { name: { startsWith: '_' } }, { name: { startsWith: '%' } }, { name: { lt: 'a', gt: 'b' } }, { and: [{ age: { eq: 3 } }, { age: { eq: 12 } }] },
  { vetId: { eq: '7' } }, { ownerId: { eq: 'Ann' } }, { and: [{ or: [] }] }, { not: { and: [] } },
]

describe.each(stores)('on $name', ({ store }) => {
  const opened = openGateway({ typeDefs, store, documents, limits: { nesting: 1000 } })

  describe.each(Object.entries(filters))('by %s', (_, cases) => {
    test.each(cases.map(([filter, keep]) => [JSON.stringify(filter), filter, keep] as const))('%s', async (_name, filter, keep) => {
      const expected = pets.filter(keep)
      expect(expected.length, 'some are found').toBeGreaterThan(0)
      expect(expected.length, 'some are not').toBeLessThan(pets.length)
      expect(await found(await opened, filter)).toEqual(idsOf(expected))
    })
  })

  test('what asks for nothing leaves nothing out', async () => {
    for (const filter of findingAll) expect(await found(await opened, filter), JSON.stringify(filter)).toEqual(idsOf(pets))
  })

  test('what nothing can be is not found', async () => {
    for (const filter of findingNothing) expect(await found(await opened, filter), JSON.stringify(filter)).toEqual([])
  })

  test('any filters put together in any way find what looking at each document does', async () => {
    const ask = await opened
    await fc.assert(fc.asyncProperty(anyFilter, async ([filter, keep]) => {
      expect(await found(ask, filter)).toEqual(idsOf(pets.filter(keep)))
    }), { seed: 20_260_809, numRuns: runs(150) })
  })

  describe('an id that is not how a number is written is the id of nothing that is stored as a number', () => {
    test.each(['locum', '', ' ', '01', '1.0', '+1', '1e0', '0x1', ' 1', '-0', 'NaN', 'Infinity', 'null', '1n', '9007199254740993'])('%j', async (id) => {
      const ask = await opened
      for (const filter of [{ vetId: { eq: id } }, { vetId: { in: [id] } }, { pastVetIds: { contains: id } }, { pastVetIds: { containsAny: [id] } }]) {
        expect(await found(ask, filter), JSON.stringify(filter)).toEqual([])
      }
      expect(await found(ask, { vetId: { in: [id, '1'] } })).toEqual(['p1', 'say "hi"'])
    })

    test('so such a document has nothing pointing back at it', async () => {
      const ask = await opened
      const one = '{ vet(id: "locum") { patients { totalCount nodes { id } } } }'
      expect((await ask(one)).data).toEqual({ vet: { patients: { totalCount: 0, nodes: [] } } })
      const { data } = await ask('{ vets { nodes { id patients { totalCount nodes { id } } } } }')
      const { nodes } = (data as { vets: { nodes: { id: string; patients: object }[] } }).vets
      expect(nodes.find(({ id }) => id === 'locum')?.patients).toEqual({ totalCount: 0, nodes: [] })
    })
  })

  test.each([
    ['an operator that the type does not have', '{ pets(filter: { tame: { lt: true } }) { totalCount } }'],
    ['a start of something that is no text', '{ pets(filter: { age: { startsWith: 1 } }) { totalCount } }'],
    ['a value of another type', '{ pets(filter: { age: { eq: "3" } }) { totalCount } }'],
    ['a value that the enum does not have', '{ pets(filter: { species: { eq: FISH } }) { totalCount } }'],
    ['a field that is not indexed', '{ people(filter: { name: { eq: "ann" } }) { totalCount } }'],
    ['null in a list', '{ pets(filter: { name: { in: [null] } }) { totalCount } }'],
  ])('%s is refused before anything is read', async (_, query) => {
    const { errors, data, report } = await (await opened)(query)
    expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['GRAPHQL_VALIDATION_FAILED'])
    expect([data, report]).toEqual([undefined, undefined])
  })

  describe.each([
    ['beside each other, any of which is enough', (many: number) => ({ or: Array.from({ length: many - 1 }, (_, at) => ({ name: { eq: `n${at}` } })) })],
    ['beside each other, all of which have to hold', (many: number) => ({ and: Array.from({ length: many - 1 }, () => ({ friendIds: { contains: 'p1' } })) })],
    ['within each other', (many: number) => within(many - 1, { name: { startsWith: 'r' } })],
    ['with a lot on one field each', (many: number) => ({ not: { or: Array.from({ length: (many - 2) / 8 }, () => ({ name: { eq: 'x', in: ['x'], isNull: false, lt: 'y', lte: 'y', gt: 'a', gte: 'a', startsWith: 'x' } })) } })],
  ])('many conditions %s', (_, filter) => {
    test('are understood up to 250', async () => {
      const { errors } = await (await opened)('query ($filter: PetFilter) { pets(filter: $filter) { totalCount nodes { id } } }', { variables: { filter: filter(250) } })
      expect(errors).toBeUndefined()
    })

    test('are refused beyond that, with what to do instead', async () => {
      const { errors } = await (await opened)('query ($filter: PetFilter) { pets(filter: $filter) { totalCount } }', { variables: { filter: filter(258) } })
      expect(errors?.map(({ message, extensions }) => [message, extensions?.code])).toEqual([['The filter has more than 250 conditions. Ask for several values of a field with "in", or in several requests.', 'BAD_USER_INPUT']])
    })
  })
})

function within(levels: number, inner: object): object {
  return levels === 0 ? inner : { not: within(levels - 1, inner) }
}

/** Any of the filters above, and any combination of them, with what it should keep. */
const anyFilter: fc.Arbitrary<readonly [Filter, Keep]> = fc.letrec<{ any: readonly [Filter, Keep] }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom(...Object.values(filters).flat()),
    tie('any').map(([filter, keep]) => [{ not: filter }, (pet: Pet) => !keep(pet)] as const),
    fc.array(tie('any'), { maxLength: 3 }).map((all) => [{ and: all.map(([filter]) => filter) }, (pet: Pet) => all.every(([, keep]) => keep(pet))] as const),
    fc.array(tie('any'), { maxLength: 3 }).map((all) => [{ or: all.map(([filter]) => filter) }, (pet: Pet) => all.some(([, keep]) => keep(pet))] as const),
  ),
})).any

/** The ids of what a filter finds; the count of it has to agree. */
async function found(ask: Ask, filter: Filter | null): Promise<string[]> {
  const { data, errors } = await ask('query ($filter: PetFilter) { pets(first: 100, filter: $filter) { totalCount nodes { id } } }', { variables: { filter } })
  expect(errors).toBeUndefined()
  const { totalCount, nodes } = (data as { pets: { totalCount: number; nodes: { id: string }[] } }).pets
  expect(totalCount).toBe(nodes.length)
  return nodes.map(({ id }) => id).toSorted()
}

function idsOf(some: readonly Pet[]): string[] {
  return some.map(({ id }) => id).toSorted()
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null
}
