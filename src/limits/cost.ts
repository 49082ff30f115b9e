// What an operation can cost, known before anything is read: every page is full, and a list within a document is as
// long as it may be, or as a page is when nobody says, if that is less. No request makes those lists longer, and few are.
// Of the arguments only page sizes count. What else they say, ids and filters and cursors, may make places share a
// round trip and is taken not to, unless it is written the same, so that one figure holds for whatever values the
// next request brings.

import { getVariableValues, Kind, OperationTypeNode, print, visit, type DocumentNode, type FieldNode, type GraphQLSchema, type OperationDefinitionNode } from 'graphql'
import type { Declaration } from '../declaration.ts'
import { expectedAlone, expectedOf, gathered } from '../explain/expected.ts'
import { nothingKnown, type Known } from '../explain/known.ts'
import { questionsOf, type Place } from '../explain/place.ts'
import { placesOf } from '../explain/places.ts'
import type { RootAsks } from '../explain/root-asks.ts'
import { isFoundById } from '../keys/partition.ts'
import { askedById, askedListing, once, upTo } from '../loaders/asked.ts'
import type { Strategy } from '../loaders/loader.ts'
import type { Window } from '../loaders/listing.ts'
import { selectionOf } from '../loaders/selection.ts'
import type { PageSizes } from '../pages.ts'
import { asksForMore, type Plan, type PlanNode } from '../plan.ts'
import { hundredths, readCharge, writeCharge } from '../store/charge.ts'

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
  readonly #sizeVariables = new WeakMap<DocumentNode, readonly string[]>()

  constructor(options: CostOptions) {
    this.#options = options
    this.#known = { ...nothingKnown, keysPerRequest: options.keysPerRequest }
  }

  /** With variables as resolvers get them: `coerced` has the defaults, too. What was worked out for the same page sizes is not worked out again. */
  costOf(planned: Planned, coerced: Record<string, unknown>): OperationCost {
    const names = this.#sizeVariablesOf(planned.document)
    const sizes = names.length === 0 ? '' : names.map((name) => (coerced[name] === undefined ? '' : this.#size(coerced[name]))).join()
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
    const expect = this.#options.strategy === 'naive' ? expectedAlone : expectedOf
    // What a mutation answers is read before the next one begins.
    const series = (mutates ? [...plan.roots].map((root) => new Map([root])) : [plan.roots]).map((roots) => placesOf({
      ...this.#options, variables, known: this.#known, mostHeld: this.#options.pageSizes.usual,
      window: (_, node) => this.#window(node, variables),
      rootAsks: (node, window) => this.#rootAsks(node, window),
    }, roots))
    const each = series.map((places) => expect(questionsOf(places), this.#known))
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
  #rootAsks({ coordinate, written }: PlanNode, window: Window): RootAsks | undefined {
    const { documents } = this.#options.declaration.model
    const name = coordinate.split('.')[1]!
    const called = (loader: string) => `${loader.split(' ')[0]} ${name} ${written[0]!.arguments?.map(print).join() ?? ''} ${window.limit}`
    if (name === 'node') return { asks: { stages: [{ by: 'key', container: '', loader: called('read'), keys: once, documents: upTo(1) }], rows: upTo(1) } }
    for (const type of documents.values()) {
      if (name === type.singular) {
        const asked = askedById(type, once)
        // Where the id does not say it all, other arguments may.
        return { asks: { stages: [isFoundById(type) ? asked : { ...asked, loader: called(asked.loader) }], rows: upTo(1) } }
      }
      if (name !== type.plural) continue
      const { stages, count, rows } = askedListing(type, selectionOf(type), { path: ['id'], descending: false }, window)
      return { asks: { rows, stages: stages.map((asked) => ({ ...asked, loader: called(asked.loader) })), count: { ...count!, loader: called(count!.loader) } }, listed: true }
    }
    return undefined
  }

  /** The page at a place. Cursors are told apart by how they are written. */
  #window(node: PlanNode, variables: Record<string, unknown>): Window {
    const given = new Map(node.written[0]!.arguments?.map((argument) => [argument.name.value, argument]))
    const cursors = ['after', 'before'].flatMap((name) => (given.has(name) ? [print(given.get(name)!)] : [])).join()
    const sizes = sizeArguments.flatMap((name) => {
      const value = given.get(name)?.value
      const asked = value?.kind === Kind.INT ? Number(value.value) : value?.kind === Kind.VARIABLE ? variables[value.name.value] : value && null
      const size = asked === undefined ? this.#defaultOf(node, name) : asked
      return typeof size === 'number' ? [this.#size(size)] : []
    })
    return {
      limit: sizes.length === 0 ? this.#size(undefined) : Math.max(...sizes),
      after: cursors === '' ? undefined : { value: cursors, id: cursors }, backwards: given.has('last'), peek: asksForMore(node),
    }
  }

  /** What the schema says where the operation says nothing. */
  #defaultOf({ coordinate }: PlanNode, name: string): unknown {
    const [typeName = '', fieldName = ''] = coordinate.split('.')
    const type = this.#options.schema.getType(typeName)
    const field = type && 'getFields' in type ? type.getFields()[fieldName] : undefined
    return field && 'args' in field ? field.args.find((argument) => argument.name === name)?.defaultValue : undefined
  }

  /** As many as a page has when it is asked for so many. */
  #size(asked: unknown): number {
    const { usual, most } = this.#options.pageSizes
    return typeof asked === 'number' ? Math.min(Math.max(asked, 0), most) : usual
  }

  #sizeVariablesOf(document: DocumentNode): readonly string[] {
    const known = this.#sizeVariables.get(document)
    if (known) return known
    const names = new Set<string>()
    visit(document, {
      [Kind.ARGUMENT]({ name, value }) {
        if (sizeArguments.includes(name.value) && value.kind === Kind.VARIABLE) names.add(value.name.value)
      },
    })
    this.#sizeVariables.set(document, [...names])
    return [...names]
  }
}

const sizeArguments: readonly string[] = ['first', 'last']

/** Beyond all numbers is still too much. */
function bounded(sum: number): number {
  return Number.isNaN(sum) ? Infinity : sum
}
