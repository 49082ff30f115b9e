// A known mutation from the fast path, which GraphQL.js executes without Yoga.

import type { IncomingMessage } from 'node:http'
import { execute, OperationTypeNode, type ExecutionResult } from 'graphql'
import { requestState, type IncomingRequest } from '../auth/request-state.ts'
import { policyFromHeaders, seeingOwnWrites } from '../plan/freshness.ts'
import type { OperationContext } from '../store/operation-context.ts'
import { measuredProperty } from './answer/answer-size.ts'
import { graphqlJsOperation, type GraphqlJsOperation } from './graphql-js.ts'
import type { KnownOperation } from './operation-cache.ts'
import { yogaContext, type OperationRequest } from './operation.ts'
import type { OperationsOptions } from './operations.ts'

/** Undefined when Yoga has to report why it cannot run. */
export async function executeMutation(
  { known: operations, schema, declaration, strategy, rules, scopeOf, freshness, observers, costs, charge, limits }: OperationsOptions,
  known: KnownOperation, asked: OperationRequest, request: IncomingRequest, message: IncomingMessage, createOperationContext: () => OperationContext,
): Promise<{ readonly operation: GraphqlJsOperation; readonly result: ExecutionResult } | undefined> {
  const { document, operation: node } = known
  const scope = scopeOf(request)
  const { viewer } = requestState(request)
  const access = rules.accessOf(viewer)
  const startMs = performance.now()
  const current = freshness()
  const policy = seeingOwnWrites(policyFromHeaders((name) => request.headers.get(name)))
  const variables = known.coerceVariables(asked.variables)
  if (!variables) return undefined
  const { plan, refusal, argumentRefusal } = operations.planned(known, { variables, policy, freshness: current, access }, asked.variables)
  if (refusal || argumentRefusal?.(variables, access) || !costs.admits({ plan, document, operation: node }, variables, request)) return undefined
  charge?.(request, message)
  const operation = graphqlJsOperation({
    declaration, strategy, scope, access, viewer, limits, operationContext: createOperationContext(), plan: plan.copy(), record: undefined, traced: false, boundMs: current.boundMs,
    observed: observers.begin({ request, type: OperationTypeNode.MUTATION, name: node.name?.value, startMs }),
  })
  const contextValue = Object.assign(yogaContext(message, asked), operation.context)
  const run = () => execute({ schema, document, operationName: asked.operationName ?? null, variableValues: asked.variables, contextValue, fieldResolver: measuredProperty })
  return { operation, result: await operation.withDeadline(() => (operation.around ? operation.around(run) : run())) }
}
