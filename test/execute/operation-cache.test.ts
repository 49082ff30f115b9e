// Which requests share a plan, which operations are compiled and kept, and how many.

import { getOperationAST, parse } from 'graphql'
import { makeExecutableSchema } from '@graphql-tools/schema'
import { describe, expect, test, vi } from 'vitest'
import { OperationCache, type CompiledPlan } from '../../src/execute/operation-cache.ts'
import { Code } from '../../src/execute/compiled/compile/code.ts'
import { createSteps } from '../../src/execute/compiled/compile/steps.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { createCursors } from '../../src/model/keys/cursor.ts'
import { defaultPageSizes } from '../../src/plan/field-arguments.ts'
import { anyAge, type ReadPolicy } from '../../src/plan/freshness.ts'
import { createResolvers } from '../../src/execute/resolvers.ts'
import type { Reads } from '../../src/read/reads.ts'

const declaration = readDeclaration(`
  type Cage @document(container: "cages") { id: ID!  name: String!  keeper: Keeper @snapshot(at: "keeper", fields: ["name"]) }
  type Keeper @document(container: "keepers") { id: ID!  name: String! }`)

const resolvers = createResolvers({ declaration, cursors: createCursors('tests'), pageSizes: defaultPageSizes })
const schema = makeExecutableSchema({ typeDefs: declaration.sdl, resolvers: [resolvers], resolverValidationOptions: { requireResolversToMatchSchema: 'ignore' } })

function openKnown(bytes = 10_000_000, trusted = true) {
  const known = new OperationCache({ schema, declaration, steps: createSteps(declaration, new Set(), { cursors: createCursors('tests'), sizes: defaultPageSizes }), limits: { bytes: 10_000_000, rows: 100_000 }, sameObjects: true, bytes, trusted })
  const add = (text: string) => {
    const document = parse(text)
    return known.add(text, undefined, document, getOperationAST(document)!, {})
  }
  const planned = (text: string, given: Record<string, unknown> = {}, policy: ReadPolicy = anyAge, boundMs = 0, watermark = Infinity) => {
    const operation = add(text)
    return known.planned(operation, { variables: operation.coerceVariables(given)!, policy, freshness: { boundMs, watermark }, access: undefined }, given)
  }
  return { known, add, planned }
}

describe('one plan serves all requests', () => {
  test('that send the same operation', () => {
    const { planned } = openKnown()
    const text = '{ cages { nodes { keeper { name } } } }'
    expect(planned(text)).toBe(planned(text))
    expect(planned(text).run).toBeTypeOf('function')
  })

  test('with any variables that planning does not read', () => {
    const { planned } = openKnown()
    const text = 'query ($first: Int) { cages(first: $first) { nodes { name } } }'
    expect(planned(text, { first: 1 })).toBe(planned(text, { first: 2 }))
  })

  test('but not those with other values in @skip and @include', () => {
    const { planned } = openKnown()
    const text = 'query ($with: Boolean = false) { cages { nodes { name keeper @include(if: $with) { name } } } }'
    expect(planned(text, { with: true })).toBe(planned(text, { with: true }))
    expect(planned(text, { with: true })).not.toBe(planned(text, { with: false }))
    expect(planned(text, {})).toBe(planned(text, { with: false }))
  })

  test('and not those for which snapshots are too old, whatever the exact age', () => {
    const { planned } = openKnown()
    const text = 'query ($age: Int) { cages { nodes { keeper @read(maxStaleMs: $age) { name } } } }'
    expect(planned(text, { age: 10 }, anyAge, 5)).toBe(planned(text, { age: 10 }, anyAge, 9))
    expect(planned(text, { age: 10 }, anyAge, 5)).not.toBe(planned(text, { age: 10 }, anyAge, 11))
    const plain = '{ cages { nodes { keeper { name } } } }'
    const young = { ...anyAge, maxStaleMs: 100 }
    expect(planned(plain, {}, young, 50)).toBe(planned(plain, {}, young, 100))
    expect(planned(plain, {}, young, 50)).not.toBe(planned(plain, {}, young, 101))
    expect(planned(plain, {}, { ...anyAge, seen: 7 }, 0, 8)).not.toBe(planned(plain, {}, { ...anyAge, seen: 9 }, 0, 8))
  })
})

test('variables that do not fit are not coerced', () => {
  const { add } = openKnown()
  expect(add('query ($first: Int!) { cages(first: $first) { totalCount } }').coerceVariables({})).toBeUndefined()
})

test('introspection is left to GraphQL.js', () => {
  expect(openKnown().planned('{ __schema { types { name } } }').run).toBeUndefined()
})

test('the least recently used operation makes room, within a number of bytes', () => {
  const { known, add } = openKnown(400_000)
  const texts = Array.from({ length: 500 }, (_, at) => `{ a${at}: cages { totalCount } }`)
  for (const text of texts) add(text)
  const kept = texts.filter((text) => known.find(text, undefined))
  expect(kept.length).toBeGreaterThan(10)
  expect(kept.length).toBeLessThan(200)
  expect(kept).toEqual(texts.slice(-kept.length))
})

test('an operation that is too large to remember is planned all the same', () => {
  const { known, planned } = openKnown(10_000)
  const text = `{ ${Array.from({ length: 1000 }, (_, at) => `a${at}: __typename`).join(' ')} }`
  expect(planned(text).run).toBeTypeOf('function')
  expect(known.find(text, undefined)).toBeUndefined()
})

test('a text with a NUL is no operation, whatever stands before and after it', () => {
  const { known } = openKnown()
  const text = 'query A { cages { nodes { name } } }'
  const document = parse(text)
  known.add(text, 'A', document, getOperationAST(document)!, {})
  expect(known.find(text, 'A')).toBeDefined()
  expect(known.find(`A\0${text}`, undefined)).toBeUndefined()
  expect(known.find(text.slice(6), 'A\0query ')).toBeUndefined()
})

describe('an operation that is asked for the first time', () => {
  const text = '{ cages { nodes { keeper { name } } } }'

  test('is planned for this request alone, and compiled when it is asked again', () => {
    const { known, planned, add } = openKnown(undefined, false)
    expect(runOf(planned(text))).toBe('closures')
    expect([known.find(text, undefined), known.bytes.operations]).toEqual([undefined, 0])
    const again = planned(text)
    expect(runOf(again)).toBe('code')
    expect(known.find(text, undefined)).toBe(add(text))
    expect(planned(text)).toBe(again)
  })

  test('is compiled at once if it is a trusted document', () => {
    const { known, planned } = openKnown(undefined, true)
    expect(runOf(planned(text))).toBe('code')
    expect(known.find(text, undefined)).toBeDefined()
  })

  test('is asked once by a request that goes on from the fast path to Yoga', () => {
    const { known } = openKnown(undefined, false)
    const [document, request] = [parse(text), {}]
    const read = () => known.findOrRead(text, undefined, request, () => document)!
    expect([read().isFirst, known.add(text, undefined, document, getOperationAST(document)!, request).isFirst, read().isFirst]).toEqual([true, true, true])
    expect(known.findOrRead(text, undefined, {}, () => document)!.isFirst).toBe(false)
  })

  test('is left to Yoga unless it is a valid query or mutation', () => {
    const { known } = openKnown(undefined, false)
    const read = (asked: string, operationName?: string) => known.findOrRead(asked, operationName, {}, () => parse(asked))
    expect([read('query A { a } query B { b }'), read('query A { a }', 'B'), read('subscription { a }'), known.findOrRead(text, undefined, {}, () => undefined)]).toEqual([undefined, undefined, undefined, undefined])
    expect(read('query A { a } query B { b }', 'B')?.operation.name?.value).toBe('B')
  })
})

test('20,000 texts that are asked once take no memory, and do not drive out what is asked again', () => {
  const { known, planned } = openKnown(400_000, false)
  const hot = '{ cages { nodes { name } } }'
  planned(hot)
  const compiled = planned(hot)
  const before = known.bytes
  for (let at = 0; at < 20_000; at++) planned(`{ cage(id: "c${at}") { name } }`)
  expect(known.bytes).toEqual(before)
  expect(planned(hot)).toBe(compiled)
})

/** What runs a plan: code is generated when it first runs. */
function runOf({ run }: CompiledPlan): string {
  const generated = vi.spyOn(Code.prototype, 'link')
  const reads = { lookups: () => undefined, waits: 0, run: () => '{}', observedLookups: () => undefined } as unknown as Reads
  expect(run!({ context: { quire: { reads, plan: undefined as never } }, variables: {}, counts: undefined })).toBe('{}')
  const kind = generated.mock.calls.length > 0 ? 'code' : 'closures'
  generated.mockRestore()
  return kind
}
