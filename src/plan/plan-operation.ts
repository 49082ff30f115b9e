// Makes the plan of an operation before any row is read: for each relation in it, snapshot or lookup. Fragments,
// aliases, `@skip` and `@include`, interfaces and unions are resolved here, so that nothing decides row by row.
//
// Below an interface there is a node for each type that implements it. Where their fields lead to the same types with the same
// selection, they share what is below them: a field that leads to its own interface would otherwise take as many nodes as there
// are paths through the implementers, which is exponential in its depth.

import { collectFields } from '@graphql-tools/utils'
import {
  getNamedType, getVariableValues, isAbstractType, isCompositeType, Kind, type DocumentNode, type FieldNode, type FragmentDefinitionNode,
  type GraphQLError, type GraphQLNamedType, type GraphQLObjectType, type GraphQLSchema, type OperationDefinitionNode, type SelectionSetNode,
} from 'graphql'
import type { Access } from '../auth/access.ts'
import { httpError } from '../graphql-errors.ts'
import { fieldAt } from '../model/model.ts'
import type { Declaration } from '../relations/declaration.ts'
import type { LookUpReasons } from './filter.ts'
import { choose, tooOldTexts, type Choice } from './snapshot-or-lookup.ts'
import { policyBelow, type Freshness, type FieldPolicy, type ReadPolicy } from './freshness.ts'
import { RecordedInputs } from './plan-inputs.ts'
import { Plan, type PlanNode } from './plan.ts'

/** What is the same for every request with this operation. */
export interface PlannedOperation {
  readonly schema: GraphQLSchema
  readonly declaration: Declaration
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly naive: boolean
}

export interface PlanOptions extends PlannedOperation {
  /** As the request gives them, not coerced. */
  readonly variables: Record<string, unknown>
  readonly policy: ReadPolicy
  readonly freshness: Freshness
  /** What the viewer may see; without it, everything. */
  readonly access?: Access | undefined
}

export function planOperation({ variables, policy, freshness, access, ...planned }: PlanOptions): Plan {
  const { coerced = {} } = getVariableValues(planned.schema, planned.operation.variableDefinitions ?? [], variables, { maxErrors: 1 })
  return planFrom(planned, new RecordedInputs({ variables: coerced, policy, freshness, access }))
}

/** Everything that differs from request to request is read from `inputs`, which records it. */
export function planFrom(planned: PlannedOperation, inputs: RecordedInputs): Plan {
  const { schema, operation } = planned
  const root = schema.getRootType(operation.operation)
  if (!root) return new Plan(new Map())
  const planner = new Planner(planned, inputs)
  return new Plan(planner.fields(root, planner.selected(root, operation), planner.policyBelow(inputs.policy(), [operation])))
}

export function fragmentsOf(document: DocumentNode): Record<string, FragmentDefinitionNode> {
  if (document.definitions.length === 1 && document.definitions[0]!.kind === Kind.OPERATION_DEFINITION) return noFragments
  return Object.fromEntries(document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])))
}

const noFragments: Record<string, never> = Object.freeze({})

/** Max nodes of a plan: many times what an operation within its limits needs. */
const maxNodes = 10_000

/** What is below a field, for the fields of other types that may share it. */
type Shared = Map<string, Pick<PlanNode, 'children'> & { readonly below: Selections }>

class Planner {
  #nodes = 0
  /** Numbers of the fields of the document, in the order in which they were needed. */
  readonly #numbers = new Map<FieldNode, number>()
  readonly #planned: PlannedOperation
  readonly #inputs: RecordedInputs
  readonly #fragments: Record<string, FragmentDefinitionNode>

  constructor(planned: PlannedOperation, inputs: RecordedInputs) {
    this.#planned = planned
    this.#inputs = inputs
    this.#fragments = fragmentsOf(planned.document)
  }

  policyBelow(above: FieldPolicy, nodes: readonly (FieldNode | OperationDefinitionNode)[]): FieldPolicy {
    return policyBelow(above, this.#planned.schema.getDirective('read')!, nodes, this.#inputs.variables)
  }

  /** The fields that these nodes select of a type, by response key. */
  selected(type: GraphQLObjectType, ...nodes: readonly { readonly selectionSet?: SelectionSetNode | undefined }[]): Map<string, FieldNode[]> {
    const all = new Map<string, FieldNode[]>()
    for (const { selectionSet } of nodes) {
      if (!selectionSet) continue
      const { fields } = collectFields(this.#planned.schema, this.#fragments, { coerced: this.#inputs.variables, sources: {} }, type, selectionSet)
      for (const [responseKey, found] of fields) all.set(responseKey, [...(all.get(responseKey) ?? []), ...found])
    }
    return all
  }

  /** `shared` is given below an interface or union. */
  fields(parent: GraphQLObjectType, fields: ReadonlyMap<string, FieldNode[]>, above: FieldPolicy, shared?: Shared): Map<string, PlanNode> {
    const planned = new Map<string, PlanNode>()
    for (const [responseKey, nodes] of fields) {
      const name = nodes[0]!.name.value
      if (++this.#nodes > maxNodes) throw tooManyNodes(nodes)
      // `__typename` and introspection have a node, and nothing to choose.
      const node = name in parent.getFields() ? this.#field(parent, name, nodes, above, shared) : leafAt(`${parent.name}.${name}`, nodes)
      planned.set(`${parent.name}.${responseKey}`, node)
    }
    return planned
  }

  #field(parent: GraphQLObjectType, name: string, nodes: FieldNode[], above: FieldPolicy, shared: Shared | undefined): PlanNode {
    const coordinate = `${parent.name}.${name}`
    const policy = this.policyBelow(above, nodes)
    const type = getNamedType(parent.getFields()[name]!.type)
    const key = shared && isCompositeType(type) ? [type.name, policy.from, policy.orStale, policy.maxStaleMs, policy.heedsRequest, ...nodes.map((node) => this.#numberOf(node))].join() : undefined
    let found = key === undefined ? undefined : shared!.get(key)
    if (!found) {
      found = this.#below(type, nodes, policy)
      if (key !== undefined) shared!.set(key, found)
    }
    const filtering = nodes[0]!.arguments?.some((argument) => argument.name.value === 'filter') ? this.#filtering(policy) : undefined
    return { coordinate, written: nodes, children: found.children, choice: this.#choice(coordinate, found.below, policy), filtering, resolved: 0, fellBack: 0 }
  }

  #numberOf(node: FieldNode): number {
    const number = this.#numbers.get(node) ?? this.#numbers.size
    this.#numbers.set(node, number)
    return number
  }

  /** As `choose` judges a relation that is shown. */
  #filtering(policy: FieldPolicy): LookUpReasons {
    const staleness = this.#inputs.staleness(policy)
    return {
      mustLookUp: staleness && tooOldTexts[staleness],
      wouldLookUp: this.#planned.naive ? 'the naive strategy looks everything up' : policy.from === 'REFERENCE' ? 'the request says from: REFERENCE' : undefined,
    }
  }

  #choice(coordinate: string, below: Selections, policy: FieldPolicy): Choice | undefined {
    const { declaration: { model, prepared }, naive } = this.#planned
    const field = fieldAt(model, coordinate)
    const relation = field && prepared(field)
    if (!relation || 'value' in relation) return undefined
    const access = this.#inputs.access()
    return choose({
      relation, policy, naive,
      selected: new Set(below.flatMap(([, fields]) => [...fields.values()].map(([node]) => node!.name.value))),
      staleness: this.#inputs.staleness(policy),
      hidden: access !== undefined && access.seeing(field) !== 'free',
    })
  }

  /** What is selected below a field, for each type that its value can have. */
  #below(type: GraphQLNamedType, nodes: FieldNode[], policy: FieldPolicy): { readonly below: Selections; readonly children: PlanNode['children'] } {
    const { schema } = this.#planned
    if (!isCompositeType(type)) return nothingBelow
    const possible = isAbstractType(type) ? schema.getPossibleTypes(type) : [type]
    const below = possible.map((each) => [each, this.selected(each, ...nodes)] as const)
    const shared: Shared | undefined = possible.length > 1 ? new Map() : undefined
    return { below, children: new Map(below.flatMap(([each, fields]) => [...this.fields(each, fields, policy, shared)])) }
  }
}

function tooManyNodes(nodes: readonly FieldNode[]): GraphQLError {
  return httpError('QUERY_TOO_COSTLY', `The plan of the operation has more than ${maxNodes} nodes, one for each field and each type that it can be a field of. Select fewer fields of interfaces and unions.`, { nodes })
}

type Selections = readonly (readonly [GraphQLObjectType, ReadonlyMap<string, FieldNode[]>])[]

const nothingBelow = { below: [], children: new Map<string, PlanNode>() }

function leafAt(coordinate: string, written: readonly FieldNode[]): PlanNode {
  return { coordinate, written, choice: undefined, children: new Map(), resolved: 0, fellBack: 0 }
}
