// Executes `mutation @atomic`. GraphQL.js resolves the fields of a mutation one after the other, each with everything below it, so the
// first would have to be committed before the second begins. Here they are resolved side by side, as those of a query are: each hands in
// its unit of work, and what is below them is resolved after the one commit (write/atomic-mutation.ts).

import { defaultFieldResolver, execute, GraphQLObjectType, GraphQLSchema, OperationTypeNode, type ExecutionArgs, type ExecutionResult, type GraphQLFieldConfigMap, type OperationDefinitionNode } from 'graphql'
import type { Plan } from '../plan/plan.ts'
import type { AtomicMutation } from '../write/atomic-mutation.ts'

interface AtomicContext {
  readonly quire: { readonly atomic: AtomicMutation }
}

export function isAtomic({ operation, directives = [] }: OperationDefinitionNode): boolean {
  return operation === OperationTypeNode.MUTATION && directives.some(({ name }) => name.value === 'atomic')
}

/** `args` are those of the mutation as it was sent. */
export function executeAtomically(args: ExecutionArgs, operation: OperationDefinitionNode, plan: Plan): ExecutionResult | Promise<ExecutionResult> {
  const definitions = args.document.definitions.map((node) => (node === operation ? { ...operation, operation: OperationTypeNode.SUBSCRIPTION } : node))
  const running = execute({ ...args, schema: sideBySide(args.schema), document: { ...args.document, definitions } })
  const fields = [...plan.roots.values()].filter(({ coordinate }) => !coordinate.endsWith('.__typename'))
  ;(args.contextValue as AtomicContext).quire.atomic.begun(fields.length)
  return running
}

const made = new WeakMap<GraphQLSchema, GraphQLSchema>()

/** The same schema with its mutations in the place of subscriptions, whose fields GraphQL.js executes like those of a query. */
function sideBySide(schema: GraphQLSchema): GraphQLSchema {
  let known = made.get(schema)
  if (!known) {
    const { types, ...config } = schema.toConfig()
    const mutation = schema.getMutationType()!
    const replaced = new Set([mutation, schema.getSubscriptionType()])
    known = new GraphQLSchema({ ...config, types: types.filter((type) => !replaced.has(type as GraphQLObjectType)), mutation: null, subscription: tracked(mutation), assumeValid: true })
    made.set(schema, known)
  }
  return known
}

function tracked(mutation: GraphQLObjectType): GraphQLObjectType {
  const { fields, ...config } = mutation.toConfig()
  const resolving: GraphQLFieldConfigMap<unknown, AtomicContext> = Object.fromEntries(Object.entries(fields).map(([name, { resolve = defaultFieldResolver, ...field }]) => [
    name, { ...field, resolve: (source: unknown, args: Record<string, unknown>, context: AtomicContext, info) => context.quire.atomic.resolve(info, () => resolve(source, args, context, info)) },
  ]))
  return new GraphQLObjectType({ ...config, fields: resolving })
}
