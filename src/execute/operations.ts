// The operations of one gateway, from the moment they are about to run. Plain requests come from the fast path, all others
// from Yoga. The first of these that can answer a query does:
//
//   1. the compiled plan       untraced queries, as long as nothing goes wrong      (compiled-query.ts, compiled/)
//   2. GraphQL.js              everything else, and every error                     (graphql-js.ts)
//
// An operation that began on the fast path and needs GraphQL.js goes on in Yoga with its reads, so nothing is done twice.

import type { IncomingMessage } from 'node:http'
import { OperationTypeNode, type ExecutionArgs, type GraphQLSchema } from 'graphql'
import type { Clock } from '../clock.ts'
import { continueRequest, requestState, type IncomingRequest } from '../auth/request-state.ts'
import type { Rules } from '../auth/rules.ts'
import type { Observers } from '../observe/observers.ts'
import type { Recorder } from '../observe/workload/recorder.ts'
import type { CostGuard } from '../plan/cost/budget.ts'
import { policyFromHeaders, type Freshness } from '../plan/freshness.ts'
import type { Strategy } from '../read/loader.ts'
import type { Declaration } from '../relations/declaration.ts'
import { Deadlines } from '../store/timing/deadlines.ts'
import type { MaybePromise } from '../store/maybe-promise.ts'
import { OperationContext } from '../store/operation-context.ts'
import type { AnswerLimits } from './answer/answer-too-large.ts'
import { isAtomic } from './atomic-execution.ts'
import type { LoopTask } from '../store/running/loop-watch.ts'
import { beginOperation } from './begin-operation.ts'
import { CompiledQuery } from './compiled/compiled-query.ts'
import { executeMutation } from './execute-mutation.ts'
import type { KnownOperation, OperationCache } from './operation-cache.ts'
import { yogaContext, type OperationRequest, type FastAnswer, type Operation, type ReadDocument } from './operation.ts'
import type { TenantScope } from './tenant-scope.ts'

export interface OperationsOptions {
  readonly schema: GraphQLSchema
  readonly declaration: Declaration
  readonly known: OperationCache
  /** The store, writer and changes for a request. Throws if its tenant cannot be told. */
  readonly scopeOf: (request: IncomingRequest) => TenantScope
  readonly strategy: Strategy
  /** Whether operations are traced unless they say otherwise. */
  readonly traces: boolean
  /** Whether known queries are answered by compiled plans. */
  readonly compiles: boolean
  /** Whether the schema's own resolvers find more in their context than the fast path has. */
  readonly extendsContext: boolean
  readonly costs: CostGuard
  /** Throws if the documents that this gateway reads are not the current ones any more; a promise while that is being found out. */
  readonly checkRead: () => MaybePromise<void>
  readonly freshness: () => Freshness
  readonly rules: Rules
  readonly observers: Observers
  readonly record: Recorder | undefined
  /** Max duration of an operation. */
  readonly deadlineMs: number
  /** How large an answer may become. */
  readonly limits: AnswerLimits
  readonly clock: Clock | undefined
  /** Charges the caller before an operation runs. Throws if the caller is over the rate limit. */
  readonly charge: ((request: IncomingRequest, message: IncomingMessage | undefined) => void) | undefined
}

export class Operations {
  readonly #options: OperationsOptions
  readonly #deadlines: Deadlines
  /** Operations that began on the fast path and go on in Yoga. */
  readonly #handedOver = new WeakMap<IncomingMessage, { readonly operation: Operation; readonly request: IncomingRequest }>()

  constructor(options: OperationsOptions) {
    this.#options = options
    this.#deadlines = new Deadlines(options.deadlineMs, options.clock)
  }

  /** Answers an operation from the fast path; undefined when Yoga has to. */
  answer(asked: OperationRequest, request: IncomingRequest, message: IncomingMessage, read: ReadDocument): MaybePromise<FastAnswer | undefined> {
    if (this.ready() instanceof Promise) return undefined
    const known = this.#options.known.findOrRead(asked.query, asked.operationName, message, read)
    if (!known) return undefined
    return known.operation.operation === OperationTypeNode.MUTATION ? this.#answerMutation(known, asked, request, message) : this.#answerQuery(known, asked, request, message)
  }

  #answerQuery(known: KnownOperation, asked: OperationRequest, request: IncomingRequest, message: IncomingMessage): MaybePromise<FastAnswer | undefined> {
    const { known: operations, rules, scopeOf, freshness, observers, strategy, costs, charge, limits } = this.#options
    const { document, operation } = known
    const scope = scopeOf(request)
    const { viewer } = requestState(request)
    const access = rules.accessOf(viewer)
    const startMs = performance.now()
    const policy = policyFromHeaders((name) => request.headers.get(name))
    const prepared = operations.prepareQuery(known, asked.variables, { policy, freshness: freshness(), access })
    // Yoga refuses what costs too much, and arguments.
    if (!prepared || prepared.planned.argumentRefusal?.(prepared.variables, access) || (prepared.planned.custom && this.#options.extendsContext) || !costs.admits({ plan: prepared.planned.plan, document, operation }, prepared.variables, request)) return undefined
    charge?.(request, message)
    const observed = observers.begin({ request, type: OperationTypeNode.QUERY, name: operation.name?.value, startMs })
    const operationContext = this.#operationContext(request, known.task, message)
    const query = new CompiledQuery(prepared, prepared.planned.custom ? yogaContext(message, asked) : {}, { scope, strategy, access, viewer, observed, operationContext, limits })
    const ended = (body: string | undefined): FastAnswer | undefined => {
      if (body === undefined) {
        this.#handedOver.set(message, { operation: query.forYoga(true), request })
        return undefined
      }
      query.end({ data: {} })
      return { body }
    }
    const running = operationContext.run(() => query.run())
    // After a deadline Yoga finds an operation context that is over, and reports it.
    return running instanceof Promise ? running.catch(nothing).then(ended) : ended(running)
  }

  async #answerMutation(known: KnownOperation, asked: OperationRequest, request: IncomingRequest, message: IncomingMessage): Promise<FastAnswer | undefined> {
    if (isAtomic(known.operation) || this.#options.extendsContext) return undefined
    const executed = await executeMutation(this.#options, known, asked, request, message, () => this.#operationContext(request, known.task, message))
    if (!executed) return undefined
    const { operation, result } = executed
    // From here on the mutation is done, whatever happens. Yoga reports its errors.
    this.#handedOver.set(message, { operation: { ...operation, result }, request })
    if (result.errors) return undefined
    void operation.end(result)
    const answer = { body: JSON.stringify(result), headers: operation.headers() }
    // It is answered here. A minor garbage collection keeps alive what a weak map holds, and with it all of the request.
    this.#handedOver.delete(message)
    return answer
  }

  /** An operation begins only once it is certain that this gateway serves the current documents. */
  ready(): MaybePromise<void> {
    const checked = this.#options.checkRead()
    // Callers that await it get the error.
    if (checked instanceof Promise) checked.catch(nothing)
    return checked
  }

  /** Begins an operation that Yoga has parsed and validated. `runs` is false while a subscription only subscribes. */
  begin(args: ExecutionArgs, request: Request, runs: boolean): Operation {
    const { req: message } = args.contextValue as { req?: IncomingMessage }
    const handedOver = message && this.#handedOver.get(message)
    if (!handedOver) return beginOperation(this.#options, args, request, runs, (task) => this.#operationContext(request, task, message))
    // Observers know it by the request of the fast path.
    continueRequest(handedOver.request, request)
    requestState(request).begun = true
    return handedOver.operation
  }

  /** Whether an operation of this request has begun. Then it must not be refused any more: it may have written something. */
  hasBegun(message: IncomingMessage): boolean {
    return this.#handedOver.has(message)
  }

  /** The max cost of an operation in RU, if it was planned before with pages of the same sizes. Nothing is parsed or planned for it. */
  plannedCharge({ query, operationName, variables }: OperationRequest): number | undefined {
    const known = this.#options.known.find(query, operationName)
    return known && this.#options.costs.knownCharge(known.document, variables)
  }

  /** Memory of the caches. */
  get cachedBytes(): OperationCache['bytes'] {
    return this.#options.known.bytes
  }

  /** A disconnect cancels a query, never a mutation. */
  #operationContext(request: IncomingRequest, task: LoopTask, message: IncomingMessage | undefined): OperationContext {
    const isGone = task.kind === 'query' && message ? () => message.socket.destroyed : undefined
    return new OperationContext({ id: requestState(request).id, task, deadlines: this.#deadlines, isGone })
  }
}

const nothing = (): undefined => undefined
