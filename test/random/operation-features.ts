// Which parts of the language an operation uses, read from its text, and what came of it, read from
// the answer: the proof that random operations are not all alike. How they were made is not known here.

import {
  isInterfaceType, isUnionType, getNamedType, Kind, parse, print, TypeInfo, visit, visitWithTypeInfo,
  type ArgumentNode, type ASTNode, type DirectiveNode, type FieldNode, type FragmentSpreadNode, type GraphQLCompositeType,
  type GraphQLSchema, type InlineFragmentNode, type ObjectFieldNode, type VariableDefinitionNode,
} from 'graphql'
import type { Answer } from '../harness.ts'
import type { WrittenOperation } from './write-operation.ts'

/** How often each feature is used: the number of operations that do. */
export class FeatureCounts {
  readonly #schema: GraphQLSchema
  readonly #counts = new Map(Object.keys(features).map((feature) => [feature, 0]))

  constructor(schema: GraphQLSchema) {
    this.#schema = schema
  }

  add(operation: WrittenOperation, answer: Answer): void {
    const facts = factsOf(this.#schema, operation, answer)
    for (const [feature, isUsed] of Object.entries(features)) if (isUsed(facts)) this.#counts.set(feature, this.#counts.get(feature)! + 1)
  }

  /** Features that fewer operations use. */
  below(least: number): string[] {
    return [...this.#counts].filter(([, count]) => count < least).map(([feature, count]) => `${feature}: ${count}`)
  }

  toString(): string {
    return [...this.#counts].map(([feature, count]) => `${feature}: ${count}`).join('\n')
  }
}

const features: Readonly<Record<string, (facts: Facts) => boolean>> = {
  'several root fields': ({ fields }) => fields.filter(({ depth }) => depth === 0).length > 1,
  'one document by id': ({ fields }) => fields.some(({ node, parent }) => parent.name === 'Query' && has(node, 'id')),
  'a node by its global id': ({ fields }) => fields.some(({ node }) => has(node, 'nodeId')),
  'first': ({ fields }) => fields.some(({ node }) => has(node, 'first')),
  'last': ({ fields }) => fields.some(({ node }) => has(node, 'last')),
  'after': ({ fields }) => fields.some(({ node }) => has(node, 'after')),
  'before': ({ fields }) => fields.some(({ node }) => has(node, 'before')),
  'filter': ({ fields }) => fields.some(({ node }) => has(node, 'filter')),
  'orderBy': ({ fields }) => fields.some(({ node }) => has(node, 'orderBy')),
  'fields four levels deep': ({ fields }) => fields.some(({ depth }) => depth >= 4),
  'nodes': ({ fields }) => fields.some(({ node }) => node.name.value === 'nodes'),
  'edges': ({ fields }) => fields.some(({ node }) => node.name.value === 'edges'),
  'cursor': ({ fields }) => fields.some(({ node }) => node.name.value === 'cursor'),
  'pageInfo': ({ fields }) => fields.some(({ node }) => node.name.value === 'pageInfo'),
  'an aggregate': ({ fields }) => fields.some(({ parent }) => parent.name.endsWith('Aggregate')),
  'groups': ({ fields }) => fields.some(({ node }) => has(node, 'groupBy')),
  'totalCount': ({ fields }) => fields.some(({ node }) => node.name.value === 'totalCount'),
  '__typename': ({ fields }) => fields.some(({ node }) => node.name.value === '__typename'),

  'a named fragment': ({ spreads }) => spreads.length > 0,
  'a named fragment in another': ({ spreads }) => spreads.some(({ inFragment }) => inFragment),
  'a named fragment used twice': ({ spreads }) => new Set(spreads.map(({ node }) => node.name.value)).size < spreads.length,
  'a named fragment on an interface': ({ spreads }) => spreads.some(({ on }) => isInterfaceType(on)),
  'an inline fragment on a type': ({ inlines }) => inlines.some(({ node, on }) => node.typeCondition && !isInterfaceType(on)),
  'an inline fragment on an interface': ({ inlines }) => inlines.some(({ node, on }) => node.typeCondition && isInterfaceType(on)),
  'an inline fragment without a type': ({ inlines }) => inlines.some(({ node }) => !node.typeCondition),
  'an inline fragment in a union': ({ inlines }) => inlines.some(({ parent }) => isUnionType(parent)),

  'an alias': ({ fields }) => fields.some(({ node }) => node.alias),
  'an alias that is the name of another field': ({ fields }) =>
    fields.some(({ node, parent }) => node.alias && 'getFields' in parent && node.alias.value in parent.getFields()),
  'a relation twice with different selections': ({ selections }) => selections.some((fields) => pairs(fields).some(([one, other]) =>
    one.name.value === other.name.value && keyOf(one) !== keyOf(other) && below(one) !== below(other))),
  'a relation twice under one key': ({ selections }) => selections.some((fields) => pairs(fields).some(([one, other]) =>
    keyOf(one) === keyOf(other) && below(one) !== below(other))),

  '@skip by literal': ({ directives }) => directives.some(({ node }) => is(node, 'skip', Kind.BOOLEAN)),
  '@skip by variable': ({ directives }) => directives.some(({ node }) => is(node, 'skip', Kind.VARIABLE)),
  '@include by literal': ({ directives }) => directives.some(({ node }) => is(node, 'include', Kind.BOOLEAN)),
  '@include by variable': ({ directives }) => directives.some(({ node }) => is(node, 'include', Kind.VARIABLE)),
  '@skip and @include together': ({ directives }) => directives.some(({ on }) => 'directives' in on && (on.directives ?? []).filter(({ name }) => name.value !== 'read').length === 2),
  'a condition on a named fragment': ({ directives }) => directives.some(({ on }) => on.kind === Kind.FRAGMENT_SPREAD),
  'a condition on an inline fragment': ({ directives }) => directives.some(({ on }) => on.kind === Kind.INLINE_FRAGMENT),
  'a Boolean variable without a default': ({ variables }) => variables.some(({ node }) => isBoolean(node) && !node.defaultValue),
  'a Boolean variable left to its default': ({ variables }) => variables.some(({ node, sent }) => isBoolean(node) && node.defaultValue && !sent),
  'a Boolean variable that overrides its default': ({ variables }) => variables.some(({ node, sent }) => isBoolean(node) && node.defaultValue && sent),

  'an argument by variable': ({ values }) => values.some(({ node, on }) => on.kind === Kind.FIELD && node.value.kind === Kind.VARIABLE),
  'a variable that is neither sent nor has a default': ({ variables }) => variables.some(({ node, sent }) => !sent && !node.defaultValue),
  'a variable inside an input': ({ values }) => values.some(({ node }) => node.kind === Kind.OBJECT_FIELD && node.value.kind === Kind.VARIABLE),
  'null for an argument': ({ values }) => values.some(({ node }) => node.value.kind === Kind.NULL),

  '@read on the operation': ({ directives }) => directives.some(({ node, on }) => is(node, 'read') && on.kind === Kind.OPERATION_DEFINITION),
  '@read on a field': ({ directives }) => directives.some(({ node, on }) => is(node, 'read') && on.kind === Kind.FIELD),
  '@read by variable': ({ directives }) => directives.some(({ node }) => is(node, 'read', Kind.VARIABLE)),

  'a document that is not there': ({ answer }) => Object.values(answer.data!).includes(null),
  'an answer from copies': ({ answer }) => ways(answer).has('SNAPSHOT'),
  'an answer by lookups': ({ answer }) => ways(answer).has('REFERENCE'),
  'an answer by both': ({ answer }) => ways(answer).size === 2,
  'one relation both ways': ({ answer }) => pairs(answer.report.relations).some(([one, other]) => one.field === other.field && one.from !== other.from),
  'reads that batching saved': ({ answer }) => answer.report.saved.byBatching > 0,
  'reads that copies saved': ({ answer }) => answer.report.saved.bySnapshots > 0,
  'four waves': ({ answer }) => answer.report.made.waves >= 4,
}

interface Facts {
  readonly fields: { node: FieldNode; parent: GraphQLCompositeType; depth: number }[]
  /** The fields that stand directly in each selection. */
  readonly selections: FieldNode[][]
  readonly inlines: { node: InlineFragmentNode; parent: GraphQLCompositeType; on: GraphQLCompositeType }[]
  readonly spreads: { node: FragmentSpreadNode; on: GraphQLCompositeType; inFragment: boolean }[]
  readonly directives: { node: DirectiveNode; on: ASTNode }[]
  readonly variables: { node: VariableDefinitionNode; sent: boolean }[]
  readonly values: { node: ArgumentNode | ObjectFieldNode; on: ASTNode }[]
  readonly answer: Answer
}

function factsOf(schema: GraphQLSchema, { query, variables }: WrittenOperation, answer: Answer): Facts {
  const document = parse(query)
  const facts: Facts = { fields: [], selections: [], inlines: [], spreads: [], directives: [], variables: [], values: [], answer }
  const info = new TypeInfo(schema)
  const conditions = new Map(document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node.typeCondition.name.value]] : [])))
  const typeNamed = (name: string) => schema.getType(name) as GraphQLCompositeType
  visit(document, visitWithTypeInfo(info, {
    enter(node, _key, _parent, _path, ancestors) {
      const above = ancestors.filter((one): one is ASTNode => 'kind' in one)
      const parent = info.getParentType()!
      if (node.kind === Kind.FIELD) facts.fields.push({ node, parent, depth: above.filter(isLevel).length })
      if (node.kind === Kind.SELECTION_SET) facts.selections.push(node.selections.filter((one) => one.kind === Kind.FIELD))
      if (node.kind === Kind.INLINE_FRAGMENT) facts.inlines.push({ node, parent, on: getNamedType(info.getType()) as GraphQLCompositeType })
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        facts.spreads.push({ node, on: typeNamed(conditions.get(node.name.value)!), inFragment: above.some(({ kind }) => kind === Kind.FRAGMENT_DEFINITION) })
      }
      if (node.kind === Kind.DIRECTIVE) facts.directives.push({ node, on: above.at(-1)! })
      if (node.kind === Kind.VARIABLE_DEFINITION) facts.variables.push({ node, sent: node.variable.name.value in variables })
      if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) facts.values.push({ node, on: above.at(-1)! })
    },
  }))
  return facts
}

/** Whether a node is a field that does not only lead through a connection. */
function isLevel(node: ASTNode): boolean {
  return node.kind === Kind.FIELD && !['nodes', 'edges', 'node'].includes(node.name.value)
}

function has(node: FieldNode, argument: string): boolean {
  return node.arguments?.some(({ name }) => name.value === argument) ?? false
}

function is(node: DirectiveNode, name: string, given?: Kind): boolean {
  return node.name.value === name && (given === undefined || (node.arguments?.some(({ value }) => value.kind === given) ?? false))
}

function isBoolean({ type }: VariableDefinitionNode): boolean {
  return print(type).startsWith('Boolean')
}

function ways({ report: { relations } }: Answer): Set<string> {
  return new Set(relations.filter(({ resolved }) => resolved > 0).map(({ from }) => from))
}

function keyOf({ alias, name }: FieldNode): string {
  return (alias ?? name).value
}

function below({ selectionSet }: FieldNode): string {
  return selectionSet ? print(selectionSet) : ''
}

function pairs<T>(all: readonly T[]): [T, T][] {
  return all.flatMap((one, index) => all.slice(index + 1).map((other): [T, T] => [one, other]))
}
