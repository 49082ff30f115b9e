// Rules about writing: a refused mutation writes nothing, and its error reveals nothing of documents that the viewer cannot see.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { GraphQLResolveInfo } from 'graphql'
import type { MutationContext, MutationInput } from '../../src/write/mutations.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { unlikeStores } from '../harness.ts'
import { documents, typeDefs, viewers, resolversWith } from './diaries.ts'
import { openWorld, type Answer, type World } from './world.ts'

type Call = (source: unknown, args: { input: MutationInput & { id: string; topicId: string } }, context: MutationContext, info: GraphQLResolveInfo) => unknown

/** Custom mutations without permission checks of their own. */
const lend: Call = (_, { input }, { quire }, info) => quire.mutate(input, info, async (change) => ({ diary: change.change('Diary', await change.get('Diary', input.id), { lent: true }) }))
const praise: Call = (_, { input }, { quire }, info) => quire.mutate(input, info, async (change) => ({ topic: change.change('Topic', await change.get('Topic', input.topicId), { praised: true }) }))
const domain = { typeDefs, documents, resolvers: resolversWith({ Mutation: { lend, touch: lend, praise } }) }

let world: World
beforeEach(async () => {
  world = await openWorld(domain, viewers, openMemoryStore)
})
afterEach(() => world.close())

function codeOf({ errors }: Answer): string | undefined {
  return errors?.[0]?.extensions.code
}

const createDiary = (writerId: string, more = '') => `mutation { createDiary(input: { title: "New", writerId: "${writerId}", topicId: "love" ${more} }) { diary { id writer { id } } } }`
const updateDiaries = (...ids: string[]) => `mutation { updateDiaries(inputs: [${ids.map((id) => `{ id: "${id}", title: "Mine" }`).join(' ')}]) { written results { diary { id } failure { code } } } }`
const upsertDiary = (id: string, writer: string) => `mutation { upsertDiary(input: { id: "${id}", title: "New", writerId: "${writer}", topicId: "love" }) { created } }`

describe('before anything is written', () => {
  test.each([
    ['nobody', 'mutation { updateTopic(input: { id: "love", name: "Hate" }) { topic { id } } }', 'UNAUTHENTICATED'],
    ['bob', 'mutation { updateTopic(input: { id: "love", name: "Hate" }) { topic { id } } }', 'FORBIDDEN'],
    ['editor', 'mutation { createReport(input: { verdict: "Guilty" }) { clientMutationId } }', 'FORBIDDEN'],
    ['nobody', createDiary('ada'), 'UNAUTHENTICATED'],
    ['nobody', 'mutation { lend(input: { id: "diary-ada-1" }) { clientMutationId } }', 'UNAUTHENTICATED'],
    ['nobody', 'mutation { touch(input: { id: "diary-ada-1" }) { clientMutationId } }', 'UNAUTHENTICATED'],
    ['nobody', 'mutation { praise(input: { topicId: "love" }) { clientMutationId } }', 'UNAUTHENTICATED'],
    // Rules apply to what a mutation returns as well.
    ['editor', 'mutation { updateTopic(input: { id: "love", name: "Hate" }) { topic { report { id } } } }', 'FORBIDDEN'],
  ])('%s is refused: %s', async (who, mutation, code) => {
    const { data, errors } = await world.ask(mutation, who)
    expect({ data, errors: errors?.map(({ path, extensions }) => ({ path, code: extensions.code })) }).toEqual({ data: null, errors: [{ path: undefined, code }] })
    expect((await world.ask('{ topic(id: "love") { name } }', 'nobody')).data).toEqual({ topic: { name: 'Love' } })
  })

  test('the message names the mutation and the role it requires', async () => {
    const { text } = await world.ask('mutation {\n  deleteTopic(input: { id: "love" }) { clientMutationId } }', 'bob')
    expect(JSON.parse(text)).toEqual({ data: null, errors: [{ message: expect.stringMatching(/^Forbidden: Mutation\.deleteTopic requires role /) as string, locations: [{ line: 2, column: 3 }], extensions: { code: 'FORBIDDEN' } }] })
  })
})

describe('many at once', () => {
  test.each([
    ['nobody', 'mutation { upsertReport(input: { id: "r9", verdict: "Guilty" }) { created } }', 'UNAUTHENTICATED'],
    ['bob', 'mutation { updateTopics(inputs: [{ id: "love", name: "Hate" }]) { written } }', 'FORBIDDEN'],
    ['bob', 'mutation { upsertReports(inputs: [{ id: "r9", verdict: "Guilty" }]) { written } }', 'FORBIDDEN'],
    ['bob', 'mutation { deleteTopics(inputs: [{ id: "love" }]) { written } }', 'FORBIDDEN'],
    ['editor', 'mutation { createReports(inputs: [{ verdict: "Guilty" }]) { written } }', 'FORBIDDEN'],
  ])('%s is refused before anything is written: %s', async (who, mutation, code) => {
    const { data, errors } = await world.ask(mutation, who)
    expect({ data, errors: errors?.map(({ path, extensions }) => ({ path, code: extensions.code })) }).toEqual({ data: null, errors: [{ path: undefined, code }] })
  })

  test('owners write their own documents, and those of others seem not to be there', async () => {
    expect((await world.ask(updateDiaries('diary-ada-1'), 'ada')).data).toMatchObject({ updateDiaries: { written: 1, results: [{ diary: { id: 'diary-ada-1' }, failure: null }] } })
    expect((await world.ask(updateDiaries('diary-bob-1', 'diary-none'), 'ada')).data).toMatchObject({ updateDiaries: { written: 0, results: [{ diary: null, failure: { code: 'NOT_FOUND' } }, { diary: null, failure: { code: 'NOT_FOUND' } }] } })
    expect(codeOf(await world.ask(upsertDiary('diary-bob-1', 'ada'), 'ada'))).toBe('CONFLICT')
    expect(codeOf(await world.ask(upsertDiary('diary-ada-9', 'bob'), 'ada'))).toBe('REFERENCE_MISSING')
    expect((await world.ask(upsertDiary('diary-ada-9', 'ada'), 'ada')).data).toEqual({ upsertDiary: { created: true } })
  })
})

describe('a role may write what its rules open', () => {
  test('editors topics, auditors reports, support everyone’s diaries', async () => {
    expect((await world.ask('mutation { updateTopic(input: { id: "love", name: "Hate" }) { topic { name } } }', 'editor')).data).toEqual({ updateTopic: { topic: { name: 'Hate' } } })
    expect((await world.ask('mutation { createReport(input: { verdict: "Guilty" }) { report { verdict } } }', 'auditor')).data).toEqual({ createReport: { report: { verdict: 'Guilty' } } })
    expect((await world.ask('mutation { updateDiary(input: { id: "diary-ada-1", writerId: "bob" }) { diary { writer { id } } } }', 'support')).data).toEqual({ updateDiary: { diary: { writer: { id: 'bob' } } } })
  })
})

describe('an owner', () => {
  test('writes own documents', async () => {
    expect((await world.ask('mutation { updateDiary(input: { id: "diary-bob-1", title: "Mine" }) { diary { title } } }', 'bob')).data).toEqual({ updateDiary: { diary: { title: 'Mine' } } })
    expect((await world.ask(createDiary('bob', ', id: "new"'), 'bob')).data).toEqual({ createDiary: { diary: { id: 'new', writer: { id: 'bob' } } } })
    expect((await world.ask('mutation { deleteDiary(input: { id: "new" }) { diary { id } } }', 'bob')).data).toEqual({ deleteDiary: { diary: { id: 'new' } } })
    expect((await world.ask('mutation { lend(input: { id: "diary-ada-2" }) { diary { id } } }', 'ada')).data).toEqual({ lend: { diary: { id: 'diary-ada-2' } } })
  })

  test('can neither give documents away nor take others’', async () => {
    expect(codeOf(await world.ask('mutation { updateDiary(input: { id: "diary-bob-1", writerId: "ada" }) { clientMutationId } }', 'bob'))).toBe('REFERENCE_MISSING')
    expect((await world.ask(createDiary('ada'), 'bob')).errors).toMatchObject([{ message: expect.stringMatching(/Diary\.writer.*ada/) as string, extensions: { code: 'REFERENCE_MISSING' } }])
    expect(codeOf(await world.ask('mutation { createPerson(input: { id: "ada2", name: "Bob" }) { clientMutationId } }', 'bob'))).toBe('FORBIDDEN')
    expect((await world.ask('{ diaries { nodes { id writer { id } } } }', 'support')).data).toEqual({ diaries: { nodes: [['diary-ada-1', 'ada'], ['diary-ada-2', 'ada'], ['diary-bob-1', 'bob']].map(([id, writer]) => ({ id, writer: { id: writer } })) } })
  })

  test('gets FORBIDDEN for another’s document that may be read but not written', async () => {
    const shared = await openWorld({
      typeDefs: 'type Note @document(container: "notes") @writable(owner: "writer") { id: ID!  writer: String!  text: String }', documents: { Note: [{ id: 'n1', writer: 'ada', text: 'A' }] },
    }, viewers, openMemoryStore)
    expect((await shared.ask('mutation { updateNote(input: { id: "n1", text: "B", ifMatch: "x" }) { clientMutationId } }', 'bob')).errors).toMatchObject([{ message: expect.stringContaining('n1') as string, extensions: { code: 'FORBIDDEN' } }])
    expect(codeOf(await shared.ask('mutation { deleteNote(input: { id: "n1" }) { clientMutationId } }', 'bob'))).toBe('FORBIDDEN')
    expect((await shared.ask('mutation { updateNote(input: { id: "n1", writer: "bob" }) { clientMutationId } }', 'ada')).errors)
      .toMatchObject([{ message: expect.stringContaining('Note.writer') as string, extensions: { code: 'FORBIDDEN' } }])
    expect((await shared.ask('{ notes { nodes { writer text } } }', 'nobody')).data).toEqual({ notes: { nodes: [{ writer: 'ada', text: 'A' }] } })
    await shared.close()
  })
})

describe.each(unlikeStores)('on $name, a document that the viewer cannot see', ({ store }) => {
  let other: World
  beforeEach(async () => {
    other = await openWorld(domain, viewers, store)
  })
  afterEach(() => other.close())

  test.each([
    ['update', (id: string) => `mutation { updateDiary(input: { id: "${id}", title: "X" }) { diary { id } } }`],
    ['update with an etag', (id: string) => `mutation { updateDiary(input: { id: "${id}", title: "X", ifMatch: "x" }) { diary { id } } }`],
    ['delete', (id: string) => `mutation { deleteDiary(input: { id: "${id}" }) { diary { id } } }`],
    ['a mutation of the domain', (id: string) => `mutation { lend(input: { id: "${id}" }) { diary { id } } }`],
    ['a mutation of the domain without a rule', (id: string) => `mutation { touch(input: { id: "${id}" }) { diary { id } } }`],
    ['a reference', (id: string) => `mutation { createMark(input: { readerId: "bob", diaryId: "${id}" }) { mark { id } } }`],
    ['a reference in a list', (id: string) => `mutation { updateTopic(input: { id: "love", featuredIds: ["${id}"] }) { topic { id } } }`],
    ['a snapshot', (id: string) => `mutation { updateTopic(input: { id: "love", latestId: "${id}" }) { topic { id } } }`],
  ])('looks like a missing one to %s', async (_, mutation) => {
    for (const who of ['bob', 'editor']) {
      const [hidden, missing] = [await other.ask(mutation('diary-ada-1'), who), await other.ask(mutation('diary-zoe-1'), who)]
      expect(hidden.errors).toBeDefined()
      expect(hidden.text.replaceAll('diary-ada-1', 'diary-zoe-1')).toBe(missing.text)
    }
    expect((await other.ask('{ diary(id: "diary-ada-1") { title } }', 'ada')).data).toEqual({ diary: { title: 'Title of diary-ada-1' } })
  })

  test('is not named in errors about references to it, nor about its id being taken', async () => {
    await other.ask('mutation { updateTopic(input: { id: "love", featuredIds: [], pinnedIds: [], latestId: null }) { topic { id } } }', 'support')
    const { errors } = await other.ask('mutation { deleteTopic(input: { id: "war" }) { topic { id } } }', 'editor')
    expect(errors).toMatchObject([{ message: expect.stringMatching(/^Topic war cannot be deleted: (?!.*(love|diary))/i) as string, extensions: { code: 'REFERENCED' } }])
    const taken = await other.ask(createDiary('bob', ', id: "diary-ada-1"'), 'bob')
    expect(taken.errors).toMatchObject([{ message: expect.stringMatching(/^The id diary-ada-1 (?!.*(Ada|exists|Diary\b))/) as string, extensions: { code: 'CONFLICT' } }])
  })

  test('is not revealed by the result of a mutation', async () => {
    // The caller may change every topic, and sees of it what any viewer sees.
    expect((await other.ask('mutation { praise(input: { topicId: "love" }) { topic { name listed { id } } } }', 'bob')).data).toEqual({ praise: { topic: { name: 'Love', listed: [{ id: 'diary-bob-1' }] } } })
  })
})

test('a document that the viewer may write but not read is written and not shown', async () => {
  const typed = 'type Note @document(container: "notes") @readable(owner: "writer") @writable(roles: ["editor"]) { id: ID!  writer: String! }'
  const box = await openWorld({ typeDefs: typed, documents: {} }, viewers, openMemoryStore)
  const { data, errors } = await box.ask('mutation { createNote(input: { id: "n1", writer: "ada" }) { clientMutationId note { id } } }', 'editor')
  expect({ data, code: errors?.[0]?.extensions.code }).toEqual({ data: null, code: 'FORBIDDEN' })
  expect((await box.ask('{ notes { nodes { id } } }', 'ada')).data).toEqual({ notes: { nodes: [{ id: 'n1' }] } })
  expect(codeOf(await box.ask('mutation { updateNote(input: { id: "n1", writer: "kim" }) { clientMutationId } }', 'editor'))).toBe('NOT_FOUND')
  await box.close()
})

test('without authentication, production rejects writes unless a rule opens them to everyone', async () => {
  const typed = 'type Note @document(container: "notes") { id: ID! } type Wall @document(container: "walls") @writable(by: PUBLIC) { id: ID! } type Safe @document(container: "safes") @readable(by: SIGNED_IN) { id: ID! }'
  const box = await openWorld({ typeDefs: typed, documents: {} }, viewers, openMemoryStore, { identity: undefined })
  expect((await box.ask('mutation { createNote(input: { id: "a" }) { note { id } } }', 'support')).errors).toMatchObject([{ message: expect.stringContaining('Writes are closed') as string, extensions: { code: 'UNAUTHENTICATED' } }])
  expect((await box.ask('{ safes { totalCount } }', 'support')).errors).toMatchObject([{ message: expect.stringContaining('Query.safes') as string, extensions: { code: 'UNAUTHENTICATED' } }])
  expect((await box.ask('mutation { createWall(input: { id: "a" }) { wall { id } } }', 'nobody')).data).toEqual({ createWall: { wall: { id: 'a' } } })
  await box.close()
})

test('without authentication, development allows everything; with it, rules apply there too', async () => {
  const write = 'mutation { createReport(input: { id: "r2", verdict: "Guilty" }) { report { verdict } } }'
  const [open, ruled] = await Promise.all([openWorld(domain, viewers, openMemoryStore, { identity: undefined, development: true }), openWorld(domain, viewers, openMemoryStore, { development: true })])
  expect((await open.ask(write, 'nobody')).data).toEqual({ createReport: { report: { verdict: 'Guilty' } } })
  expect((await open.ask('{ diaries { totalCount } }', 'nobody')).data).toEqual({ diaries: { totalCount: 3 } })
  expect(codeOf(await ruled.ask(write, 'nobody'))).toBe('UNAUTHENTICATED')
  expect(codeOf(await ruled.ask('{ diaries { totalCount } }', 'nobody'))).toBe('UNAUTHENTICATED')
  await Promise.all([open.close(), ruled.close()])
})
