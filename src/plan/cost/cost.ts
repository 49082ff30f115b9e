// What an operation can cost, known before anything is read: every page is full, and a list within a document is as
// long as it may be, or as a page is when nobody says, if that is less. No request makes those lists longer, and few are.
// Of the arguments only page sizes count. What else they say, ids and filters and cursors, may make places share a
// round trip and is taken not to, unless it is written the same, so that one figure holds for whatever values the
// next request brings.

import { getVariableValues, OperationTypeNode, print, type DocumentNode, type FieldNode, type GraphQLSchema, type OperationDefinitionNode } from 'graphql'
import type { Declaration } from '../../relations/declaration.ts'
import { expectedAlone, expectedOf, gathered } from '../explain/expected.ts'
import { nothingKnown, type Known } from '../explain/assumptions.ts'
import { questionsOf, type Place } from '../explain/explained-node.ts'
import { placesOf } from '../explain/explain-nodes.ts'
import type { RootAsks } from '../explain/root-reads.ts'
import { isFoundById } from '../../model/keys/partition.ts'
import { plannedById, plannedListing, once, upTo } from '../../read/planned-reads.ts'
import type { Strategy } from '../../read/loader.ts'
import type { Window } from '../../read/listing.ts'
import { selectionOf } from '../../read/selection.ts'
import type { PageSizes } from '../page-window.ts'
import type { Plan, PlanNode } from '../plan.ts'
import { hundredths, readCharge, writeCharge } from '../../store/cost-model.ts'
import { AskedPages } from './requested-pages.ts'

export interface OperationCost {
  readonly roundTrips: number
  readonly requestCharge: number
  /** Undefined where nothing is read. */
  readonly dearest: Dearest | undefined
}

/** The place that costs most, and what it costs alone. */
export interface Dearest {
  /** `Type.field`. */
  readonly field: string
  /** The way there from the root, by the names in the answer; what connections are made of is left out. */
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
}

/** One operation of a document, with the plan that it would run by. */
export interface Planned {
  readonly plan: Plan
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
}

/** A mutation reads a document and writes one, at least. What follows from that only data can say. */
const writing = { roundTrips: 2, requestCharge: hundredths(readCharge(1024) + writeCharge(1024, 1024)) }

/** How many combinations of page sizes are remembered for each plan. */
const mostRemembered = 64

export class Costs {
  readonly #options: CostOptions
  readonly #known: Known
  readonly #remembered = new WeakMap<Plan, Map<string, OperationCost>>()
  readonly #pages: AskedPages

  constructor(options: CostOptions) {
    this.#options = options
    this.#known = { ...nothingKnown, keysPerRequest: options.keysPerRequest }
    this.#pages = new AskedPages(options.schema, options.pageSizes)
  }

  /** With variables as resolvers get them: `coerced` has the defaults, too. What was worked out for the same page sizes is not worked out again. */
  costOf(planned: Planned, coerced: Record<string, unknown>): OperationCost {
    const sizes = this.#pages.sizesIn(planned.document, coerced)
    const remembered = this.#remembered.get(planned.plan) ?? new Map<string, OperationCost>()
    const known = remembered.get(sizes)
    if (known) return known
    const cost = this.#work(planned, coerced)
    if (remembered.size === 0) this.#remembered.set(planned.plan, remembered)
    if (remembered.size >= mostRemembered) remembered.delete(remembered.keys().next().value!)
    remembered.set(sizes, cost)
    return cost
  }

  /** The same for variables as they came; undefined when they do not fit, and nothing will run. */
  costOfGiven(planned: Planned, given: Record<string, unknown>): OperationCost | undefined {
    const { coerced } = getVariableValues(this.#options.schema, planned.operation.variableDefinitions ?? [], given, { maxErrors: 1 })
    return coerced && this.costOf(planned, coerced)
  }

  #work({ plan, operation }: Planned, variables: Record<string, unknown>): OperationCost {
    const mutates = operation.operation === OperationTypeNode.MUTATION
    const expected = this.#options.strategy === 'naive' ? expectedAlone : expectedOf
    // What a mutation answers is read before the next one begins.
    const series = (mutates ? [...plan.roots].map((root) => new Map([root])) : [plan.roots]).map((roots) => placesOf({
      ...this.#options, variables, known: this.#known, mostHeld: this.#options.pageSizes.usual,
      window: (_, node) => this.#pages.at(node, variables),
      rootAsks: (node, window) => this.#rootAsks(node, window),
    }, roots))
    const each = series.map((places) => expected(questionsOf(places), this.#known))
    const written = mutates ? plan.roots.size : 0
    return {
      roundTrips: bounded(each.reduce((sum, { roundTrips }) => sum + roundTrips.most, written * writing.roundTrips)),
      requestCharge: hundredths(bounded(each.reduce((sum, { requestCharge }) => sum + requestCharge.most, written * writing.requestCharge))),
      dearest: this.#dearest(series.flat()),
    }
  }

  #dearest(places: readonly Place[], above = ''): Dearest | undefined {
    let dearest: Dearest | undefined
    for (const { field, path, written, questions, below } of places) {
      const at = above === '' ? path : `${above}.${path}`
      const calls = questions.map((question) => gathered([question], this.#known))
      const own = {
        field, at, node: written[0]!,
        roundTrips: bounded(calls.reduce((sum, { roundTrips }) => sum + roundTrips, 0)),
        requestCharge: hundredths(bounded(calls.reduce((sum, { requestCharge }) => sum + requestCharge, 0))),
      }
      for (const one of [own, this.#dearest(below, at)]) if (one && one.requestCharge > (dearest?.requestCharge ?? 0)) dearest = one
    }
    return dearest
  }

  /** What a root field asks for, whatever its arguments say. */
  #rootAsks(node: PlanNode, window: Window): RootAsks | undefined {
    const { coordinate, written } = node
    const { documents } = this.#options.declaration.model
    const name = coordinate.split('.')[1]!
    const called = (loader: string) => `${loader.split(' ')[0]} ${name} ${written[0]!.arguments?.map(print).join() ?? ''} ${window.limit}`
    if (name === 'node') return { asks: { stages: [{ by: 'key', container: '', loader: called('read'), keys: once, documents: upTo(1) }], rows: upTo(1) } }
    for (const type of documents.values()) {
      if (name === type.singular) {
        const asked = plannedById(type, once)
        // Where the id does not say it all, other arguments may.
        return { asks: { stages: [isFoundById(type) ? asked : { ...asked, loader: called(asked.loader) }], rows: upTo(1) } }
      }
      if (name !== type.plural) continue
      const { stages, count, rows } = plannedListing(type, selectionOf(type), { path: ['id'], descending: false }, window)
      return { asks: { rows, stages: stages.map((asked) => ({ ...asked, loader: called(asked.loader) })), count: { ...count!, loader: called(count!.loader) } }, listed: true }
    }
    // What a resolver that the schema brings does itself nobody knows. How many rows it hands on can be said.
    return this.#pages.isSeveral(node) ? { asks: { stages: [], rows: upTo(window.limit) } } : undefined
  }
}

/** Beyond all numbers is still too much. */
function bounded(sum: number): number {
  return Number.isNaN(sum) ? Infinity : sum
}
