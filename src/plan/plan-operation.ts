// Makes the plan of an operation before any row is read: for each relation in it, snapshot or lookup. Fragments,
// aliases, `@skip` and `@include`, interfaces and unions are resolved here, so that nothing decides row by row.
//
// Below an interface there is a node for each type that implements it. Where their fields lead to the same types with the same
// selection, they share what is below them: a field that leads to its own interface would otherwise take as many nodes as there
// are paths through the implementers, which is exponential in its depth.

import {
  getNamedType, getVariableValues, isAbstractType, isCompositeType, Kind, type ASTNode, type DocumentNode, type FieldNode, type FragmentDefinitionNode,
  visit, type GraphQLNamedType, type GraphQLObjectType, type GraphQLSchema, type OperationDefinitionNode, type SelectionSetNode,
} from 'graphql'
import type { Access } from '../auth/access.ts'
import { countValues } from '../model/json/json.ts'
import { fieldAt } from '../model/model.ts'
import type { Declaration } from '../relations/declaration.ts'
import { argumentFields } from './argument-fields.ts'
import type { LookUpReasons } from './filter.ts'
import { choose, tooOldTexts, type Choice } from './snapshot-or-lookup.ts'
import { policyBelow, type Freshness, type FieldPolicy, type ReadPolicy } from './freshness.ts'
import { collectFields, type CollectOptions } from './collect-fields.ts'
import { RecordedInputs } from './plan-inputs.ts'
import { Plan, type PlanNode } from './plan.ts'
import { RequestSteps } from './request-steps.ts'

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
  const steps = stepsWith(planned.document, variables)
  const { coerced = {} } = getVariableValues(planned.schema, planned.operation.variableDefinitions ?? [], variables, { maxErrors: 1 })
  return planFrom(planned, new RecordedInputs({ variables: coerced, policy, freshness, access }), steps)
}

/** Everything that differs from request to request is read from `inputs`, which records it. Throws if it takes too many steps. */
export function planFrom(planned: PlannedOperation, inputs: RecordedInputs, steps: RequestSteps): Plan {
  const { schema, operation } = planned
  const root = schema.getRootType(operation.operation)
  if (!root) return new Plan(new Map())
  const planner = new Planner(planned, inputs, steps)
  return new Plan(planner.fields(root, planner.selected(root, operation), planner.policyBelow(inputs.policy(), [operation])), steps)
}

/** The steps that are left after a document was validated and the variables of a request, as it gives them, are coerced. */
export function stepsWith(document: DocumentNode, variables: Record<string, unknown>): RequestSteps {
  const steps = RequestSteps.after(document)
  steps.take(countValues(variables))
  return steps
}

export function fragmentsOf(document: DocumentNode): Record<string, FragmentDefinitionNode> {
  if (document.definitions.length === 1 && document.definitions[0]!.kind === Kind.OPERATION_DEFINITION) return noFragments
  return Object.fromEntries(document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])))
}

const noFragments: Record<string, never> = Object.freeze({})

/** A plan node is visited again by rules, by the budget and by the compiler, and again for each row. */
const stepsPerNode = 20

/** What is below a field, for the fields of other types that may share it. */
type Shared = Map<string, Pick<PlanNode, 'children'> & { readonly below: Selections }>

class Planner {
  /** Numbers of the fields of the document, in the order in which they were needed. */
  readonly #numbers = new Map<FieldNode, number>()
  readonly #planned: PlannedOperation
  readonly #inputs: RecordedInputs
  readonly #steps: RequestSteps
  readonly #collecting: CollectOptions
  /** How many nodes the arguments of a field have, each of which is visited at each place where the field is selected. */
  readonly #argumentNodes = new Map<FieldNode, number>()

  constructor(planned: PlannedOperation, inputs: RecordedInputs, steps: RequestSteps) {
    this.#planned = planned
    this.#inputs = inputs
    this.#steps = steps
    this.#collecting = { schema: planned.schema, fragments: fragmentsOf(planned.document), variables: inputs.variables, steps }
  }

  policyBelow(above: FieldPolicy, nodes: readonly (FieldNode | OperationDefinitionNode)[]): FieldPolicy {
    return policyBelow(above, this.#planned.schema.getDirective('read')!, nodes, this.#inputs.variables)
  }

  /** The fields that these nodes select of a type, by response key. */
  selected(type: GraphQLObjectType, ...nodes: readonly { readonly selectionSet?: SelectionSetNode | undefined }[]): Map<string, FieldNode[]> {
    const all = new Map<string, FieldNode[]>()
    // GraphQL.js too follows a fragment once for all of them.
    const seen = new Set<string>()
    for (const { selectionSet } of nodes) if (selectionSet) collectFields(this.#collecting, type, selectionSet, all, seen)
    return all
  }

  /** `shared` is given below an interface or union. */
  fields(parent: GraphQLObjectType, fields: ReadonlyMap<string, FieldNode[]>, above: FieldPolicy, shared?: Shared): Map<string, PlanNode> {
    const planned = new Map<string, PlanNode>()
    for (const [responseKey, nodes] of fields) {
      const name = nodes[0]!.name.value
      this.#steps.take(stepsPerNode + this.#argumentsOf(nodes[0]!), nodes[0])
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
    return { coordinate, written: nodes, children: found.children, choice: this.#choice(coordinate, nodes[0]!, found.below, policy), filtering, resolved: 0, fellBack: 0 }
  }

  #argumentsOf(node: FieldNode): number {
    if (!node.arguments?.length) return 0
    let nodes = this.#argumentNodes.get(node)
    if (nodes === undefined) this.#argumentNodes.set(node, (nodes = countNodes(node.arguments)))
    return nodes
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

  #choice(coordinate: string, node: FieldNode, below: Selections, policy: FieldPolicy): Choice | undefined {
    const { declaration: { model, prepared }, naive } = this.#planned
    const field = fieldAt(model, coordinate)
    const relation = field && prepared(field)
    if (!relation || 'value' in relation) return undefined
    const access = this.#inputs.access()
    return choose({
      relation, policy, naive,
      selected: new Set(below.flatMap(([, fields]) => [...fields.values()].map(([each]) => each!.name.value))),
      asked: relation.copied && argumentFields(field, node, model),
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

function countNodes(nodes: readonly ASTNode[]): number {
  let count = 0
  for (const node of nodes) visit(node, { enter: () => void count++ })
  return count
}

type Selections = readonly (readonly [GraphQLObjectType, ReadonlyMap<string, FieldNode[]>])[]

const nothingBelow = { below: [], children: new Map<string, PlanNode>() }

function leafAt(coordinate: string, written: readonly FieldNode[]): PlanNode {
  return { coordinate, written, choice: undefined, children: new Map(), resolved: 0, fellBack: 0 }
}
