// Remembered answers: given again as long as they are true and no longer, and within their bytes.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Answers } from '../../src/execute/remembered-answers.ts'
import type { PreparedQuery } from '../../src/execute/operation-cache.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store, Write } from '../../src/store/store.ts'
import fc from '../fast-check.ts'
import { openGateway, stores, type Ask } from '../harness.ts'
import { recordingStore, type RecordedCall } from '../read/recording-store.ts'

const directory = mkdtempSync(join(tmpdir(), 'quire-answers-'))
afterAll(() => rmSync(directory, { recursive: true }))

const typeDefs = `
  type Cage @document(container: "cages") { id: ID!  name: String!  keeper: Keeper @reference(at: "keeperId") }
  type Keeper @document(container: "keepers") { id: ID!  name: String!  cages: CageConnection! @reverse(of: "Cage.keeper") }
  type Ticket @document(container: "tickets") { id: ID!  price: Int! }
  extend type Query { moment: Float! }`

const documents = {
  Cage: [{ id: 'c1', name: 'One', keeperId: 'k1' }, { id: 'c2', name: 'Two', keeperId: 'k1' }],
  Keeper: [{ id: 'k1', name: 'Kim' }, { id: 'k2', name: 'Kai' }],
  Ticket: [{ id: 't1', price: 3 }],
}

const cages = '{ cages { nodes { name keeper { name } } } }'

/** A query that some plan answers. */
function prepared(number: number): PreparedQuery {
  return { planned: { number, custom: false }, given: {}, viewer: undefined } as unknown as PreparedQuery
}

interface Zoo {
  readonly ask: (query: string, variables?: object) => Promise<unknown>
  readonly change: Ask
  readonly store: Store
  /** How many calls it has taken since this was last asked. */
  readonly calls: () => number
}

async function openZoo(store: GatewayOptions['store'], before?: (call: RecordedCall) => Promise<void> | void, options: Partial<GatewayOptions> = {}): Promise<Zoo> {
  let recorded: ReturnType<typeof recordingStore> | undefined
  const change = await openGateway({
    typeDefs, documents, resolvers: { Query: { moment: () => Math.random() } }, ...options,
    store: async (layout) => (recorded = recordingStore(await store(layout), before ? { before } : {})).store,
  })
  recorded!.calls.length = 0
  return {
    ask: async (query, variables) => {
      const { data, errors } = await change(query, { variables: variables ?? {}, headers: { 'quire-trace': '0' } })
      return errors ?? data
    },
    change,
    store: recorded!.store,
    calls: () => recorded!.calls.splice(0).length,
  }
}

describe.for(stores)('on $name', ({ name: kind, store }) => {
  const remembers = kind !== 'cosmos'

  test('the same query takes no round trip from the third time on, until something it read is written', async () => {
    const { ask, calls, change } = await openZoo(store)
    const first = await ask(cages)
    expect(calls()).toBe(2)
    expect(await ask(cages)).toEqual(first)
    expect(calls()).toBe(2)
    expect(await ask(cages)).toEqual(first)
    expect(calls()).toBe(remembers ? 0 : 2)
    await change('mutation { updateTicket(input: { id: "t1", price: 4 }) { ticket { id } } }')
    calls()
    expect(await ask(cages)).toEqual(first)
    expect(calls()).toBe(remembers ? 0 : 2)
    await change.close()
  })

  test('a write is seen at once', async () => {
    const { ask, change, calls } = await openZoo(store)
    for (const name of ['Ann', 'Bea', 'Cid']) {
      await change(`mutation { updateKeeper(input: { id: "k1", name: "${name}" }) { keeper { id } } }`)
      for (let time = 0; time < 2; time++) {
        expect(await ask(cages)).toEqual({ cages: { nodes: [{ name: 'One', keeper: { name } }, { name: 'Two', keeper: { name } }] } })
      }
    }
    await change('mutation { deleteCage(input: { id: "c1" }) { cage { id } } }')
    calls()
    expect(await ask(cages)).toEqual({ cages: { nodes: [{ name: 'Two', keeper: { name: 'Cid' } }] } })
    await change.close()
  })

  test('other variables have another answer', async () => {
    const { ask, change } = await openZoo(store)
    const one = (id: string) => ask('query ($id: ID!) { cage(id: $id) { name } }', { id })
    for (let time = 0; time < 2; time++) {
      expect(await one('c1')).toEqual({ cage: { name: 'One' } })
      expect(await one('c2')).toEqual({ cage: { name: 'Two' } })
      expect(await one('c3')).toEqual({ cage: null })
    }
    await change.close()
  })
})

test('an answer is not remembered if something was written while it was made', async () => {
  let write: (() => Promise<unknown>) | undefined
  const { ask, store, change } = await openZoo(openMemoryStore, async ({ container }) => {
    if (container === 'keepers') await write?.()
  })
  const changed: Write = { kind: 'put', container: 'cages', key: { partition: ['c1'], id: 'c1' }, body: { id: 'c1', name: 'Changed', keeperId: 'k1' } }
  write = () => store.write([changed])
  const nodes = [{ name: 'One', keeper: { name: 'Kim' } }, { name: 'Two', keeper: { name: 'Kim' } }]
  expect(await ask(cages)).toEqual({ cages: { nodes } })
  write = undefined
  expect(await ask(cages)).toEqual({ cages: { nodes: [{ ...nodes[0], name: 'Changed' }, nodes[1]] } })
  await change.close()
})

test('a commit of another process to the same file is seen at once', async () => {
  const file = join(directory, 'two.db')
  const [zoo, other] = [await openZoo((layout) => openSqliteStore(file, layout)), await openZoo((layout) => openSqliteStore(file, layout))]
  for (const name of ['Ann', 'Bea']) {
    for (let time = 0; time < 2; time++) await zoo.ask(cages)
    await other.change(`mutation { updateKeeper(input: { id: "k1", name: "${name}" }) { keeper { id } } }`)
    expect(await zoo.ask('{ keepers { nodes { name } } }')).toEqual({ keepers: { nodes: [{ name }, { name: 'Kai' }] } })
    expect(await zoo.ask(cages)).toEqual({ cages: { nodes: [{ name: 'One', keeper: { name } }, { name: 'Two', keeper: { name } }] } })
  }
  await zoo.change.close()
  await other.change.close()
})

test('an answer with a resolver of the schema\'s own is never remembered', async () => {
  const { ask, change } = await openZoo(openMemoryStore)
  const answers = await Promise.all(Array.from({ length: 5 }, () => ask('{ moment cages { nodes { name } } }')))
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(5)
  await change.close()
})

test('with 0 bytes nothing is remembered', async () => {
  const { ask, calls, change } = await openZoo(openMemoryStore, undefined, { answerBytes: 0 })
  for (let time = 0; time < 3; time++) await ask(cages)
  expect(calls()).toBe(6)
  await change.close()
})

test('an answer with a viewer\'s own documents is given again to this viewer alone', async () => {
  const store = await openMemoryStore([])
  const answers = new Answers(store, 10_000)
  const [anns, beas, nobodys] = ['ann', 'bea', undefined].map((viewer) => ({ ...prepared(1), viewer }))
  answers.keep(anns!, 'hers', undefined, { containers: new Set(), hasReadOwnDocuments: true }, store.version())
  expect([anns!, beas!, nobodys!].map((each) => answers.find(each, false)?.body)).toEqual(['hers', undefined, undefined])
  answers.keep({ ...anns!, given: { a: 1 } }, 'everyone\'s', undefined, { containers: new Set(), hasReadOwnDocuments: false }, store.version())
  expect(answers.find({ ...beas!, given: { a: 1 } }, false)?.body).toBe('everyone\'s')
})

test('long answers are kept as bytes, and are the same text', async () => {
  const store = await openMemoryStore([])
  const answers = new Answers(store, 1_000_000)
  for (const [number, text] of ['short ä 笼', 'long ä 笼'.repeat(1000), 'x'.repeat(6000)].entries()) {
    answers.keep(prepared(number), text, undefined, { containers: new Set(), hasReadOwnDocuments: false }, store.version())
    const { body } = answers.find(prepared(number), false)!
    expect(String(body)).toBe(text)
    expect(Buffer.isBuffer(body) ? body.buffer.byteLength : 'text').toBe(number === 0 ? 'text' : Buffer.byteLength(text))
  }
})

test('answers stay within their bytes, and no single one takes most of them', async () => {
  const store = await openMemoryStore([])
  const answers = new Answers(store, 10_000)
  for (let number = 0; number < 100; number++) answers.keep(prepared(number), 'x'.repeat(200), undefined, { containers: new Set(), hasReadOwnDocuments: false }, store.version())
  expect(answers.bytes).toBeGreaterThan(5000)
  expect(answers.bytes).toBeLessThanOrEqual(10_000)
  expect([0, 99].map((number) => answers.find(prepared(number), false) !== undefined)).toEqual([false, true])
  answers.keep(prepared(100), 'x'.repeat(2000), undefined, { containers: new Set(), hasReadOwnDocuments: false }, store.version())
  expect(answers.find(prepared(100), false)).toBeUndefined()
  // Who counts rows wants them counted.
  expect(answers.find(prepared(99), true)).toBeUndefined()
})

test('after any writes by anyone, a remembered answer equals a new one', async () => {
  const file = join(directory, 'random.db')
  const open: GatewayOptions['store'] = (layout) => openSqliteStore(file, layout)
  const [zoo, other, anew] = [await openZoo(open), await openZoo(open), await openZoo(open, undefined, { answerBytes: 0 })]
  const questions = [cages, '{ keepers { nodes { name cages { totalCount nodes { name } } } } }', '{ cage(id: "c1") { name keeper { name } } }', '{ tickets { totalCount } }']
  const step = fc.record({
    who: fc.constantFrom(zoo, other),
    what: fc.constantFrom(
      'createCage(input: { id: "c9", name: "New", keeperId: "k2" }) { cage { id } }', 'deleteCage(input: { id: "c9" }) { cage { id } }',
      'updateKeeper(input: { id: "k1", name: "Ann" }) { keeper { id } }', 'updateKeeper(input: { id: "k1", name: "Bea" }) { keeper { id } }',
      'updateCage(input: { id: "c1", keeperId: "k2" }) { cage { id } }', 'updateCage(input: { id: "c1", keeperId: "k1" }) { cage { id } }',
      'createTicket(input: { price: 1 }) { ticket { id } }',
    ),
    asked: fc.constantFrom(...questions),
  })
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
    for (const { who, what, asked } of steps) {
      await who.change(`mutation { ${what} }`)
      const expected = await anew.ask(asked)
      for (const each of [zoo, other, zoo, other]) expect(await each.ask(asked)).toEqual(expected)
    }
  }), { numRuns: 40 })
  for (const { change } of [zoo, other, anew]) await change.close()
})

test('an answer is never tagged with a version that is newer than what it was read from', () => {
  // Another process commits before the given question for a version, counted from 1.
  for (let commitBefore = 1; commitBefore <= 6; commitBefore++) {
    let [asked, version] = [0, 10]
    const store = { version: () => (++asked === commitBefore ? ++version : version) } as unknown as Store
    const answers = new Answers(store, 100_000)
    const since = answers.version()
    const readAt = version
    answers.keep(prepared(1), '{"data":1}', undefined, { containers: new Set(['cages']), hasReadOwnDocuments: false }, since)
    const found = answers.find(prepared(1), false)
    if (found) expect(version, `a commit before question ${commitBefore}`).toBe(readAt)
  }
})
