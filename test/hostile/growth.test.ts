// Every cycle of the shipped schema and of a schema of interfaces, deep and wide, over dense documents: however an
// operation is run, it is answered within the limits of an answer, or refused, and does only so much between two turns of the event
// loop. Without those limits, most of them end the process.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { isIntrospectionType, isObjectType, type GraphQLSchema } from 'graphql'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { cyclesOf, goingRound, growingArguments } from '../../reliability/hostile/growth.ts'
import { fieldsPerTurn } from '../../src/execute/answer/answer-size.ts'
import { Growth } from '../../src/execute/answer/answer-too-large.ts'
import { defaultLimits } from '../../src/http/limits/request-limits.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import { servedSchema } from '../../src/plan/explain/explain.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { openGateway } from '../harness.ts'
import { denseDocuments } from './dense-documents.ts'
import { growingSchemas as schemas } from './growing-schemas.ts'

/** How deep, and how often each field is asked by aliases: within the limits of a request. */
const maxDepth = 12
const shapes = [[maxDepth, 1], [4, 2]] as const

const ways: readonly (readonly [string, Partial<GatewayOptions>])[] = [
  ['compiled', { development: false, openReads: true, limits: defaultLimits }],
  // GraphQL.js takes fifty times as long.
  ['traced', { development: true, limits: { answerRows: 20_000, answerBytes: 1_000_000 } }],
  // One read for each reference.
  ['naive', { development: true, strategy: 'naive', limits: { answerRows: 5000, answerBytes: 1_000_000 } }],
]

afterEach(() => vi.restoreAllMocks())

describe.each(schemas)('%s', (_, options) => {
  const declaration = readDeclaration(options.typeDefs, options.derive)
  const cycles = cyclesOf(servedSchema(declaration))
  const documents = denseDocuments(declaration, 60)

  test('has cycles', () => {
    expect(cycles.length).toBeGreaterThan(5)
  })

  test.each(ways)('every cycle is answered within the limits or refused, %s', async (title, way) => {
    const work = watchWork(title !== 'compiled' ? servedTypes(servedSchema(declaration)) : [])
    const ask = await openGateway({ ...options, ...way, resolvers: mergeResolvers(options.resolvers, work.resolvers), documents, store: openMemoryStore, budget: { requestCharge: Infinity, roundTrips: Infinity }, settles: false })
    const unbounded = new Set<string>()
    const most = watchHeap()
    const nodeIds = new Map(await Promise.all([...declaration.model.documents.values()].map(async ({ name, plural }) => {
      const { data } = await ask(`{ ${plural}(first: 1) { nodes { nodeId } } }`)
      return [name, (data as Record<string, { nodes: { nodeId: string }[] }>)[plural]!.nodes[0]!.nodeId] as const
    })))
    for (const cycle of cycles) {
      const nodeId = nodeIds.get((cycle.entry[1] ?? cycle.round[0])!.on ?? '')
      for (const [depth, width] of shapes) {
        const query = goingRound(cycle, { depth, width, argumentsOf: growingArguments(nodeId) })
        // A compiled plan answers from the second time on.
        for (let time = title === 'compiled' ? 1 : 2; time <= 2; time++) {
          const { data, errors } = await ask(query)
          // Requests over a socket have a turn each.
          await nextTurn()
          const code = errors?.[0]?.extensions?.code
          if (code !== undefined && !refusals.has(code)) unbounded.add(`${cycle.name} is ${code}: ${errors![0]!.message}`)
          if (JSON.stringify(data ?? null).length > defaultLimits.answerBytes) unbounded.add(`${cycle.name} is too long`)
        }
      }
    }
    expect([...unbounded]).toEqual([])
    expect(most.end()).toBeLessThan(maxHeapBytes)
    const { objects, rows, characters } = work.end()
    // All that a turn completes beyond its share are the objects that share a list, and those of lists that are given out one by one.
    expect(objects).toBeLessThan(2 * fieldsPerTurn)
    expect(rows).toBeLessThan(defaultLimits.answerRows)
    // A compiled plan has one turn. The text of a row holds those of the rows below it, once for each level.
    expect(characters).toBeLessThan(maxDepth * defaultLimits.answerBytes)
    expect(Math.max(objects, rows)).toBeGreaterThan(100)
    await ask.close()
  }, 300_000)
})

/** Beyond what the process had before. */
const maxHeapBytes = 700_000_000

/** The most memory that was in use at the end of a turn of the event loop. */
function watchHeap(): { end: () => number } {
  const before = process.memoryUsage().heapUsed
  let [most, isDone] = [before, false]
  const look = (): void => {
    most = Math.max(most, process.memoryUsage().heapUsed)
    if (!isDone) setImmediate(look)
  }
  look()
  return {
    end() {
      isDone = true
      return most - before
    },
  }
}

/** The names of object types whose values GraphQL.js completes. */
function servedTypes(schema: GraphQLSchema): string[] {
  return Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) && !isIntrospectionType(type) && type !== schema.getQueryType()).map(({ name }) => name)
}

/**
 * The most work between two turns of the event loop: objects that GraphQL.js completes, for which it asks `isTypeOf`; rows that compiled
 * plans write, and their characters.
 */
function watchWork(types: readonly string[]): { readonly resolvers: Record<string, object>; end: () => { objects: number; rows: number; characters: number } } {
  const [now, most] = [{ objects: 0, rows: 0, characters: 0 }, { objects: 0, rows: 0, characters: 0 }]
  let isDone = false
  const isTypeOf = (): boolean => {
    now.objects++
    return true
  }
  const added = vi.spyOn(Growth.prototype, 'add')
  const look = (): void => {
    now.rows = added.mock.calls.length
    for (const [text] of added.mock.calls) now.characters += text.length
    added.mockClear()
    for (const name of ['objects', 'rows', 'characters'] as const) {
      most[name] = Math.max(most[name], now[name])
      now[name] = 0
    }
    if (!isDone) setImmediate(look)
  }
  look()
  return {
    resolvers: Object.fromEntries(types.map((name) => [name, { __isTypeOf: isTypeOf }])),
    end() {
      isDone = true
      look()
      return most
    },
  }
}

function mergeResolvers(own: GatewayOptions['resolvers'], more: Record<string, object>): NonNullable<GatewayOptions['resolvers']> {
  const all: Record<string, object> = { ...own }
  for (const [name, fields] of Object.entries(more)) all[name] = { ...all[name], ...fields }
  return all
}

const refusals = new Set(['ANSWER_TOO_LARGE', 'QUERY_TOO_COSTLY', 'LIMIT_EXCEEDED'])
