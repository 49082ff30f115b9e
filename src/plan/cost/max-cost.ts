// The max cost of an operation, computed before anything is read: every page is full, and a list within a document is as
// long as it may be, or as a page of default size if that is less (no request makes such lists longer, and few are long).
// Of the arguments only page sizes count, and what a filter says of related documents. Ids, filters and cursors may let fields share a round trip; they are assumed to
// differ unless they are written the same, so that one figure holds for all values.

import { OperationTypeNode, print, type DocumentNode, type FieldNode, type GraphQLSchema, type OperationDefinitionNode } from 'graphql'
import { isFoundById } from '../../model/keys/partition.ts'
import type { Window } from '../../read/listing.ts'
import type { Strategy } from '../../read/loader.ts'
import { plannedById, plannedListing, once, upTo } from '../../read/planned-reads.ts'
import { selectionOf } from '../../read/selection.ts'
import type { Declaration } from '../../relations/declaration.ts'
import { hundredths, readCharge, writeCharge } from '../../store/cost-model.ts'
import { nothingKnown, type Known } from '../explain/assumptions.ts'
import { expectedAlone, expectedOf, batchCost } from '../explain/expected.ts'
import { explainNodes } from '../explain/explain-nodes.ts'
import { readsOf, type ExplainedNode } from '../explain/explained-node.ts'
import type { RootReads } from '../explain/root-reads.ts'
import type { PageSizes } from '../field-arguments.ts'
import type { Plan, PlanNode } from '../plan.ts'
import type { FilterLookups } from './filter-lookups.ts'
import { inputsOf } from './many-inputs.ts'
import { isSeveral, requestedPage } from './requested-page.ts'

export interface OperationCost {
  readonly roundTrips: number
  readonly requestCharge: number
  /** Undefined where nothing is read. */
  readonly dearest: Dearest | undefined
}

/** The field that costs most, and its cost alone. */
export interface Dearest {
  /** `Type.field`. */
  readonly field: string
  /** Its path in the answer, without the fields of connections. */
  readonly at: string
  readonly node: FieldNode
  readonly roundTrips: number
  readonly requestCharge: number
}

export interface CostOptions {
  readonly schema: GraphQLSchema
  readonly declaration: Declaration
  readonly pageSizes: PageSizes
  readonly strategy: Strategy
  /** More keys than this are sent as several requests. */
  readonly keysPerRequest: number
  /** Whether the store writes many documents in one request. */
  readonly writesTogether: boolean
}

/** An operation with the plan that it would run by. */
export interface PlannedOperation {
  readonly plan: Plan
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
}

/** A mutation reads and writes each document that it names. Its effects depend on data. */
const chargePerDocument = readCharge(1024) + writeCharge(1024, 1024)

/** `variables` are coerced, with their defaults. */
export function operationCost(options: CostOptions & { readonly lookups: FilterLookups }, { plan, operation }: PlannedOperation, variables: Record<string, unknown>): OperationCost {
  const { schema, pageSizes, strategy, keysPerRequest } = options
  const known = { ...nothingKnown, keysPerRequest }
  const mutates = operation.operation === OperationTypeNode.MUTATION
  const expected = strategy === 'naive' ? expectedAlone : expectedOf
  const steps = plan.stepsLeft.copy()
  // The answer of a mutation is read before the next mutation begins.
  const series = (mutates ? [...plan.roots].map((root) => new Map([root])) : [plan.roots]).map((roots) => explainNodes({
    ...options, variables, known, steps, maxHeld: pageSizes.default,
    window: (_, node) => requestedPage(schema, pageSizes, node, variables),
    rootReads: (node, window) => rootReads(options, node, window, variables),
  }, roots))
  const each = series.map((nodes) => expected(readsOf(nodes), known))
  const written = mutates ? [...plan.roots.values()].map((node) => inputsOf(options.declaration.model, node, variables)) : []
  const writing = written.reduce((sum, documents) => sum + 1 + (options.writesTogether ? 1 : documents), 0)
  return {
    roundTrips: bounded(each.reduce((sum, { roundTrips }) => sum + roundTrips.most, writing)),
    requestCharge: hundredths(bounded(each.reduce((sum, { requestCharge }) => sum + requestCharge.most, written.reduce((sum, documents) => sum + documents * chargePerDocument, 0)))),
    dearest: dearestOf(series.flat(), known),
  }
}

function dearestOf(nodes: readonly ExplainedNode[], known: Known, above = ''): Dearest | undefined {
  let dearest: Dearest | undefined
  for (const { field, path, written, reads, children } of nodes) {
    const at = above === '' ? path : `${above}.${path}`
    const costs = reads.map((read) => batchCost([read], known))
    const own = {
      field, at, node: written[0]!,
      roundTrips: bounded(costs.reduce((sum, { roundTrips }) => sum + roundTrips, 0)),
      requestCharge: hundredths(bounded(costs.reduce((sum, { requestCharge }) => sum + requestCharge, 0))),
    }
    for (const one of [own, dearestOf(children, known, at)]) if (one && one.requestCharge > (dearest?.requestCharge ?? 0)) dearest = one
  }
  return dearest
}

/** The reads of a root field for any values of its arguments. */
function rootReads({ schema, declaration: { model }, lookups }: CostOptions & { readonly lookups: FilterLookups }, node: PlanNode, window: Window, variables: Record<string, unknown>): RootReads | undefined {
  const { coordinate, written } = node
  const name = coordinate.split('.')[1]!
  const called = (loader: string) => `${loader.split(' ')[0]} ${name} ${written[0]!.arguments?.map(print).join() ?? ''} ${window.limit}`
  if (name === 'node') return { reads: { stages: [{ by: 'key', container: '', loader: called('read'), keys: once, documents: upTo(1) }], rows: upTo(1) } }
  for (const type of model.documents.values()) {
    if (name === type.singular) {
      const asked = plannedById(type, once)
      // Where the id does not tell the partition, other arguments may.
      return { reads: { stages: [isFoundById(type) ? asked : { ...asked, loader: called(asked.loader) }], rows: upTo(1) } }
    }
    if (name !== type.plural) continue
    const { stages, count, rows } = plannedListing(type, selectionOf(type), { path: ['id'], descending: false }, window)
    return { related: lookups.of(node, variables), reads: { rows, stages: stages.map((asked) => ({ ...asked, loader: called(asked.loader) })), count: { ...count!, loader: called(count!.loader) } }, isList: true }
  }
  // What the schema's own resolver reads is unknown, but not how many rows it can return.
  return isSeveral(schema, node) ? { reads: { stages: [], rows: upTo(window.limit) } } : undefined
}

/** Infinity times zero is not a number, and is still too much. */
function bounded(sum: number): number {
  return Number.isNaN(sum) ? Infinity : sum
}
