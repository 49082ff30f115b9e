// Gives every operation its context, executes it, and puts its `extensions` into the answer. `execute/operations.ts`
// decides what those are.

import { createSourceEventStream, execute, GraphQLError, type ExecutionArgs, type ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { measuredProperty } from '../../execute/answer/answer-size.ts'
import type { Operation } from '../../execute/operation.ts'
import { clientError } from '../../graphql-errors.ts'
import { whenReady, type MaybePromise } from '../../store/maybe-promise.ts'
import { expired, untilExpired } from '../../auth/until-expired.ts'
import { observedContext, SharedEvents, type EventAnswer } from '../subscriptions/shared-events.ts'

/** `runs` is false while a subscription only subscribes: nothing is executed, and nothing ends. */
export type Begin = (args: ExecutionArgs, request: Request, runs: boolean) => Operation

export interface RunOptions {
  /** Whether errors in variables leave out suggestions of names. */
  readonly hideSuggestions?: boolean
  /** What has to be waited for before an operation begins. */
  readonly ready?: () => MaybePromise<void>
  /** Runs an event of a subscription when it is its turn. */
  readonly inTurn?: <T>(run: () => Promise<T>) => Promise<T>
}

/** A few errors in variables are enough: each takes as long as the value that it shows, and variables may have thousands. */
const always: Pick<ExecutionArgs, 'fieldResolver' | 'options'> = { fieldResolver: measuredProperty, options: { maxCoercionErrors: 5 } }

export function useOperation(begin: Begin, { inTurn = (run) => run(), ready = () => undefined, ...how }: RunOptions = {}): Plugin {
  const operations = new WeakMap<Request, Operation>()
  const shared = new SharedEvents()
  return {
    onResponse({ request, response }) {
      const headers = operations.get(request)?.headers?.() ?? {}
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
      // A minor garbage collection keeps what a weak map holds.
      operations.delete(request)
    },
    onExecute: ({ args, extendContext, setExecuteFn, setResultAndStopExecution }) => whenReady(ready(), () => {
      const { request } = args.contextValue as { request: Request }
      const operation = orError(() => begin(args, request, true))
      if (operation instanceof GraphQLError) {
        setResultAndStopExecution({ errors: [operation] })
        return undefined
      }
      operations.set(request, operation)
      extendContext(operation.context)
      const { compiled, result: known, execute: executes = execute, around = (run) => run(), withDeadline = (run) => run() } = operation
      // GraphQL.js itself, which compiled plans are tested against, and not Yoga's own executor.
      setExecuteFn((executed: ExecutionArgs) => known ?? withDeadline(() => around(async () => resultOf(await compiled?.()) ?? executes({ ...executed, ...how, ...always }))))
      return {
        async onExecuteDone({ result, setResult }) {
          const answer = result as ExecutionResult
          setResult(await withExtensions(answer, operation.end(answer)))
        },
      }
    }),
    // Each event is an operation with its own reads and its own cost report.
    onSubscribe: ({ args, extendContext, setSubscribeFn, setResultAndStopExecution }) => whenReady(ready(), () => {
      const { request } = args.contextValue as { request: Request }
      const subscribing = orError(() => begin(args, request, false))
      if (subscribing instanceof GraphQLError) {
        setResultAndStopExecution({ errors: [subscribing] })
        return
      }
      extendContext(subscribing.context)
      setSubscribeFn(async (subscribed: ExecutionArgs) => {
        const events = await createSourceEventStream({ ...subscribed, ...how, ...always })
        if (!(Symbol.asyncIterator in events)) return events
        const inOwnTurn = (event: unknown) => inTurn(async () => {
          await ready()
          return executeEvent(event, subscribed, begin(subscribed, request, true))
        })
        return answers(untilExpired(events, subscribing.untilMs), (event) => shared.answer(event, subscribing.sharedAs, () => inOwnTurn(event)))
      })
    }),
  }
}

async function* answers(events: AsyncIterable<unknown>, answer: (event: unknown) => Promise<ExecutionResult>): AsyncGenerator<ExecutionResult> {
  for await (const event of events) {
    if (event === expired) {
      yield { errors: [clientError('UNAUTHENTICATED', 'The token has expired. Subscribe again with a new one.')] }
      return
    }
    yield answer(event)
  }
}

async function executeEvent(event: unknown, args: ExecutionArgs, operation: Operation): Promise<EventAnswer> {
  const { context: contextValue, isPersonal } = observedContext(args.contextValue as object, operation.context)
  const run = () => execute({ ...args, ...always, rootValue: event, contextValue })
  const { around = (running) => running(), withDeadline = (running) => running() } = operation
  const result = await withDeadline(() => around(run))
  return { result: await withExtensions(result, operation.end(result, event)), isShareable: !isPersonal() }
}

/** A result that is text already: Yoga calls `stringify` to write it. A plugin that reads its data gets it parsed. */
function resultOf(text: string | undefined): ExecutionResult | undefined {
  return text === undefined ? undefined : {
    get data() {
      return (JSON.parse(text) as ExecutionResult).data
    },
    stringify: () => text,
  } as ExecutionResult
}

async function withExtensions(answer: ExecutionResult, extensions: Promise<Record<string, unknown>> | undefined): Promise<ExecutionResult> {
  return extensions ? { ...answer, extensions: { ...answer.extensions, ...(await extensions) } } : answer
}

/** An error of the request is its answer, not a failure of the server. */
function orError(begin: () => Operation): Operation | GraphQLError {
  try {
    return begin()
  } catch (error) {
    if (error instanceof GraphQLError) return error
    throw error
  }
}
