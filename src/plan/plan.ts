// The plan of an operation: plan nodes, one for each field that it selects of each type. It is a tree, except that nodes of
// several types may share what is below them. Resolvers and compiled code look their choice up here. `plan-operation.ts` makes it.

import { getNullableType, isListType, type FieldNode, type GraphQLResolveInfo } from 'graphql'
import type { OperationCost } from './cost/max-cost.ts'
import type { LookUpReasons } from './filter.ts'
import { RequestSteps } from './request-steps.ts'
import type { Choice } from './snapshot-or-lookup.ts'

export interface PlanNode {
  /** `Type.field`. */
  readonly coordinate: string
  /** The field as the operation writes it, once for each time it is selected. */
  readonly written: readonly FieldNode[]
  /** Snapshot or lookup; undefined unless the field is a relation. */
  readonly choice: Choice | undefined
  /** Of a list that is filtered and whose documents hold copies: why these must not answer what the filter says of related documents. */
  readonly filtering?: LookUpReasons | undefined
  /** By `Type.responseKey`: below an interface, the same key can be a different field for each type. */
  readonly children: ReadonlyMap<string, PlanNode>
  /** How many rows were resolved as chosen. */
  resolved: number
  /** How many rows the snapshot answered because the store did not. */
  fellBack: number
}

/** How many rows of a relation were resolved, and from where. */
export interface RelationRows {
  readonly field: string
  readonly from: Choice['from']
  readonly count: number
}

/** The same for rows that compiled code has counted. */
export function* rowsIn(counts: ReadonlyMap<PlanNode, number>): Generator<RelationRows> {
  for (const [{ coordinate, choice }, count] of counts) if (choice && count > 0) yield { field: coordinate, from: choice.from, count }
}

export class Plan {
  readonly roots: ReadonlyMap<string, PlanNode>
  readonly #nodes = new Map<readonly FieldNode[], PlanNode>()
  /**
   * What it can cost, for each combination of page sizes (cost/budget.ts). Here and not in a WeakMap: a minor garbage collection keeps
   * what a weak map holds, and a cost leads to the whole document.
   */
  readonly costs = new Map<string, OperationCost>()
  /** The steps that a request has left once it is planned. */
  readonly stepsLeft: RequestSteps
  #all: ReadonlySet<PlanNode> | undefined
  #paths: number | undefined
  #filtered: readonly PlanNode[] | undefined

  constructor(roots: ReadonlyMap<string, PlanNode>, stepsLeft = new RequestSteps()) {
    this.roots = roots
    this.stepsLeft = stepsLeft
  }

  /**
   * The node that is being resolved. GraphQL.js passes the same array of field nodes for all rows, so the tree is
   * walked once per node and not once per row.
   */
  at(info: GraphQLResolveInfo): PlanNode {
    const known = this.#nodes.get(info.fieldNodes)
    if (known) return known
    const node = this.#walk(info.path)
    if (!node) throw new Error(`${info.parentType.name}.${info.fieldName} is not in the plan of this operation.`)
    this.#nodes.set(info.fieldNodes, node)
    return node
  }

  /** The closest list on the way to what is being resolved: that is what grew. */
  listAt(info: GraphQLResolveInfo): PlanNode | undefined {
    let { path }: { path: GraphQLResolveInfo['path'] | undefined } = info
    if (!isListType(getNullableType(info.returnType))) while (path && typeof path.key === 'string') path = path.prev
    while (path && typeof path.key === 'number') path = path.prev
    return this.#walk(path ?? info.path)
  }

  /** The same plan with no rows counted yet. */
  copy(): Plan {
    const known = new Map<ReadonlyMap<string, PlanNode>, ReadonlyMap<string, PlanNode>>()
    const copies = (nodes: ReadonlyMap<string, PlanNode>): ReadonlyMap<string, PlanNode> => {
      let copied = known.get(nodes)
      if (!copied) known.set(nodes, (copied = new Map([...nodes].map(([name, node]) => [name, { ...node, children: copies(node.children), resolved: 0, fellBack: 0 }]))))
      return copied
    }
    return new Plan(copies(this.roots), this.stepsLeft)
  }

  /** The rows of each relation that were resolved. */
  *rows(): Generator<RelationRows> {
    for (const { coordinate, choice, resolved, fellBack } of this.all()) {
      if (!choice || resolved === 0) continue
      if (resolved > fellBack) yield { field: coordinate, from: choice.from, count: resolved - fellBack }
      if (fellBack > 0) yield { field: coordinate, from: 'SNAPSHOT', count: fellBack }
    }
  }

  /** The response keys from the root to a node. */
  pathTo(node: PlanNode): readonly string[] | undefined {
    return pathIn(this.roots, node, new Set())
  }

  /** Every node once, parents before their children. */
  all(): ReadonlySet<PlanNode> {
    if (!this.#all) {
      const all = new Set<PlanNode>()
      addAll(this.roots, all)
      this.#all = all
    }
    return this.#all
  }

  /** The nodes that have a filter. */
  get filtered(): readonly PlanNode[] {
    return (this.#filtered ??= [...this.all()].filter(({ filtering }) => filtering))
  }

  /** How many ways lead from the root to its nodes: how many nodes it would have if none were shared. */
  get paths(): number {
    return (this.#paths ??= pathsIn(this.roots, new Map()))
  }

  #walk({ prev, key, typename }: GraphQLResolveInfo['path']): PlanNode | undefined {
    let above = prev
    while (typeof above?.key === 'number') above = above.prev
    const siblings = above ? this.#walk(above)?.children : this.roots
    return siblings?.get(`${typename}.${key}`)
  }
}

function addAll(nodes: ReadonlyMap<string, PlanNode>, all: Set<PlanNode>): void {
  for (const node of nodes.values()) {
    if (all.has(node)) continue
    all.add(node)
    addAll(node.children, all)
  }
}

function pathsIn(nodes: ReadonlyMap<string, PlanNode>, known: Map<ReadonlyMap<string, PlanNode>, number>): number {
  let paths = known.get(nodes)
  if (paths !== undefined) return paths
  paths = nodes.size
  for (const { children } of nodes.values()) if (children.size > 0) paths += pathsIn(children, known)
  known.set(nodes, paths)
  return paths
}

function pathIn(nodes: ReadonlyMap<string, PlanNode>, wanted: PlanNode, seen: Set<PlanNode>): readonly string[] | undefined {
  for (const [name, node] of nodes) {
    if (seen.has(node)) continue
    seen.add(node)
    const below = node === wanted ? [] : pathIn(node.children, wanted, seen)
    if (below) return [name.slice(name.indexOf('.') + 1), ...below]
  }
  return undefined
}

/** Whether the operation asks if there are more pages behind that of a connection. */
export function asksForMore(connection: PlanNode): boolean {
  return [...connection.children.values()].some(({ children }) =>
    [...children.values()].some(({ coordinate }) => coordinate === 'PageInfo.hasNextPage' || coordinate === 'PageInfo.hasPreviousPage'))
}
