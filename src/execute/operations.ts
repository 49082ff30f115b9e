// The operations of one gateway, from the moment they are about to run. Known operations come from the fast path, all
// others from Yoga. The first of these that can answer a query does:
//
//   1. the remembered answer   nothing was written since to what it was read from   (remembered-answers.ts)
//   2. the compiled plan       untraced queries, as long as nothing goes wrong      (compiled-query.ts, compiled/)
//   3. GraphQL.js              everything else, and every error                     (graphql-js.ts)
//
// An operation that began on the fast path and needs GraphQL.js goes on in Yoga with its reads, so nothing is done twice.

import type { IncomingMessage } from 'node:http'
import { execute, getOperationAST, OperationTypeNode, type ExecutionArgs, type GraphQLError, type GraphQLSchema } from 'graphql'
import { arrivalOf, type IncomingRequest } from '../auth/request-state.ts'
import type { Rules } from '../auth/rules.ts'
import type { Observers } from '../observe/observers.ts'
import type { Recorder } from '../observe/workload/recorder.ts'
import type { CostGuard } from '../plan/cost/budget.ts'
import type { Freshness } from '../plan/freshness.ts'
import { planOperation } from '../plan/plan-operation.ts'
import { policyFromHeaders, type ReadPolicy } from '../plan/read-policy.ts'
import { refusalIn } from '../plan/refused-fields.ts'
import type { Strategy } from '../read/loader.ts'
import type { Declaration } from '../relations/declaration.ts'
import { Deadlines } from '../store/deadlines.ts'
import type { MaybePromise } from '../store/maybe-promise.ts'
import { OperationContext } from '../store/operation-context.ts'
import { CompiledQuery } from './compiled-query.ts'
import { graphqlJsOperation } from './graphql-js.ts'
import type { KnownOperation, KnownOperations } from './known-operations.ts'
import { yogaContext, type Asked, type FastAnswer, type Operation } from './operation.ts'
import type { AnswerBody, Answers } from './remembered-answers.ts'
import type { TenantScope } from './tenant-scope.ts'

export interface OperationsOptions {
  readonly schema: GraphQLSchema
  readonly declaration: Declaration
  readonly known: KnownOperations
  readonly answers: Answers
  /** The store, writer and changes for a request. Throws if its tenant cannot be told. */
  readonly scopeOf: (request: IncomingRequest) => TenantScope
  readonly strategy: Strategy
  /** Whether operations are traced unless they say otherwise. */
  readonly traces: boolean
  /** Whether known queries are answered by compiled plans. */
  readonly compiles: boolean
  readonly costs: CostGuard
  readonly freshness: () => Freshness
  readonly rules: Rules
  readonly observers: Observers
  readonly record: Recorder | undefined
  /** Max duration of an operation. */
  readonly deadlineMs: number
  /** Charges the caller before an operation runs. Throws if the caller is over the rate limit. */
  readonly charge: ((request: IncomingRequest, message: IncomingMessage | undefined) => void) | undefined
}

export class Operations {
  readonly #options: OperationsOptions
  readonly #deadlines: Deadlines
  /** Operations that began on the fast path and go on in Yoga. */
  readonly #handedOver = new WeakMap<IncomingMessage, Operation>()

  constructor(options: OperationsOptions) {
    this.#options = options
    this.#deadlines = new Deadlines(options.deadlineMs)
  }

  /** Memory of the caches. */
  get cachedBytes(): KnownOperations['bytes'] & { readonly answers: number } {
    return { ...this.#options.known.bytes, answers: this.#options.answers.bytes }
  }

  /** Whether an operation of this request has begun. Then it must not be refused any more: it may have written something. */
  hasBegun(message: IncomingMessage): boolean {
    return this.#handedOver.has(message)
  }

  /** Answers an operation from the fast path; undefined when Yoga has to. */
  answer(asked: Asked, request: IncomingRequest, message: IncomingMessage): MaybePromise<FastAnswer | undefined> {
    const { known: operations, rules, scopeOf, freshness, observers, answers, strategy } = this.#options
    const known = operations.find(asked.query, asked.operationName)
    if (!known) return undefined
    if (known.operation.operation === OperationTypeNode.MUTATION) return this.#answerMutation(known, asked, request, message)
    const scope = scopeOf(request)
    const access = rules.accessOf(arrivalOf(request).viewer)
    const startMs = performance.now()
    const prepared = operations.prepareQuery(known, asked.variables, { policy: policyOf(request), freshness: freshness(), access }, scope.tenant)
    if (!prepared || !this.#admits(known, prepared.planned.plan, prepared.variables, request)) return undefined
    this.#options.charge?.(request, message)
    const observed = observers.begin({ request, type: OperationTypeNode.QUERY, name: known.operation.name?.value, startMs })
    const remembered = observed ? undefined : answers.find(prepared, false)
    if (remembered) return remembered
    const operationContext = this.#operationContext(request, OperationTypeNode.QUERY, message)
    const query = new CompiledQuery(prepared, answers, prepared.planned.custom ? yogaContext(message, asked) : {}, { scope, strategy, access, observed, operationContext })
    const ended = (body: AnswerBody | undefined): FastAnswer | undefined => {
      if (body === undefined) return this.#handOver(message, query.forYoga(true))
      query.end({ data: {} })
      return { body }
    }
    const running = operationContext.run(() => query.run())
    // After a deadline Yoga finds an operation context that is over, and reports it.
    return running instanceof Promise ? running.catch(nothing).then(ended) : ended(running)
  }

  async #answerMutation(known: KnownOperation, asked: Asked, request: IncomingRequest, message: IncomingMessage): Promise<FastAnswer | undefined> {
    const { known: operations, schema, declaration, strategy, rules, scopeOf, freshness, observers } = this.#options
    const scope = scopeOf(request)
    const access = rules.accessOf(arrivalOf(request).viewer)
    const startMs = performance.now()
    const current = freshness()
    const variables = known.coerceVariables(asked.variables)
    if (!variables) return undefined
    const { plan, refusal } = operations.planned(known, { variables, policy: seeingItself(policyOf(request)), freshness: current, access })
    if (refusal || !this.#admits(known, plan, variables, request)) return undefined
    this.#options.charge?.(request, message)
    const operation = graphqlJsOperation({
      declaration, strategy, scope, access, plan: plan.counted(new Map()), record: undefined, traced: false, boundMs: current.boundMs,
      observed: observers.begin({ request, type: OperationTypeNode.MUTATION, name: known.operation.name?.value, startMs }),
      operationContext: this.#operationContext(request, OperationTypeNode.MUTATION, message),
    })
    const contextValue = Object.assign(yogaContext(message, asked), operation.context)
    const run = () => execute({ schema, document: known.document, operationName: asked.operationName ?? null, variableValues: asked.variables, contextValue })
    const result = await operation.withDeadline(() => (operation.around ? operation.around(run) : run()))
    // From here on the mutation is done, whatever happens. Yoga reports its errors.
    this.#handOver(message, { ...operation, result })
    if (result.errors) return undefined
    void operation.end(result)
    const answer = { body: JSON.stringify(result), headers: operation.headers() }
    // It is answered here. A minor garbage collection keeps alive what a weak map holds, and with it all of the request.
    this.#handedOver.delete(message)
    return answer
  }

  /** Begins an operation that Yoga has parsed and validated. `runs` is false while a subscription only subscribes. */
  begin({ document, operationName, variableValues, contextValue }: ExecutionArgs, request: Request, runs: boolean): Operation {
    const { req, params: { query } } = contextValue as { req?: IncomingMessage; params: { query?: string } }
    const handedOver = req && this.#handedOver.get(req)
    if (handedOver) {
      // Observers know that it has begun.
      arrivalOf(request).begun = true
      return handedOver
    }
    const { schema, declaration, known: operations, answers, strategy, compiles, traces, freshness, observers, record, costs, rules, scopeOf, charge } = this.#options
    const scope = scopeOf(request)
    const startMs = performance.now()
    const trace = request.headers.get('quire-trace')
    const traced = trace === '1' || (traces && trace !== '0')
    const operation = getOperationAST(document, operationName)!
    const { operation: type } = operation
    const variables = variableValues ?? {}
    const [policy, current] = [policyOf(request), freshness()]
    const { viewer } = arrivalOf(request)
    const access = rules.accessOf(viewer)
    const known = compiles && !traced && runs && query !== undefined ? operations.add(query, operationName ?? undefined, document, operation) : undefined
    const prepared = known && operations.prepareQuery(known, variables, { policy, freshness: current, access }, scope.tenant)
    const plan = prepared?.planned.plan ?? planOperation({
      schema, declaration, document, operation, variables, freshness: current, naive: strategy === 'naive', access,
      policy: type === OperationTypeNode.MUTATION ? seeingItself(policy) : policy,
    })
    const refusal = prepared ? undefined : refusalIn(plan, access, schema, declaration)
    if (refusal) return refused(refusal(), runs)
    const subscribes = type === OperationTypeNode.SUBSCRIPTION
    // A subscription was checked against the budget when it began; each event of it costs the same.
    if (!runs || !subscribes) costs.admit({ plan, document, operation }, variables, request)
    // A subscription is charged once, and not for each event.
    if (runs !== subscribes) charge?.(request, req)
    const operationContext = this.#operationContext(request, type, req)
    const observed = runs ? observers.begin({ request, type, name: operation.name?.value, startMs }) : undefined
    if (prepared) return new CompiledQuery(prepared, answers, { ...(contextValue as object) }, { scope, strategy, access, observed, operationContext }).forYoga(false)
    return { ...graphqlJsOperation({ declaration, strategy, record, plan, traced, boundMs: current.boundMs, scope, access, observed, operationContext }), untilMs: viewer?.untilMs }
  }

  /** Yoga refuses what costs too much. */
  #admits({ document, operation }: KnownOperation, plan: Parameters<CostGuard['admits']>[0]['plan'], coerced: Record<string, unknown>, request: IncomingRequest): boolean {
    return this.#options.costs.admits({ plan, document, operation }, coerced, request)
  }

  #handOver(message: IncomingMessage, operation: Operation): undefined {
    this.#handedOver.set(message, operation)
  }

  /** A disconnect cancels a query, never a mutation. */
  #operationContext(request: IncomingRequest, type: OperationTypeNode, message: IncomingMessage | undefined): OperationContext {
    const isGone = type === OperationTypeNode.QUERY && message ? () => message.socket.destroyed : undefined
    return new OperationContext({ id: arrivalOf(request).id, deadlines: this.#deadlines, isGone })
  }
}

function policyOf(request: IncomingRequest): ReadPolicy {
  return policyFromHeaders((name) => request.headers.get(name))
}

/** The answer of a mutation includes what it wrote, which snapshots may not include yet. */
function seeingItself(policy: ReadPolicy): ReadPolicy {
  return { ...policy, seenMs: Infinity }
}

/** An operation that rules refuse does not run, and has no cost report. */
function refused(refusal: GraphQLError, runs: boolean): Operation {
  if (!runs) throw refusal
  return { context: {}, result: { data: null, errors: [refusal] }, end: nothing }
}

const nothing = (): undefined => undefined
