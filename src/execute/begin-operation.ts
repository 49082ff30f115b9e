// An operation from Yoga: checked against rules, budget and rate limit, then made ready for its compiled plan or for
// GraphQL.js.

import type { IncomingMessage } from 'node:http'
import { getOperationAST, getVariableValues, OperationTypeNode, type ExecutionArgs, type GraphQLError } from 'graphql'
import type { Access } from '../auth/access.ts'
import { requestState } from '../auth/request-state.ts'
import { planOperation } from '../plan/plan-operation.ts'
import { policyFromHeaders, seeingOwnWrites } from '../plan/freshness.ts'
import { refusalIn } from '../plan/refused-fields.ts'
import type { OperationContext } from '../store/operation-context.ts'
import { clientError } from '../graphql-errors.ts'
import { isAtomic } from './atomic-execution.ts'
import type { LoopTask } from '../store/running/loop-watch.ts'
import type { ArgumentRefusal } from './arguments/refused-arguments.ts'
import { CompiledQuery } from './compiled/compiled-query.ts'
import { graphqlJsOperation } from './graphql-js.ts'
import type { Operation } from './operation.ts'
import type { OperationsOptions } from './operations.ts'

/** `runs` is false while a subscription only subscribes. */
export function beginOperation(
  options: OperationsOptions, { document, operationName, variableValues, contextValue }: ExecutionArgs, request: Request, runs: boolean,
  operationContextFor: (task: LoopTask) => OperationContext,
): Operation {
  const { schema, declaration, known: operations, strategy, compiles, freshness, observers, record, costs, rules, scopeOf, charge, limits } = options
  const { req: message, params: { query } } = contextValue as { req?: IncomingMessage; params: { query?: string } }
  const scope = scopeOf(request)
  const startMs = performance.now()
  const traced = isTraced(request, options.traces)
  const operation = getOperationAST(document, operationName)!
  const { operation: type } = operation
  const variables = variableValues ?? {}
  const policy = policyFromHeaders((name) => request.headers.get(name))
  const current = freshness()
  const { viewer } = requestState(request)
  const access = rules.accessOf(viewer)
  const known = compiles && !traced && query !== undefined && type !== OperationTypeNode.SUBSCRIPTION ? operations.add(query, operationName ?? undefined, document, operation, message ?? request) : undefined
  const prepared = known && operations.prepareQuery(known, variables, { policy, freshness: current, access })
  const plan = prepared?.planned.plan ?? planOperation({
    schema, declaration, document, operation, variables, freshness: current, naive: strategy === 'naive', access,
    policy: type === OperationTypeNode.MUTATION ? seeingOwnWrites(policy) : policy,
  })
  const refusal = prepared ? undefined : refusalIn(plan, access, schema, declaration)
  if (refusal) return refused(refusal(), runs)
  const subscribes = type === OperationTypeNode.SUBSCRIPTION
  // A subscription was checked against the budget when it began; each event of it costs the same.
  if (!runs || !subscribes) costs.admit({ plan, document, operation }, variables, request)
  // A subscription is charged once, and not for each event.
  if (runs !== subscribes) charge?.(request, message)
  const argumentRefusal = prepared ? prepared.planned.argumentRefusal?.(prepared.variables, access) : refusedArguments(operations.argumentRefusalIn(plan), access, () => getVariableValues(schema, operation.variableDefinitions ?? [], variables, { maxErrors: 1 }).coerced)
  if (argumentRefusal) return refused(argumentRefusal, runs)
  if (isAtomic(operation) && scope.store.supports.atomic !== 'store') throw clientError('ATOMIC_UNSUPPORTED', 'Nothing was written: this store commits only one partition at a time, so it cannot run @atomic mutations. Send the fields without @atomic, or write a mutation of your own for documents of one partition.')
  const operationContext = operationContextFor({ kind: type, name: operation.name?.value })
  const observed = runs ? observers.begin({ request, type, name: operation.name?.value, startMs }) : undefined
  if (prepared) return new CompiledQuery(prepared, { ...(contextValue as object) }, { scope, strategy, access, viewer, observed, operationContext, limits }).forYoga(false)
  const sharedAs = subscribes && !runs ? { sharedAs: JSON.stringify([query, operationName, variables, Object.values(policy).map(String), traced, access?.audience, scope.tenant]) } : {}
  return { ...sharedAs, ...graphqlJsOperation({ declaration, strategy, record, plan, traced, boundMs: current.boundMs, scope, access, viewer, observed, operationContext, limits, atomically: isAtomic(operation) ? operation : undefined }), untilMs: viewer?.untilMs }
}

/** GraphQL.js will report variables that do not fit. */
function refusedArguments(refusal: ArgumentRefusal | undefined, access: Access | undefined, coerce: () => Record<string, unknown> | undefined): GraphQLError | undefined {
  const coerced = refusal && coerce()
  return coerced && refusal(coerced, access)
}

function isTraced(request: Request, byDefault: boolean): boolean {
  const trace = request.headers.get('quire-trace')
  return trace === '1' || (byDefault && trace !== '0')
}

/** An operation that rules refuse does not run, and has no cost report. */
function refused(refusal: GraphQLError, runs: boolean): Operation {
  if (!runs) throw refusal
  return { context: {}, result: { data: null, errors: [refusal] }, end: () => undefined }
}
