// `quire codegen`: its types compile under strict options, fit the documents that Quire stores, accept right code and reject wrong.

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildASTSchema } from 'graphql'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { joined, readSdl, readSdlFolder } from '../../src/model/sdl/read-sdl.ts'
import { openTestGateway } from '../../src/entries/testing.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import type { Store } from '../../src/store/store.ts'
import { quire } from './quire.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-codegen-'))
  mkdirSync(join(folder, 'zoo'))
  writeFileSync(join(folder, 'zoo/zoo.graphql'), sdl)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Every way of storing, every kind of type, and names that collide with those that codegen makes. */
const sdl = /* GraphQL */ `
  "How wild it is. It says */ and 'quotes'."
  enum Mood { CALM WILD }
  "Collides with the name for a stored Beast."
  enum BeastDocument { ONE }
  enum Resolvers { ONE }
  scalar Day
  scalar DateTime
  scalar Decimal
  scalar JSON
  interface Named { name: String! }

  type Beast implements Named @document(container: "beasts", partitionKey: "/beastId", type: "beast") {
    id: ID!
    name: String! @indexed
    mood: Mood!
    born: Day
    fedAt: DateTime
    price: Decimal
    more: JSON
    legs: Int @stored(at: "number-of-legs")
    tags: [String!]! @contained(max: 5)
    marks: [String] @contained(max: 5)
    cage: Cage! @snapshot(at: "cage", fields: ["label", "size", "doors"])
    friends: [Beast] @snapshot(at: "friends", fields: ["name", "born"])
    keepers: [Keeper!]! @reference(at: "keeperIds")
    vet: Keeper @reference(at: "vetId", numeric: true)
    meals: [Meal!]! @contained(max: 9)
    home: Place
    sightings: SightingConnection! @bucketed(at: "recentSightings", recent: 2, size: 10, key: "beastId", type: "sightings")
    title: String! @derived
    initials: [String!] @derived
    calls: [String!]! @derived
  }
  type Cage @document(container: "cages", partitionKey: { concat: ["label", "size"] }) {
    id: ID!
    label: String!
    size: Int!
    doors: [Place!]! @contained(max: 4)
    countOfBeasts: Int! @counted(relation: "beasts")
    beasts: BeastConnection! @reverse(of: "Beast.cage")
  }
  type Keeper @document(container: "keepers") { id: ID! name: String! kind: BeastDocument other: Resolvers }
  type Place { name: String! inside: Place area: Float! @derived }
  union Meal = Hay | Fish
  type Hay @shape(has: "kilos") { kilos: Float! }
  type Fish @shape(has: "pieces") { pieces: Int! caughtBy: Keeper @reference(at: "caughtBy") }
  type Sighting { id: ID! text: String! }

  extend type Query {
    wildest(mood: Mood = WILD, after: Day, fedBefore: DateTime, near: Near): Beast
    moods: [Mood!]!
    anyone(names: [String!]!): Named
  }
  extend type Mutation {
    see(input: SeeInput!): SeePayload!
    rename(input: RenameInput!): RenamePayload!
  }
  input Near { name: String! mood: Mood = CALM }
  input SeeInput { clientMutationId: String, beastId: ID!, text: String!, where: Where }
  input Where @oneOf { cageId: ID, outside: Boolean }
  type SeePayload { clientMutationId: String, beast: Beast!, sighting: Sighting, mood: Mood }
  input RenameInput { clientMutationId: String, id: ID!, name: String! }
  type RenamePayload { clientMutationId: String, keeper: Keeper! }
  type Subscription { beastMoved(cages: [ID!]): Beast! }
`

const code = `
import { GraphQLScalarType } from 'graphql'
import { createGateway } from 'quire-graphql'
import type { BeastDocument, BeastDocument_, Context, Derive, Documents, Resolvers_, Resolvers } from './quire.generated.ts'

export const derive: Derive = {
  Beast: { title: ({ name, mood, tags }) => [mood, name, ...(tags ?? [])].join(' ').toUpperCase(), initials: ({ name }) => (name === '' ? null : [name.charAt(0)]), calls: () => [] },
  Place: { area: ({ name, inside }) => (inside?.name ?? name).length },
}

export const resolvers: Resolvers = {
  Query: {
    wildest: (_, { mood, near, fedBefore }) => (fedBefore?.endsWith('Z') === true || near?.name === 'here' && mood === 'WILD' ? null : undefined),
    moods: () => ['CALM'],
    anyone: () => null,
  },
  Mutation: {
    async see(_, { input }, { quire }, info) {
      const payload = await quire.mutate(input, info, async (change) => {
        const { after } = await change.get('Beast', input.beastId)
        const label: string = after.cage.label
        // @ts-expect-error A snapshot has only what it copies.
        console.log(after.cage.countOfBeasts)
        return { beast: await change.append('Beast.sightings', input.beastId, { text: \`\${input.text} at \${label}\` }) }
      })
      return { ...payload, mood: input.where?.outside === true ? 'WILD' : 'CALM' }
    },
    rename: (_, { input }, { quire }, info) => quire.mutate(input, info, async (change) => {
      const keeper = await change.get('Keeper', input.id)
      // @ts-expect-error There is no such property.
      change.change('Keeper', keeper, { nmae: input.name })
      // @ts-expect-error There is no such type.
      await change.get('Kepeer', input.id)
      return { keeper: change.change('Keeper', keeper, { name: input.name }) }
    }),
  },
  Subscription: {
    beastMoved: {
      async *subscribe(_, { cages }, { quire }) {
        for await (const event of quire.changes.of('Beast')) if (cages?.includes(event.document.body.cage.id) ?? true) yield event
      },
      resolve: ({ document }) => document,
    },
  },
  Day: new GraphQLScalarType({ name: 'Day' }),
  Named: { __resolveType: () => 'Beast' },
  Cage: { label: ({ body }) => String(body['label']) },
}

export const documents: Documents = {
  Keeper: [{ id: 'k', name: 'Ann', kind: 'ONE' }],
  Cage: [{ id: 'c', label: 'A', size: 1 }],
  Beast: [{ id: 'b', name: 'Rex', mood: 'WILD', cage: { id: 'c', label: 'A', size: 1, doors: [] } }],
  beasts: [],
}

export const gateway = (typeDefs: string, store: Parameters<typeof createGateway>[0]['store']) => createGateway({ typeDefs, derive, resolvers, store })
export const named = (beast: BeastDocument, { quire }: Context): string => \`\${beast.name} \${typeof quire.mutate}\`
export const one: Resolvers_ | BeastDocument_ = 'ONE'

export const fedAt = ({ fedAt, price }: BeastDocument): string => \`\${fedAt ?? ''}\${price?.toFixed(2) ?? ''}\`
// @ts-expect-error A DateTime is stored as text.
export const fedAtMs = ({ fedAt }: BeastDocument): number => fedAt ?? 0
// Quire reads and shows it itself.
export const known: 'DateTime' extends keyof Resolvers ? never : true = true
// @ts-expect-error A list may be absent.
export const first = ({ tags }: BeastDocument): number => tags.length
// @ts-expect-error A nullable field may be absent.
export const legs = (beast: BeastDocument): number => beast['number-of-legs']
// @ts-expect-error A derived field is not stored.
export const title = (beast: BeastDocument): string => beast.title
// @ts-expect-error A function is missing.
export const lacking: Derive = { Beast: { title: () => '' }, Place: { area: () => 1 } }
// @ts-expect-error It returns the wrong type.
export const wrong: Derive['Place'] = { area: () => 'large' }
// @ts-expect-error A list that cannot be null is null.
export const noCalls: Derive['Beast']['calls'] = () => null
// @ts-expect-error A mood is missing.
export const unfinished: Documents = { Beast: [{ id: 'b', name: 'Rex', cage: { id: 'c', label: 'A', size: 1, doors: [] } }] }
`

test('its types accept right code and reject wrong, and what Quire stores fits them', async () => {
  expect(await quire(['codegen', 'zoo'], { cwd: folder })).toEqual({ code: 0, out: ['Wrote zoo/quire.generated.ts.', 'Wrote zoo/quire.generated.graphql.'], err: [] })
  writeFileSync(join(folder, 'zoo/code.ts'), code)
  writeFileSync(join(folder, 'zoo/stored.ts'), `import type { BeastDocument, CageDocument, KeeperDocument } from './quire.generated.ts'
    export const beasts: BeastDocument[] = ${await stored('beasts')}
    export const cages: CageDocument[] = ${await stored('cages')}
    export const keepers: KeeperDocument[] = ${await stored('keepers')}`)
  expect(await compiled()).toBe('')
})

/** The keywords of TypeScript, also those that are reserved only in some places. */
const words = `abstract accessor any as assert asserts async await bigint boolean break case catch class const constructor continue debugger declare default
  defer delete do else enum export extends false finally for from function get global if implements import in infer instanceof interface intrinsic is keyof
  let module namespace never new null number object of out override package private protected public readonly require return satisfies set static string
  super switch symbol this throw true try type typeof undefined unique unknown using var void while with yield`.split(/\s+/)

test('names that are reserved words of TypeScript become names of types', async () => {
  writeFileSync(join(folder, 'zoo/zoo.graphql'), `
    ${words.map((word) => `enum ${word} { ONE }`).join(' ')}
    type Beast @document(container: "beasts") { id: ID! ${words.map((word) => `of_${word}: ${word} in_${word}: [${word}!]! @contained(max: 2)`).join(' ')} }
    extend type Query { beast_of(${words.map((word) => `${word}: ${word}`).join(' ')}): Beast }`)
  expect(await quire(['codegen', 'zoo'], { cwd: folder })).toMatchObject({ code: 0, err: [] })
  writeFileSync(join(folder, 'zoo/code.ts'), `import type { BeastDocument, class_, Resolvers } from './quire.generated.ts'
    export const one: class_ = 'ONE'
    export const beast: BeastDocument = { id: 'b', of_class: one, in_keyof: ['ONE'] }
    export const resolvers: Resolvers = { Query: { beast_of: (_, args) => (args.class === one ? null : undefined) } }
    // @ts-expect-error There is no such value.
    export const wrong: BeastDocument = { id: 'b', of_class: 'TWO' }`)
  expect(await compiled()).toBe('')
})

test('an input named by a reserved word becomes the name of a type', async () => {
  writeFileSync(join(folder, 'zoo/zoo.graphql'), 'type Beast @document(container: "beasts") { id: ID! } input new { name: String! } extend type Query { wildest(new: new!): Beast }')
  expect(await quire(['codegen', 'zoo'], { cwd: folder })).toMatchObject({ code: 0, err: [] })
  expect(readFileSync(join(folder, 'zoo/quire.generated.ts'), 'utf8')).toMatch(/export type new_ = /)
})

test('what it writes completes the SDL for editors, and Quire does not read it', async () => {
  await quire(['codegen', 'zoo'], { cwd: folder })
  expect(readSdlFolder(join(folder, 'zoo')).definitions).toHaveLength(readSdl(sdl).definitions.length)
  const added = readSdl(readFileSync(join(folder, 'zoo/quire.generated.graphql'), 'utf8'))
  const schema = buildASTSchema(joined([readSdl(sdl), added]))
  expect(schema.getDirective('snapshot')!.args.map(({ name }) => name)).toContain('fields')
  expect(schema.getQueryType()!.getFields()).toMatchObject({ beasts: {}, wildest: {} })
})

test('--check fails when the SDL has changed, and names both files', async () => {
  expect(await quire(['codegen', 'zoo', '--check'], { cwd: folder })).toMatchObject({ code: 1, err: [expect.stringContaining('zoo/quire.generated.ts'), expect.stringContaining('zoo/quire.generated.graphql')] })
  await quire(['codegen', 'zoo'], { cwd: folder })
  expect(await quire(['codegen', 'zoo', '--check'], { cwd: folder })).toEqual({ code: 0, out: [], err: [] })
  writeFileSync(join(folder, 'zoo/zoo.graphql'), sdl.replace('legs: Int', 'legs: Int!'))
  expect(await quire(['codegen', 'zoo', '--check'], { cwd: folder })).toMatchObject({ code: 1 })
})

test('SDL with mistakes, or no folder, is an error, and nothing is written', async () => {
  writeFileSync(join(folder, 'zoo/zoo.graphql'), 'type Beast @document(container: "beasts") { name: String! }')
  expect(await quire(['codegen', 'zoo'], { cwd: folder })).toMatchObject({ code: 2, err: [expect.anything(), expect.stringMatching(/zoo\.graphql:1:6: Beast\b/)] })
  expect(await quire(['codegen'], { cwd: folder })).toMatchObject({ code: 2, err: [expect.stringContaining('schema')] })
})

/** The documents of a container, written by mutations, as TypeScript. */
async function stored(container: string): Promise<string> {
  let store: Store | undefined
  const { derive, resolvers } = { derive: { Beast: { title: () => 'T', initials: () => null, calls: () => [] }, Place: { area: () => 1 } }, resolvers: {} }
  const gateway = await openTestGateway({
    typeDefs: sdl.replace(/extend type[\s\S]*/, ''), derive, resolvers,
    store: async (layout) => (store = await openMemoryStore(layout)),
  })
  const { errors } = await gateway.ask(`mutation {
    createKeeper(input: { id: "7", name: "Ann", kind: ONE }) { keeper { id } }
    bare: createKeeper(input: { id: "k", name: "Ben" }) { keeper { id } }
    createCage(input: { id: "c", label: "A", size: 1, doors: [{ name: "N", inside: { name: "M" } }] }) { cage { id } }
    first: createBeast(input: { id: "a", name: "Rex", mood: CALM, cageId: "c" }) { beast { id } }
    second: createBeast(input: {
      id: "b", name: "Max", mood: WILD, born: "2020", legs: 4, tags: ["x"], marks: ["y"], cageId: "c", friendIds: ["a"], keeperIds: ["7", "k"], vetId: "7",
      meals: [{ hay: { kilos: 1.5 } }, { fish: { pieces: 2, caughtById: "k" } }], home: { name: "H" }
    }) { beast { id } }
    updateBeast(input: { id: "b", legs: null, home: null, tags: null, vetId: null }) { beast { id } }
  }`)
  expect(errors).toBeUndefined()
  const found = await store!.query({ container, orderBy: { path: ['id'], descending: false }, limit: 100 })
  await gateway.close()
  // The versions of documents and snapshots are Quire's own.
  return JSON.stringify(found.map(({ body }) => body), (name, value: unknown) => (name.startsWith('_') ? undefined : value), 2)
}

/** What the compiler complains of. */
async function compiled(): Promise<string> {
  const repository = resolve('.')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({
    extends: join(repository, 'tsconfig.json'),
    compilerOptions: { typeRoots: [join(repository, 'node_modules/@types')], paths: { 'quire-graphql': [join(repository, 'src/index.ts')], graphql: [join(repository, 'node_modules/graphql/index.d.ts')] } },
    include: ['zoo'],
  }))
  return new Promise((done) => {
    execFile(process.execPath, [join(repository, 'node_modules/typescript/bin/tsc'), '-p', '.'], { cwd: folder }, (_, out) => done(out))
  })
}
