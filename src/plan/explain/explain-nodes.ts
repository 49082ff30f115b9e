// From the plan of an operation to its explained nodes: which reads each makes, for how many rows, and after which other
// read. It follows the choices of the plan and makes none.

import { getArgumentValues, getNamedType, isAbstractType, print, type GraphQLField, type GraphQLSchema } from 'graphql'
import type { Cursors } from '../../model/keys/cursor.ts'
import { fieldAt, targetOf, type Field } from '../../model/model.ts'
import { selectionOf } from '../../read/selection.ts'
import type { Window } from '../../read/listing.ts'
import type { RelatedCondition } from '../relation-filter.ts'
import { once, plannedPage, upTo, type PlannedRead, type PlannedReads, type Range } from '../../read/planned-reads.ts'
import type { Declaration } from '../../relations/declaration.ts'
import type { Relation } from '../../relations/kind.ts'
import type { ListRequest } from '../../read/list-request.ts'
import { aggregateFields, largestOf, plannedFor, type AggregateField } from '../aggregates.ts'
import type { FilterLookups } from '../cost/filter-lookups.ts'
import { readWindow, type PageSizes } from '../field-arguments.ts'
import { inputsOf } from '../cost/many-inputs.ts'
import { narrows, nestedList, type NestedArguments, type NestedList } from '../nested-list.ts'
import { asksForMore, type PlanNode } from '../plan.ts'
import { RequestSteps } from '../request-steps.ts'
import type { Known } from './assumptions.ts'
import type { ExplainedNode, ExplainedRead } from './explained-node.ts'
import { orNone, times } from './range.ts'
import { rootReads, type RootReads } from './root-reads.ts'

export interface ExplainNodesOptions {
  readonly schema: GraphQLSchema
  readonly declaration: Declaration
  readonly variables: Record<string, unknown>
  readonly pageSizes: PageSizes
  readonly known: Known
  /** For callers that must not depend on the values of arguments: the page of a node, and the reads of a root field. */
  readonly window?: (scope: string, node: PlanNode) => Window
  readonly rootReads?: (node: PlanNode, window: Window) => RootReads | undefined
  /** For the same callers: the lookups that filters take. */
  readonly lookups?: FilterLookups
  /** Max length of a list within a document; default what the schema allows. */
  readonly maxHeld?: number
  /** How many steps may be taken. */
  readonly steps?: RequestSteps
}

/** Contained unions may contain each other: their paths are exponential in the depth of an operation. What is done for a node takes so many steps. */
const stepsPerNode = 10

type PlanNodes = ReadonlyMap<string, PlanNode>

/** Where the walk is: rows, the read that returns them, and the path from the last explained node. */
interface Position {
  readonly rows: Range
  readonly after: ExplainedRead | undefined
  readonly path: string
}

export function explainNodes(options: ExplainNodesOptions, roots: PlanNodes): ExplainedNode[] {
  return new Walk(options).children(roots, { rows: once, after: undefined, path: '' })
}

class Walk {
  readonly #options: ExplainNodesOptions
  readonly #steps: RequestSteps
  readonly #lists = new Map<string, NestedList | undefined>()

  constructor(options: ExplainNodesOptions) {
    this.#options = options
    this.#steps = options.steps ?? new RequestSteps()
  }

  children(nodes: PlanNodes, position: Position): ExplainedNode[] {
    // A value has one type: what several types share, for as many rows, is read once.
    const shared = new Map<PlanNodes, number>()
    return [...nodes].flatMap(([name, node]) => {
      const held = node.children.size > 0 ? this.#heldWithoutReads(node) : undefined
      if (held !== undefined) {
        if (shared.get(node.children) === held) return []
        shared.set(node.children, held)
      }
      return this.#node(node, { ...position, path: pathTo(position.path, node, name) })
    })
  }

  /** How many values a field has in its document; undefined where it takes a read. */
  #heldWithoutReads({ coordinate }: PlanNode): number | undefined {
    const { declaration: { model, prepared }, schema } = this.#options
    const field = fieldAt(model, coordinate)
    const found = field && prepared(field)
    if (found) return 'value' in found && !found.resolverReads ? heldIn(field).most : undefined
    if (aggregateFields(this.#options.declaration).has(coordinate)) return undefined
    return coordinate.startsWith(`${schema.getQueryType()?.name}.`) ? undefined : 1
  }

  #node(node: PlanNode, position: Position): ExplainedNode[] {
    this.#steps.take(stepsPerNode, node.written[0])
    const { declaration: { model, prepared }, schema } = this.#options
    const field = fieldAt(model, node.coordinate)
    const found = field && prepared(field)
    if (found && !('value' in found)) return [this.#relation(node, field, found, position)]
    const aggregate = aggregateFields(this.#options.declaration).get(node.coordinate)
    if (aggregate) return [this.#aggregate(node, aggregate, position)]
    if (found?.resolverReads) return [this.#explained(node, found.resolverReads(this.#window(node.coordinate, node)), position, field!.shape === 'connection')]
    if (node.coordinate.startsWith(`${schema.getQueryType()?.name}.`)) return this.#root(node, position)
    // Objects inside a document, and fields of a mutation's answer, need no read.
    return this.#below(node, { ...position, rows: times(position.rows, field ? this.#held(heldIn(field)) : this.#writtenBy(node)) })
  }

  #root(node: PlanNode, position: Position): ExplainedNode[] {
    const { declaration, rootReads: readsOfRoot } = this.#options
    const found = readsOfRoot ? readsOfRoot(node, this.#window(node.coordinate, node)) : rootReads(declaration, node, this.#arguments(node), (scope) => this.#window(scope, node))
    if (!found) return this.#below(node, position)
    const { reads, isList = false, members, related = [] } = found
    const narrowed = isList ? this.#options.known.listed(reads) : reads
    const children = members ? new Map([...node.children].filter(([name]) => members.has(name.split('.')[0]!))) : node.children
    const filters = related.map((one) => filterNode(node, one, position))
    const explained = this.#explained({ ...node, children }, narrowed, { ...position, after: filters.findLast(({ reads: [lookup] }) => lookup)?.reads[0] ?? position.after }, isList)
    return [{ ...explained, children: [...filters, ...explained.children] }]
  }

  #aggregate(node: PlanNode, field: AggregateField, position: Position): ExplainedNode {
    const { lookups, variables } = this.#options
    const asked = lookups ? undefined : field.asked(this.#arguments(node), node)
    const filters = (asked?.related ?? lookups!.of(node, variables)).map((one) => filterNode(node, one, position))
    const planned = plannedFor(field, asked ?? largestOf(field, node))
    // Without the values of arguments, what is written differently is taken to be different.
    const read = asked ? planned : { ...planned, loader: `${planned.loader} ${node.written[0]!.arguments?.map(print).join() ?? ''}` }
    const explained = this.#explained(node, { stages: [read], rows: once }, { ...position, after: filters.findLast(({ reads: [lookup] }) => lookup)?.reads[0] ?? position.after }, false)
    return { ...explained, children: filters }
  }

  #relation(node: PlanNode, field: Field, relation: Relation, position: Position): ExplainedNode {
    if (node.choice?.from === 'SNAPSHOT') return this.#explained(node, { stages: [], rows: this.#held(heldIn(field)) }, position, false)
    const { asked, related, rename } = this.#asked(field, node)
    const filters = related.map((one) => filterNode(node, one, position))
    const afterFilters = { ...position, after: filters.findLast(({ reads: [lookup] }) => lookup)?.reads[0] ?? position.after }
    const explained = field.shape === 'connection'
      ? this.#explained(node, renamed(relation.plannedReads(this.#window(field.coordinate, node), asked), rename), afterFilters, true)
      : this.#heldList(node, node.choice?.fresh ? relation.plannedFreshReads!() : relation.plannedReads(everything), position)
    return filters.length === 0 ? explained : { ...explained, children: [...filters, ...explained.children] }
  }

  #heldList(node: PlanNode, asks: PlannedReads, position: Position): ExplainedNode {
    const first = node.written[0]!.arguments?.some(({ name }) => name.value === 'first') ? this.#window(node.coordinate, node).limit : Infinity
    const { least, most } = this.#held(asks.rows)
    return this.#explained(node, { ...asks, rows: { least: Math.min(least, first), most: Math.min(most, first) }, stages: asks.stages.map((asked) => ({ ...asked, keys: this.#held(asked.keys) })) }, position, false)
  }

  /** What a list is asked for. Where values must not matter, lists that are asked for in different words are read separately. */
  #asked(field: Field, node: PlanNode): { asked: ListRequest | undefined; related: readonly RelatedCondition[]; rename: string } {
    const list = node.written[0]!.arguments?.length ? this.#list(field) : undefined
    if (!list) return asIs
    const { rootReads: anyValues, lookups } = this.#options
    const text = listArgumentsText(node)
    if (anyValues) return text === '' ? asIs : { asked: { selection: selectionOf(targetOf(this.#options.declaration.model, field)), orderBy: undefined }, related: lookups?.of(node, this.#options.variables) ?? [], rename: text }
    const args = this.#arguments(node) as NestedArguments
    return narrows(args, field.shape === 'connection') ? { ...list.ask(args, undefined, node.filtering), rename: '' } : asIs
  }

  #list(field: Field): NestedList | undefined {
    if (!this.#lists.has(field.coordinate)) this.#lists.set(field.coordinate, nestedList(field, this.#options.declaration))
    return this.#lists.get(field.coordinate)
  }

  /** A list is read when something of its page is selected, and counted when `totalCount` is. */
  #explained(node: PlanNode, { stages, rows, optional = false, count, countsByReading = false }: PlannedReads, position: Position, isList: boolean): ExplainedNode {
    const { coordinate: field, choice } = node
    const selected = [...node.children.values()].map(({ coordinate }) => coordinate.split('.')[1]!)
    const paged = !isList || selected.some((name) => ['nodes', 'edges', 'pageInfo'].includes(name))
    const reads = paged || (countsByReading && selected.includes('totalCount')) ? readsInTurn(field, stages, position, optional) : []
    const counted = isList ? selected.filter((name) => name === 'totalCount').length : 0
    const counting = count && counted > 0 ? readsInTurn(field, [count], position, false, counted) : []
    const found = times(position.rows, rows)
    return {
      field, written: node.written, choice, path: position.path, holders: position.rows, rows: paged ? found : upTo(0),
      reads: [...reads, ...counting],
      children: this.#below(node, { rows: found, after: reads.at(-1) ?? position.after, path: '' }),
    }
  }

  /** How many documents a mutation answers. */
  #writtenBy(node: PlanNode): Range {
    const written = inputsOf(this.#options.declaration.model, node, this.#options.variables)
    return { least: written, most: written }
  }

  #held({ least, most }: Range): Range {
    const { maxHeld = Infinity } = this.#options
    return { least: Math.min(least, maxHeld), most: Math.min(most, maxHeld) }
  }

  /** The nodes below one. A value of an interface or union may have none of the types that are selected. */
  #below(node: PlanNode, position: Position): ExplainedNode[] {
    const { schema } = this.#options
    const field = this.#fieldAt(node)
    const type = field && getNamedType(field.type)
    const several = isAbstractType(type) && schema.getPossibleTypes(type).length > 1
    return this.children(node.children, several ? { ...position, rows: orNone(position.rows) } : position)
  }

  #arguments(node: PlanNode): Record<string, unknown> {
    const field = this.#fieldAt(node)
    return field ? getArgumentValues(field, node.written[0]!, this.#options.variables) : {}
  }

  #fieldAt({ coordinate }: PlanNode): GraphQLField<unknown, unknown> | undefined {
    const [typeName = '', name = ''] = coordinate.split('.')
    const type = this.#options.schema.getType(typeName)
    return type && 'getFields' in type ? (type.getFields()[name] as GraphQLField<unknown, unknown> | undefined) : undefined
  }

  #window(scope: string, node: PlanNode): Window {
    if (this.#options.window) return this.#options.window(scope, node)
    return { ...readWindow({ scope }, this.#arguments(node), this.#options.pageSizes, unsignedCursors), peek: asksForMore(node) }
  }
}

/** What a filter says of related documents: looked up before the list, or compared in it. */
function filterNode({ written }: PlanNode, { field, choice, target, lookup }: RelatedCondition, position: Position): ExplainedNode {
  return {
    field: field.coordinate, written, choice, path: `filter.${field.name}`, holders: position.rows, rows: upTo(0), children: [],
    reads: lookup ? readsInTurn(field.coordinate, [plannedPage(target, lookup.query)], position, false) : [],
  }
}

function readsInTurn(field: string, stages: readonly PlannedRead[], { rows, after }: Position, optional: boolean, repeated = 1): ExplainedRead[] {
  const reads: ExplainedRead[] = []
  for (const asked of stages) reads.push({ field, asked, holders: rows, after: reads.at(-1) ?? after, optional, repeated })
  return reads
}

const asIs = { asked: undefined, related: [], rename: '' } as const

/** The reads of a list that no list in other words shares. */
function renamed(reads: PlannedReads, name: string): PlannedReads {
  if (name === '') return reads
  const rename = (asked: PlannedRead): PlannedRead => ({ ...asked, loader: `${asked.loader} ${name}` })
  return { ...reads, stages: reads.stages.map((asked) => (asked.by === 'page' ? rename(asked) : asked)), ...(reads.count ? { count: rename(reads.count) } : {}) }
}

function listArgumentsText({ written }: PlanNode): string {
  return written[0]!.arguments!.filter(({ name }) => name.value === 'filter' || name.value === 'orderBy').map(print).join()
}

/** How many values of a field are in its document. */
function heldIn({ shape, required, storage }: Field): Range {
  if (shape === 'one') return { least: Number(required), most: 1 }
  return upTo(('max' in storage ? storage.max : undefined) ?? 1)
}

/** The fields of connections are left out; objects inside of documents are part of the path. */
function pathTo(above: string, { coordinate }: PlanNode, name: string): string {
  const [type = '', key = ''] = name.split('.')
  const isConnection = /(Connection|Edge)$/.test(type) && /\.(nodes|edges|node)$/.test(coordinate)
  return isConnection ? above : above === '' ? key : `${above}.${key}`
}

const everything: Window = { limit: Infinity, after: undefined, backwards: false, peek: false }

/** Only the gateway that signed a cursor can read it. Here it matters only that different cursors give different pages. */
const unsignedCursors: Cursors = {
  read: (_, cursor) => ({ value: cursor, id: cursor }),
  write: (_, { id }) => id,
}
