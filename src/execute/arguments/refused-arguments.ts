// The arguments of lists and aggregates within documents, judged before an operation reads anything: a filter or an order that the viewer
// may not use, or that no index has, refuses the operation even where there are no parents. Their resolvers judge them the same way.
// Cursors belong to a parent, so the resolvers judge pages.

import { GraphQLError, isObjectType, type GraphQLField, type GraphQLSchema } from 'graphql'
import type { Access } from '../../auth/access.ts'
import { allFields } from '../../model/model.ts'
import { aggregateFields, type AggregateArguments } from '../../plan/aggregates.ts'
import { narrows, nestedList, type NestedArguments } from '../../plan/nested-list.ts'
import type { Plan, PlanNode } from '../../plan/plan.ts'
import type { Declaration } from '../../relations/declaration.ts'
import { argumentsOf } from './variables.ts'

/** The error for the first refused arguments of one plan. `variables` are coerced. */
export type ArgumentRefusal = (variables: Record<string, unknown>, access: Access | undefined) => GraphQLError | undefined

interface Judge {
  /** Throws if the arguments cannot be used. */
  readonly judge: (args: never, node: PlanNode, access: Access | undefined) => unknown
  /** Whether a field without arguments can be refused. */
  readonly alwaysJudges: boolean
}

/** Undefined for a plan without such arguments. `custom` are the fields with resolvers of the schema's own, which have arguments of their own. */
export function createArgumentRefusals(declaration: Declaration, schema: GraphQLSchema, custom: ReadonlySet<string>): (plan: Plan) => ArgumentRefusal | undefined {
  const judges = judgesOf(declaration)
  return (plan) => {
    const judged = [...plan.all()].flatMap((node) => {
      const judge = custom.has(node.coordinate) ? undefined : judges.get(node.coordinate)
      const field = judge && fieldOf(schema, node.coordinate)
      // What an aggregate measures is selected, not given.
      return field && (judge.alwaysJudges || node.written[0]!.arguments?.length) ? [{ node, judge: judge.judge, argumentsFrom: argumentsOf(field, node.written[0]!) }] : []
    })
    if (judged.length === 0) return undefined
    return (variables, access) => {
      for (const { node, judge, argumentsFrom } of judged) {
        try {
          judge(argumentsFrom(variables) as never, node, access)
        } catch (error) {
          // Every other error is the resolver's to report.
          if (error instanceof GraphQLError && error.extensions['code'] !== undefined) return new GraphQLError(error.message, { nodes: node.written, extensions: error.extensions })
        }
      }
      return undefined
    }
  }
}

function judgesOf(declaration: Declaration): ReadonlyMap<string, Judge> {
  const lists = allFields(declaration.model).flatMap((field): [string, Judge][] => {
    const list = nestedList(field, declaration)
    if (!list) return []
    const judge = (args: NestedArguments, { choice, filtering }: PlanNode, access: Access | undefined): unknown => {
      if (!narrows(args, field.shape === 'connection')) return undefined
      return choice?.from === 'SNAPSHOT' ? list.askCopies(args, access) : list.ask(args, access, filtering)
    }
    return [[field.coordinate, { judge, alwaysJudges: false }]]
  })
  const aggregates = [...aggregateFields(declaration)].filter(([, { belonging }]) => belonging)
    .map(([coordinate, { asked }]): [string, Judge] => [coordinate, { judge: (args: AggregateArguments, node, access) => asked(args, node, access), alwaysJudges: true }])
  return new Map([...lists, ...aggregates])
}

function fieldOf(schema: GraphQLSchema, coordinate: string): GraphQLField<unknown, unknown> | undefined {
  const [typeName = '', name = ''] = coordinate.split('.')
  const type = schema.getType(typeName)
  return isObjectType(type) ? type.getFields()[name] : undefined
}
