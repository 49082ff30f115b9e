// Explains what an operation would read and cost, without running it. The plan is the one that a gateway makes, and the
// reads are those of its relations. Nothing here opens a store.

import { buildASTSchema, getVariableValues, OperationTypeNode, type DocumentNode, type GraphQLSchema, type OperationDefinitionNode } from 'graphql'
import { anyAge, seeingOwnWrites, type Freshness, type ReadPolicy } from '../freshness.ts'
import { useScalars } from '../../model/values/use-scalars.ts'
import type { Declaration } from '../../relations/declaration.ts'
import type { PageSizes } from '../field-arguments.ts'
import { planOperation } from '../plan-operation.ts'
import type { PlanNode } from '../plan.ts'
import { expectedAlone, expectedOf, type Expected } from './expected.ts'
import { nothingKnown, type Known } from './assumptions.ts'
import { explainNodes } from './explain-nodes.ts'
import { readsOf, type ExplainedNode } from './explained-node.ts'
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
  /** One entry for all fields of a query, one for each mutation: the answer of a mutation is read before the next begins. */
  readonly series: readonly (readonly ExplainedNode[])[]
  /** The mutations. Their own reads and writes are not part of the expected cost: their effects depend on data. */
  readonly writes: readonly string[]
  readonly expected: Expected
  readonly naive: Expected
  readonly known: Known
}

/** The schema that operations are validated against. */
export function servedSchema({ sdl }: Declaration): GraphQLSchema {
  return useScalars(buildASTSchema(sdl))
}

export function explain(options: ExplainOptions): Explained {
  const { operation, known = nothingKnown } = options
  const mutates = operation.operation === OperationTypeNode.MUTATION
  const series = seriesOf(options, false)
  const naive = seriesOf(options, true)
  return {
    series,
    writes: mutates ? rootsOf(options, false).map(([, { coordinate }]) => coordinate) : [],
    expected: series.map((nodes) => expectedOf(readsOf(nodes), known)).reduce(added, nothing),
    naive: naive.map((nodes) => expectedAlone(readsOf(nodes), known)).reduce(added, nothing),
    known,
  }
}

function seriesOf(options: ExplainOptions, naive: boolean): ExplainedNode[][] {
  const { schema, declaration, operation, pageSizes, known = nothingKnown } = options
  const { coerced = {} } = getVariableValues(schema, operation.variableDefinitions ?? [], options.variables ?? {}, { maxErrors: 1 })
  const roots = rootsOf(options, naive)
  const walk = { schema, declaration, variables: coerced, pageSizes, known }
  if (operation.operation !== OperationTypeNode.MUTATION) return [explainNodes(walk, new Map(roots))]
  return roots.map((root) => explainNodes(walk, new Map([root])))
}

function rootsOf({ policy = anyAge, variables = {}, ...options }: ExplainOptions, naive: boolean): [string, PlanNode][] {
  const mutates = options.operation.operation === OperationTypeNode.MUTATION
  return [...planOperation({ ...options, variables, policy: mutates ? seeingOwnWrites(policy) : policy, naive }).roots]
}

const nothing: Expected = { roundTrips: none, waves: none, requestCharge: none }

function added(one: Expected, other: Expected): Expected {
  return {
    roundTrips: plus(one.roundTrips, other.roundTrips),
    waves: plus(one.waves, other.waves),
    requestCharge: plus(one.requestCharge, other.requestCharge),
  }
}
