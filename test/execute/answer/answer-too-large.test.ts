// An answer grows with the data: every cycle of a schema multiplies its rows. However it is made, it ends at its limits, with
// an error that names the field that grew, and until then other requests have their turn.

import { describe, expect, test } from 'vitest'
import { fieldsPerTurn } from '../../../src/execute/answer/answer-size.ts'
import type { GatewayOptions } from '../../../src/gateway.ts'
import { defaultLimits } from '../../../src/http/limits/request-limits.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import type { ContainerLayout, Store } from '../../../src/store/store.ts'
import { callsPerTurn } from '../../../src/read/wave-scheduler.ts'
import { openGateway, stores, type Ask, type Documents } from '../../harness.ts'

const typeDefs = `
  type Book @document(container: "books") { id: ID! name: String! writers: [Writer!]! @snapshot(at: "writers", fields: ["name"]) shout: String }
  type Writer @document(container: "writers") { id: ID! name: String! books: [Book!]! @reference(at: "books", max: 1000) }
`

/** Every book is by every writer. */
function dense(books: number, writers: number): Documents {
  const [bookIds, writerIds] = [names('b', books), names('w', writers)]
  return {
    Book: bookIds.map((id) => ({ id, name: id, writers: writerIds.map((writer) => ({ id: writer, name: writer })) })),
    Writer: writerIds.map((id) => ({ id, name: id, books: bookIds })),
  }
}

function names(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${letter}${at}`)
}

const open = (options: Partial<GatewayOptions> & { documents?: Documents } = {}): Promise<Ask> =>
  openGateway({ typeDefs, documents: dense(25, 8), store: openMemoryStore, openReads: true, development: false, resolvers: { Book: { shout: () => 'Book!' } }, ...options })

const growing = '{ writer(id: "w0") { books { writers { books { writers { id } } } } } }'

const ways: readonly (readonly [string, Partial<GatewayOptions>])[] = [
  ...stores.map(({ name, store }) => [`compiled, on ${name}`, { store }] as const),
  ['by GraphQL.js', { compiles: false }],
  ['traced', { development: true }],
  ['the naive way', { strategy: 'naive', compiles: false }],
]

describe.each(ways)('%s', (_, options) => {
  test('an answer with too many bytes is refused, with the field that grew, each time that it is asked', async () => {
    const ask = await open({ ...options, limits: { answerBytes: 4000 } })
    for (let time = 1; time <= 3; time++) {
      const { data, errors } = await ask(growing)
      expect(data ?? undefined).toBeUndefined()
      expect(errors).toMatchObject([{ extensions: { code: 'ANSWER_TOO_LARGE', max: { bytes: 4000 }, field: expect.stringMatching(/^(Writer\.books|Book\.writers)$/), at: expect.stringMatching(/^writer\.books/) } }])
    }
    await ask.close()
  })

  test('an answer with too many rows behind references is refused', async () => {
    const ask = await open({ ...options, limits: { answerRows: 300 } })
    for (let time = 1; time <= 3; time++) expect((await ask(growing)).errors).toMatchObject([{ extensions: { code: 'ANSWER_TOO_LARGE', max: { rows: 300 } } }])
    await ask.close()
  })

  test('an answer within the limits is the same as without limits', async () => {
    const query = '{ writer(id: "w0") { books { name writers { name books { id } } } } }'
    const [unlimited, limited] = [await open(options), await open({ ...options, limits: { answerRows: 5225 } })]
    const { data } = await unlimited(query)
    for (let time = 1; time <= 3; time++) expect(await limited(query)).toMatchObject({ data, errors: undefined })
    const bytes = JSON.stringify(data).length
    const exact = await open({ ...options, limits: { answerBytes: bytes } })
    for (let time = 1; time <= 3; time++) expect(await exact(query)).toMatchObject({ data, errors: undefined })
    await Promise.all([unlimited, limited, exact].map((ask) => ask.close()))
  })

  test('roots that are too much together are refused', async () => {
    const ask = await open({ ...options, limits: { answerBytes: 2500 } })
    const roots = names('a', 8).map((alias) => `${alias}: writer(id: "w0") { books { id } }`)
    expect((await ask(`{ ${roots.join(' ')} }`)).errors).toMatchObject([{ extensions: { code: 'ANSWER_TOO_LARGE' } }])
    expect((await ask(`{ ${roots.slice(0, 2).join(' ')} }`)).errors).toBeUndefined()
    await ask.close()
  })
})

test('at the defaults, a short query over dense data is refused', async () => {
  const ask = await open({ documents: dense(250, 40), limits: defaultLimits })
  for (let time = 1; time <= 3; time++) expect((await ask(growing)).errors).toMatchObject([{ extensions: { code: 'ANSWER_TOO_LARGE' } }])
  await ask.close()
})

test.each(['mutation', 'mutation @atomic'])('a %s whose answer is too large says that it was written', async (mutation) => {
  const ask = await open({ openWrites: true, limits: { answerBytes: 4000 } })
  const { errors } = await ask(`${mutation} { updateWriter(input: { id: "w0", name: "Ada" }) { writer { books { writers { books { name } } } } } }`)
  expect(errors).toMatchObject([{ message: expect.stringContaining('was written'), extensions: { code: 'ANSWER_TOO_LARGE', field: 'Writer.books' } }])
  expect((await ask('{ writer(id: "w0") { name } }')).data).toEqual({ writer: { name: 'Ada' } })
  await ask.close()
})

test('fields of an atomic mutation whose answers are too much together are refused, and written', async () => {
  const ask = await open({ openWrites: true, limits: { answerBytes: 2500 } })
  const roots = names('a', 8).map((alias, at) => `${alias}: updateWriter(input: { id: "w${at}", name: "Ada" }) { writer { books { id } } }`)
  expect((await ask(`mutation @atomic { ${roots.join(' ')} }`)).errors).toMatchObject([{ extensions: { code: 'ANSWER_TOO_LARGE' } }])
  expect((await ask('{ writers { nodes { name } } }')).data).toEqual({ writers: { nodes: names('w', 8).map(() => ({ name: 'Ada' })) } })
  expect((await ask(`mutation @atomic { ${roots.slice(0, 2).join(' ')} }`)).errors).toBeUndefined()
  await ask.close()
})

test('GraphQL.js resolves no more fields in one turn of the event loop than it should', async () => {
  let [resolved, most, total, isDone] = [0, 0, 0, false]
  const ask = await open({ compiles: false, documents: dense(400, 6), resolvers: { Book: { shout: () => `${++resolved}` } } })
  const watch = (): void => {
    most = Math.max(most, resolved)
    total += resolved
    resolved = 0
    if (!isDone) setImmediate(watch)
  }
  setImmediate(watch)
  const { errors } = await ask('{ writers { nodes { books { writers { name } shout } } } }')
  isDone = true
  watch()
  expect(errors).toBeUndefined()
  expect(total).toBe(2400)
  expect(most).toBeLessThan(fieldsPerTurn)
  await ask.close()
})

test.each([['batched', {}], ['naive', { strategy: 'naive' }]] as const)('GraphQL.js completes no more objects in one turn than it should, whatever is selected of them: %s', async (_, options) => {
  let [completed, most, total, isDone] = [0, 0, 0, false]
  const isTypeOf = (): boolean => {
    completed++
    return true
  }
  const ask = await open({ ...options, compiles: false, documents: dense(60, 20), resolvers: { Book: { shout: () => '', __isTypeOf: isTypeOf }, Writer: { __isTypeOf: isTypeOf } } })
  const watch = (): void => {
    most = Math.max(most, completed)
    total += completed
    completed = 0
    if (!isDone) setImmediate(watch)
  }
  setImmediate(watch)
  const { errors } = await ask('{ writer(id: "w0") { books { writers { books { __typename } } } } }')
  isDone = true
  watch()
  expect(errors).toBeUndefined()
  expect(total).toBe(1 + 60 + 60 * 20 + 60 * 20 * 60)
  expect(most).toBeLessThan(2 * fieldsPerTurn)
  await ask.close()
})

test('without batches, no more calls of the store are made in one turn than should be', async () => {
  let [made, most, isDone] = [0, 0, false]
  const store = async (layout: readonly ContainerLayout[]): Promise<Store> => new Proxy(await openMemoryStore(layout), {
    get(target, name: keyof Store) {
      if (name === 'readMany') made++
      const member = target[name]
      return typeof member === 'function' ? (member as (...args: unknown[]) => unknown).bind(target) : member
    },
  })
  const ask = await open({ store, strategy: 'naive', compiles: false, documents: dense(60, 20) })
  const watch = (): void => {
    most = Math.max(most, made)
    made = 0
    if (!isDone) setImmediate(watch)
  }
  setImmediate(watch)
  const { errors } = await ask('{ writer(id: "w0") { books { writers { books { id } } } } }')
  isDone = true
  watch()
  expect(errors).toBeUndefined()
  expect(most).toBeGreaterThan(100)
  // The end of one wave and the beginning of the next may share a turn.
  expect(most).toBeLessThanOrEqual(2 * callsPerTurn)
  await ask.close()
})

test('waves are as many as the operation is deep, however many turns its rows take', async () => {
  const ask = await open({ development: true, documents: dense(400, 6) })
  const { report } = await ask('{ writers { nodes { books { writers { books { id } } } } } }')
  expect(report.made).toMatchObject({ roundTrips: 3, waves: 3 })
  await ask.close()
})
