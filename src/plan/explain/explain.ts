// What an operation will do and what it will cost, said without running it. The plan is the one that
// a gateway makes; the questions are those that its relations ask; nothing here opens a store.

import { buildASTSchema, getVariableValues, OperationTypeNode, type DocumentNode, type GraphQLSchema, type OperationDefinitionNode } from 'graphql'
import type { Freshness } from '../freshness.ts'
import type { Declaration } from '../../relations/declaration.ts'
import type { PageSizes } from '../page-window.ts'
import { planOperation } from '../plan-operation.ts'
import type { PlanNode } from '../plan.ts'
import { anyAge, type ReadPolicy } from '../read-policy.ts'
import { expectedAlone, expectedOf, type Expected } from './expected.ts'
import { nothingKnown, type Known } from './assumptions.ts'
import { questionsOf, type Place } from './explained-node.ts'
import { placesOf } from './explain-nodes.ts'
import { none, plus } from './range.ts'

export interface ExplainOptions {
  readonly schema: GraphQLSchema
  readonly declaration: Declaration
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly variables?: Record<string, unknown>
  readonly policy?: ReadPolicy
  readonly freshness: Freshness
  readonly pageSizes: PageSizes
  readonly known?: Known
}

export interface Explained {
  /** One after the other: what a mutation answers is read before the next one begins. All fields of a query are one series. */
  readonly series: readonly (readonly Place[])[]
  /** The mutations whose own reads and writes are not part of what is expected: only data can say what follows from them. */
  readonly writes: readonly string[]
  readonly expected: Expected
  readonly naive: Expected
  readonly known: Known
}

/** The schema that operations are held against. */
export function servedSchema({ sdl }: Declaration): GraphQLSchema {
  return buildASTSchema(sdl)
}

export function explain(options: ExplainOptions): Explained {
  const { operation, known = nothingKnown } = options
  const mutates = operation.operation === OperationTypeNode.MUTATION
  const series = seriesOf(options, false)
  const naive = seriesOf(options, true)
  return {
    series,
    writes: mutates ? rootsOf(options, false).map(([, { coordinate }]) => coordinate) : [],
    expected: series.map((places) => expectedOf(questionsOf(places), known)).reduce(added, nothing),
    naive: naive.map((places) => expectedAlone(questionsOf(places), known)).reduce(added, nothing),
    known,
  }
}

function seriesOf(options: ExplainOptions, naive: boolean): Place[][] {
  const { schema, declaration, operation, pageSizes, known = nothingKnown } = options
  const { coerced = {} } = getVariableValues(schema, operation.variableDefinitions ?? [], options.variables ?? {})
  const roots = rootsOf(options, naive)
  const walked = { schema, declaration, variables: coerced, pageSizes, known }
  if (operation.operation !== OperationTypeNode.MUTATION) return [placesOf(walked, new Map(roots))]
  return roots.map((root) => placesOf(walked, new Map([root])))
}

function rootsOf({ policy = anyAge, variables = {}, ...options }: ExplainOptions, naive: boolean): [string, PlanNode][] {
  const mutates = options.operation.operation === OperationTypeNode.MUTATION
  // What a mutation answers has seen that mutation.
  const seen = mutates ? { ...policy, seenMs: Infinity } : policy
  return [...planOperation({ ...options, variables, policy: seen, naive }).roots]
}

const nothing: Expected = { roundTrips: none, waves: none, requestCharge: none }

function added(one: Expected, other: Expected): Expected {
  return {
    roundTrips: plus(one.roundTrips, other.roundTrips),
    waves: plus(one.waves, other.waves),
    requestCharge: plus(one.requestCharge, other.requestCharge),
  }
}
