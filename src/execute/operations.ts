// Operations of one gateway, from the moment they are about to run: what their resolvers find in the context,
// who is told of them, and what they say of themselves. GraphQL.js runs what is traced, recorded, written or
// subscribed to; every other query is answered by its compiled plan, if that can. Those that come the short way
// and turn out to be unusual go the long way with what they have so far: nothing is done twice.

import type { IncomingMessage } from 'node:http'
import { execute, getOperationAST, OperationTypeNode, type ExecutionArgs, type ExecutionResult, type GraphQLError, type GraphQLSchema } from 'graphql'
import { createCostReport, type CostReport } from '../observe/cost-report.ts'
import type { ChangeEvent } from '../feed/change-stream.ts'
import type { Freshness } from '../plan/freshness.ts'
import type { AnswerBody, Answers } from './compiled/remembered-answers.ts'
import { KnownOperations, type KnownOperation } from './known-operations.ts'
import { CompiledRunner, type Prepared } from './compiled/compiled-runner.ts'
import type { Steps } from './compiled/steps.ts'
import type { Declaration } from '../relations/declaration.ts'
import type { CostGuard } from '../plan/cost/budget.ts'
import type { Access } from '../auth/access.ts'
import type { Rules } from '../auth/rules.ts'
import { Calls } from '../read/call-log.ts'
import { ReadLog } from '../read/read-log.ts'
import type { Strategy } from '../read/loader.ts'
import { Reads } from '../read/reads.ts'
import { createMutate, refuseToMutate } from '../write/mutations.ts'
import type { Observed, Observers } from '../observe/observers.ts'
import { arrivalOf, type IncomingRequest } from '../auth/request-state.ts'
import { timelyOf } from './timely.ts'
import { planOperation } from '../plan/plan-operation.ts'
import type { Plan, PlanNode } from '../plan/plan.ts'
import type { Operation } from './operation.ts'
import { refusalIn } from '../plan/refused-fields.ts'
import { policyFromHeaders, sessionToken, type ReadPolicy } from '../plan/read-policy.ts'
import { contextOf, type Asked, type FastAnswer } from './operation.ts'
import { Deadlines } from '../store/deadlines.ts'
import { OperationContext } from '../store/operation-context.ts'
import type { MaybePromise } from '../store/maybe-promise.ts'
import type { TenantScope } from './tenant-scope.ts'
import type { Recorder } from '../observe/workload/recorder.ts'

export interface OperationsOptions {
  readonly schema: GraphQLSchema
  readonly declaration: Declaration
  readonly steps: Steps
  /** What there is for whoever asks. Throws where nothing is. */
  readonly shareOf: (request: IncomingRequest) => TenantScope
  /** Whether documents that have not changed are the same objects. */
  readonly sameObjects: boolean
  readonly strategy: Strategy
  /** Whether every operation is traced unless it says otherwise. */
  readonly traces: boolean
  /** Whether known queries are answered by compiled plans. */
  readonly compiles: boolean
  readonly planBytes: number
  readonly answers: Answers
  /** Refuses what could cost too much. */
  readonly costs: CostGuard
  readonly freshness: () => Freshness
  readonly rules: Rules
  readonly observers: Observers
  readonly record: Recorder | undefined
  /** How long an operation may take. */
  readonly deadlineMs: number
  /** Before an operation runs: throws what is answered to whoever has asked for too much. */
  readonly charge: ((request: IncomingRequest, message: IncomingMessage | undefined) => void) | undefined
}

export class Operations {
  readonly #options: OperationsOptions
  readonly #known: KnownOperations
  readonly #answers: Answers
  readonly #quickly: CompiledRunner
  readonly #deadlines: Deadlines
  /** What has come the short way and goes on the long one. */
  readonly #goingOn = new WeakMap<IncomingMessage, Operation>()

  constructor(options: OperationsOptions) {
    const { schema, declaration, steps, planBytes, answers, freshness } = options
    this.#options = options
    this.#known = new KnownOperations({ schema, declaration, steps, sameObjects: options.sameObjects, bytes: planBytes })
    this.#answers = answers
    this.#quickly = new CompiledRunner(this.#known, answers, freshness)
    this.#deadlines = new Deadlines(options.deadlineMs)
  }

  /** What is kept in memory to be quicker. */
  get cachedBytes(): KnownOperations['bytes'] & { readonly answers: number } {
    return { ...this.#known.bytes, answers: this.#answers.bytes }
  }

  /** Whether an operation of this request has begun: then it is not refused any more, for something may be written. */
  hasBegun(message: IncomingMessage): boolean {
    return this.#goingOn.has(message)
  }

  /** One that Yoga has parsed and validated; what only subscribes runs nothing. */
  begin({ document, operationName, variableValues, contextValue }: ExecutionArgs, request: Request, runs: boolean): Operation {
    const { schema, declaration, strategy, compiles, traces, freshness, observers, record, costs, rules, shareOf } = this.#options
    const { req, params: { query } } = contextValue as { req?: IncomingMessage; params: { query?: string } }
    const goingOn = req && this.#goingOn.get(req)
    if (goingOn) {
      // Observers have been told that it has begun.
      arrivalOf(request).begun = true
      return goingOn
    }
    const share = shareOf(request)
    const startMs = performance.now()
    const trace = request.headers.get('quire-trace')
    const traced = trace === '1' || (traces && trace !== '0')
    const operation = getOperationAST(document, operationName)!
    const policy = policyFromHeaders((name) => request.headers.get(name))
    const { viewer } = arrivalOf(request)
    const access = rules.accessOf(viewer)
    const known = compiles && !traced && runs && query !== undefined ? this.#known.add(query, operationName ?? undefined, document, operation) : undefined
    const quick = known && this.#quickly.prepare(known, variableValues ?? {}, policy, access, share.tenant)
    const seen = freshness()
    const plan = quick ? undefined : planOperation({ schema, declaration, document, operation, variables: variableValues ?? {}, policy: seenBy(operation.operation, policy), freshness: seen, naive: strategy === 'naive', access })
    const refusal = plan && refusalIn(plan, access, schema, declaration)
    if (refusal) return refused(refusal(), runs)
    // A subscription has been held against the budget when it began, and every event of it costs the same.
    if (!runs || operation.operation !== OperationTypeNode.SUBSCRIPTION) costs.admit({ plan: quick?.planned.plan ?? plan!, document, operation }, variableValues ?? {}, request)
    // Whoever subscribes is charged for that, and not for every event.
    if (runs !== (operation.operation === OperationTypeNode.SUBSCRIPTION)) this.#options.charge?.(request, req)
    const operationContext = this.#operationContext(request, operation.operation, req)
    const observed = runs ? observers.begin({ request, type: operation.operation, name: operation.name?.value, startMs }) : undefined
    if (quick) return this.#quick(quick, { ...(contextValue as object) }, { share, observed, access, operationContext }).operation()
    return { ...this.#slow(plan!, traced || record ? new ReadLog() : undefined, traced, seen.boundMs, { share, observed, access, operationContext }), untilMs: viewer?.untilMs }
  }

  /** One that has come the short way; undefined when it has to take the long one. */
  answer(asked: Asked, request: IncomingRequest, message: IncomingMessage): MaybePromise<FastAnswer | undefined> {
    const known = this.#known.find(asked.query, asked.operationName)
    if (!known) return undefined
    const share = this.#options.shareOf(request)
    const type = known.operation.operation
    const policy = seenBy(type, policyFromHeaders((name) => request.headers.get(name)))
    const access = this.#options.rules.accessOf(arrivalOf(request).viewer)
    const begun = { request, type, name: known.operation.name?.value, startMs: performance.now() }
    if (type === OperationTypeNode.MUTATION) return this.#answerMutation(share, known, asked, policy, access, request, message, () => this.#options.observers.begin(begun))
    const prepared = this.#quickly.prepare(known, asked.variables, policy, access, share.tenant)
    if (!prepared || !this.#admits(known, prepared.planned.plan, prepared.variables, request)) return undefined
    this.#options.charge?.(request, message)
    const observed = this.#options.observers.begin(begun)
    const again = observed ? undefined : this.#quickly.again(prepared)
    if (again !== undefined) return { body: again }
    const operationContext = this.#operationContext(request, type, message)
    const quick = this.#quick(prepared, prepared.planned.custom ? contextOf(message, asked) : {}, { share, observed, access, operationContext })
    const ended = (body: AnswerBody | undefined): FastAnswer | undefined => {
      if (body === undefined) return this.#goOn(message, quick.givenUp())
      quick.end({ data: {} })
      return { body }
    }
    const running = operationContext.run(quick.run)
    // Yoga comes upon an operationContext that is over, and knows how to say it.
    return running instanceof Promise ? running.catch(nothing).then(ended) : ended(running)
  }

  async #answerMutation(share: TenantScope, known: KnownOperation, asked: Asked, policy: ReadPolicy, access: Access | undefined, request: IncomingRequest, message: IncomingMessage, observe: () => Observed | undefined): Promise<FastAnswer | undefined> {
    const { schema, freshness } = this.#options
    const seen = freshness()
    const variables = this.#known.variables(known, asked.variables)
    if (!variables) return undefined
    const { plan, refusal } = this.#known.planned(known, { variables, policy, freshness: seen, access })
    if (refusal || !this.#admits(known, plan, variables, request)) return undefined
    this.#options.charge?.(request, message)
    const operation = this.#slow(plan.counted(new Map()), undefined, false, seen.boundMs, { share, observed: observe(), access, operationContext: this.#operationContext(request, OperationTypeNode.MUTATION, message) })
    const contextValue = Object.assign(contextOf(message, asked), operation.context)
    const run = () => execute({ schema, document: known.document, operationName: asked.operationName ?? null, variableValues: asked.variables, contextValue })
    const result = await operation.timely!(() => (operation.around ? operation.around(run) : run()))
    // What went wrong is for the long way to say. What was done is done, whatever happens from here on.
    this.#goOn(message, { ...operation, result })
    if (result.errors) return undefined
    void operation.end(result)
    const answer = { body: JSON.stringify(result), headers: operation.headers!() }
    // It is answered here. Small collections of garbage take what a weak map holds for alive, and with it all of the request.
    this.#goingOn.delete(message)
    return answer
  }

  /** What costs too much is for the long way to refuse. */
  #admits({ document, operation }: KnownOperation, plan: Plan, coerced: Record<string, unknown>, request: IncomingRequest): boolean {
    return this.#options.costs.admits({ plan, document, operation }, coerced, request)
  }

  #goOn(message: IncomingMessage, operation: Operation): undefined {
    this.#goingOn.set(message, operation)
  }

  #slow(plan: Plan, readLog: ReadLog | undefined, traced: boolean, boundMs: number, { share, observed, access, operationContext }: Asking): Operation {
    const { declaration, strategy, record } = this.#options
    const { store, writer } = share
    const calls = readLog ?? (observed?.end && new Calls())
    const reads = new Reads(store, strategy, readLog, calls, access)
    let writtenMs = 0
    const mutate = createMutate(writer, reads, async () => (writtenMs = (await store.now()).latest))
    return {
      ...aroundOf(observed),
      timely: timelyOf(operationContext),
      context: contextFor(share, plan, reads, mutate),
      headers: () => (writtenMs > 0 ? { 'quire-session': sessionToken(writtenMs) } : {}),
      end: ({ errors = [], data }, event) => {
        if (readLog) record?.operation(declaration, plan, readLog, strategy === 'naive')
        const account = traced && readLog ? createCostReport(readLog, plan, store, boundMs) : undefined
        const told = observed?.end && ((known?: CostReport) => observed.end!({ plan, calls: calls!.calls, errors, answered: Boolean(data), account: known }))
        // Before the answer goes out, with the account if there is one.
        if (!account) told?.()
        else if (told) account.then(told, () => told())
        return saidOf(account, event as Partial<ChangeEvent> | undefined)
      },
    }
  }

  #quick(prepared: Prepared, context: object, { share, observed, access, operationContext }: Asking): Quick {
    const { planned: { plan } } = prepared
    const { reads, calls, counts } = this.#counting(share, observed, access)
    const quick = () => this.#quickly.answer(prepared, Object.assign(context, contextFor(share, plan, reads)), counts)
    let ran = plan
    const end: Quick['end'] = ({ errors = [], data }) => {
      observed?.end?.({ plan: ran === plan && counts ? plan.counted(counts) : ran, calls: calls!.calls, errors, answered: Boolean(data), account: undefined })
      return undefined
    }
    const operation = (first: () => MaybePromise<AnswerBody | undefined>): Operation => {
      // GraphQL.js remembers in a plan where it is and what it has resolved, so it gets one of its own.
      const own = plan.counted(new Map())
      const orElse = async () => {
        const body = await first()
        if (body !== undefined) return String(body)
        ran = own
        // It asks field by field, whatever the plan did.
        reads.oneAtATime = false
        return undefined
      }
      return { ...aroundOf(observed), timely: timelyOf(operationContext), context: contextFor(share, own, reads), quick: orElse, end }
    }
    return {
      run: observed?.around ? () => observed.around!(quick) : quick,
      end,
      operation: () => operation(quick),
      givenUp: () => operation(nothing),
    }
  }

  /** Whoever hangs up needs no answer; what he has asked to be written is written all the same. */
  #operationContext(request: IncomingRequest, type: OperationTypeNode, message: IncomingMessage | undefined): OperationContext {
    const isGone = type === OperationTypeNode.QUERY && message ? () => message.socket.destroyed : undefined
    return new OperationContext({ id: arrivalOf(request).id, deadlines: this.#deadlines, isGone })
  }

  /** Round trips and rows are counted where somebody wants to know. */
  #counting({ store }: TenantScope, observed: Observed | undefined, access: Access | undefined) {
    const calls = observed?.end && new Calls()
    return { calls, reads: new Reads(store, this.#options.strategy, undefined, calls, access), counts: observed?.rows ? new Map<PlanNode, number>() : undefined }
  }
}

/** What resolvers find. */
function contextFor({ changes }: TenantScope, plan: Plan, reads: Reads, mutate = refuseToMutate) {
  return { quire: { plan, reads, changes: changes.seenBy(reads.access), mutate } }
}

const nothing = (): undefined => undefined

/** What of the store an operation is for, who watches it, what it may see, and how long it may take. */
interface Asking {
  readonly share: TenantScope
  readonly observed: Observed | undefined
  readonly access: Access | undefined
  readonly operationContext: OperationContext
}

/** A query that a compiled plan answers, or GraphQL.js if that gives up. */
interface Quick {
  readonly run: () => MaybePromise<AnswerBody | undefined>
  readonly end: (answer: ExecutionResult) => undefined
  /** The same for Yoga. */
  readonly operation: () => Operation
  /** What is left for Yoga when that has happened. */
  readonly givenUp: () => Operation
}

/** What rules refuse never runs, and has nothing to say of itself. */
function refused(refusal: GraphQLError, runs: boolean): Operation {
  if (!runs) throw refusal
  return { context: {}, result: { data: null, errors: [refusal] }, end: () => undefined }
}

/** What a mutation answers has seen that mutation, which copies that follow later have not. */
function seenBy(type: OperationTypeNode, policy: ReadPolicy): ReadPolicy {
  return type === OperationTypeNode.MUTATION ? { ...policy, seenMs: Infinity } : policy
}

function aroundOf(observed: Observed | undefined): Pick<Operation, 'around'> {
  return observed?.around ? { around: observed.around } : {}
}

/** What an answer says beside its data: its account, where it is traced, and where an event stands. */
function saidOf(account: Promise<object> | undefined, event: Partial<ChangeEvent> | undefined): Promise<Record<string, unknown>> | undefined {
  if (!event?.cursor) return account?.then((quire) => ({ quire }))
  return Promise.resolve(account).then((quire) => ({ quire: { ...quire, cursor: event.cursor } }))
}
