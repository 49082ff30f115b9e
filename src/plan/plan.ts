// What an operation will do, decided once before any row is there: for each relation in it, at each
// place where it stands, copy or lookup. Fragments, aliases, `@skip` and `@include`, interfaces and
// unions are all seen through here, so resolvers only look their choice up.

import { collectFields } from '@graphql-tools/utils'
import {
  getNamedType, getVariableValues, isAbstractType, isCompositeType, Kind, type DocumentNode, type FieldNode, type FragmentDefinitionNode,
  type GraphQLObjectType, type GraphQLResolveInfo, type GraphQLSchema, type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { choose, type Choice, type Freshness } from './choice.ts'
import type { Declaration } from '../relations/declaration.ts'
import type { Access } from '../auth/access.ts'
import { fieldAt } from '../model/model.ts'
import { policyBelow, type ReadPolicy } from './read-policy.ts'

export interface PlanOptions {
  readonly schema: GraphQLSchema
  readonly declaration: Declaration
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly variables: Record<string, unknown>
  readonly policy: ReadPolicy
  readonly freshness: Freshness
  readonly naive: boolean
  /** What whoever asks may see; without it, everything. */
  readonly access?: Access | undefined
}

/** One field of the operation at one place; `choice` only where it is a relation. */
export interface PlanNode {
  readonly coordinate: string
  /** As it is written, once for each time it is selected. */
  readonly written: readonly FieldNode[]
  readonly choice: Choice | undefined
  /** By `Type.responseKey`: below an interface, the same key can be a different field for each type. */
  readonly children: ReadonlyMap<string, PlanNode>
  /** How many rows have been resolved by this choice. */
  resolved: number
  /** How many rows the copy answered after all, because the store did not. */
  fellBack: number
}

export class Plan {
  readonly roots: ReadonlyMap<string, PlanNode>
  readonly #nodes = new Map<readonly FieldNode[], PlanNode>()

  constructor(roots: ReadonlyMap<string, PlanNode>) {
    this.roots = roots
  }

  /**
   * The place that is being resolved. GraphQL.js hands out the same array of field nodes for all
   * rows at one place, so the way down from the root is walked once per place and not per row.
   */
  at(info: GraphQLResolveInfo): PlanNode {
    const known = this.#nodes.get(info.fieldNodes)
    if (known) return known
    const node = this.#walk(info.path)
    if (!node) throw new Error(`${info.parentType.name}.${info.fieldName} was not planned.`)
    this.#nodes.set(info.fieldNodes, node)
    return node
  }

  /** The same plan with these counts, for those who want to know how it went. */
  counted(counts: ReadonlyMap<PlanNode, number>): Plan {
    const copies = (nodes: ReadonlyMap<string, PlanNode>): ReadonlyMap<string, PlanNode> =>
      new Map([...nodes].map(([name, node]) => [name, { ...node, children: copies(node.children), resolved: counts.get(node) ?? 0, fellBack: 0 }]))
    return new Plan(copies(this.roots))
  }

  /** Every place, parents before what is below them. */
  *all(nodes: ReadonlyMap<string, PlanNode> = this.roots): Generator<PlanNode> {
    for (const node of nodes.values()) {
      yield node
      yield* this.all(node.children)
    }
  }

  #walk({ prev, key, typename }: GraphQLResolveInfo['path']): PlanNode | undefined {
    let above = prev
    while (typeof above?.key === 'number') above = above.prev
    const siblings = above ? this.#walk(above)?.children : this.roots
    return siblings?.get(`${typename}.${key}`)
  }
}

export function planOperation(options: PlanOptions): Plan {
  const { schema, document, operation, policy } = options
  const { coerced = {} } = getVariableValues(schema, operation.variableDefinitions ?? [], options.variables)
  const root = schema.getRootType(operation.operation)
  if (!root) return new Plan(new Map())
  const planner = new Planner(options, coerced, fragmentsOf(document))
  const fields = planner.selected(root, operation)
  return new Plan(planner.fields(root, fields, planner.policyBelow(policy, [operation])))
}

/** Whether anyone wants to know if a list goes on behind the page. */
export function asksForMore(connection: PlanNode): boolean {
  return [...connection.children.values()].some(({ children }) =>
    [...children.values()].some(({ coordinate }) => coordinate === 'PageInfo.hasNextPage' || coordinate === 'PageInfo.hasPreviousPage'))
}

class Planner {
  readonly #fragments: Record<string, FragmentDefinitionNode>
  readonly #options: PlanOptions
  readonly #variables: Record<string, unknown>

  constructor(options: PlanOptions, variables: Record<string, unknown>, fragments: Record<string, FragmentDefinitionNode>) {
    this.#options = options
    this.#variables = variables
    this.#fragments = fragments
  }

  policyBelow(above: ReadPolicy, nodes: readonly (FieldNode | OperationDefinitionNode)[]): ReadPolicy {
    return policyBelow(above, this.#options.schema.getDirective('read')!, nodes, this.#variables)
  }

  /** What these nodes select of a type, by response key, fragments and conditions seen through. */
  selected(type: GraphQLObjectType, ...nodes: readonly { readonly selectionSet?: SelectionSetNode | undefined }[]): Map<string, FieldNode[]> {
    const all = new Map<string, FieldNode[]>()
    for (const { selectionSet } of nodes) {
      if (!selectionSet) continue
      const { fields } = collectFields(this.#options.schema, this.#fragments, { coerced: this.#variables, sources: {} }, type, selectionSet)
      for (const [responseKey, found] of fields) all.set(responseKey, [...(all.get(responseKey) ?? []), ...found])
    }
    return all
  }

  fields(parent: GraphQLObjectType, fields: ReadonlyMap<string, FieldNode[]>, above: ReadPolicy): Map<string, PlanNode> {
    const planned = new Map<string, PlanNode>()
    for (const [responseKey, nodes] of fields) {
      const name = nodes[0]!.name.value
      // `__typename` and introspection have a place, and nothing to choose.
      const node = name in parent.getFields() ? this.#field(parent, name, nodes, above) : leafAt(`${parent.name}.${name}`, nodes)
      planned.set(`${parent.name}.${responseKey}`, node)
    }
    return planned
  }

  #field(parent: GraphQLObjectType, name: string, nodes: FieldNode[], above: ReadPolicy): PlanNode {
    const coordinate = `${parent.name}.${name}`
    const policy = this.policyBelow(above, nodes)
    const below = this.#below(parent, name, nodes)
    const children = new Map(below.flatMap(([type, fields]) => [...this.fields(type, fields, policy)]))
    return { coordinate, written: nodes, children, choice: this.#choice(coordinate, below, policy), resolved: 0, fellBack: 0 }
  }

  #choice(coordinate: string, below: Selections, policy: ReadPolicy): Choice | undefined {
    const { declaration: { model, prepared }, freshness, naive, access } = this.#options
    const field = fieldAt(model, coordinate)
    const found = field && prepared(field)
    if (!found || 'value' in found) return undefined
    const asked = new Set(below.flatMap(([, fields]) => [...fields.values()].map(([node]) => node!.name.value)))
    return choose(found, asked, policy, freshness, naive, access !== undefined && access.seeing(field) !== 'free')
  }

  /** What is selected below a field, for each type its value can have. */
  #below(parent: GraphQLObjectType, name: string, nodes: FieldNode[]): Selections {
    const { schema } = this.#options
    const type = getNamedType(parent.getFields()[name]!.type)
    if (!isCompositeType(type)) return []
    const possible = isAbstractType(type) ? schema.getPossibleTypes(type) : [type]
    return possible.map((each) => [each, this.selected(each, ...nodes)])
  }
}

function leafAt(coordinate: string, written: readonly FieldNode[]): PlanNode {
  return { coordinate, written, choice: undefined, children: new Map(), resolved: 0, fellBack: 0 }
}

type Selections = readonly (readonly [GraphQLObjectType, ReadonlyMap<string, FieldNode[]>])[]

export function fragmentsOf(document: DocumentNode): Record<string, FragmentDefinitionNode> {
  return Object.fromEntries(document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])))
}
