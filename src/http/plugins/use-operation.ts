// Gives every operation what its resolvers need, and its answer what the operation has to say about
// itself. What those are, this plugin does not know.

import { createSourceEventStream, execute, GraphQLError, type ExecutionArgs, type ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Operation } from '../../execute/operation.ts'
import { clientError } from '../../errors.ts'
import { expired, untilExpired } from '../../auth/until-expired.ts'

/** Nothing is run by what only subscribes, and nothing ends. */
export type Begin = (args: ExecutionArgs, request: Request, runs: boolean) => Operation

export interface RunOptions {
  /** Whether mistakes in variables are answered without the names that were probably meant. */
  readonly hideSuggestions?: boolean
}

export function useOperation(begin: Begin, how: RunOptions = {}): Plugin {
  const operations = new WeakMap<Request, Operation>()
  return {
    onResponse({ request, response }) {
      const headers = operations.get(request)?.headers?.() ?? {}
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
    },
    onExecute({ args, extendContext, setExecuteFn, setResultAndStopExecution }) {
      const { request } = args.contextValue as { request: Request }
      const operation = unlessImpossible(() => begin(args, request, true))
      if (operation instanceof GraphQLError) {
        setResultAndStopExecution({ errors: [operation] })
        return undefined
      }
      operations.set(request, operation)
      extendContext(operation.context)
      const { quick, result: ended, around = (run) => run(), timely = (run) => run() } = operation
      // GraphQL.js itself, which compiled plans are held against, and not the executor that Yoga brings.
      setExecuteFn((executed: ExecutionArgs) => ended ?? timely(() => around(async () => written(await quick?.()) ?? execute({ ...executed, ...how }))))
      return {
        async onExecuteDone({ result, setResult }) {
          const answer = result as ExecutionResult
          setResult(await withWord(answer, operation.end(answer)))
        },
      }
    },
    // Every event is an operation of its own, with reads and an account of its own.
    onSubscribe({ args, extendContext, setSubscribeFn, setResultAndStopExecution }) {
      const { request } = args.contextValue as { request: Request }
      const subscribing = unlessImpossible(() => begin(args, request, false))
      if (subscribing instanceof GraphQLError) {
        setResultAndStopExecution({ errors: [subscribing] })
        return
      }
      extendContext(subscribing.context)
      setSubscribeFn(async (subscribed: ExecutionArgs) => {
        const events = await createSourceEventStream({ ...subscribed, ...how })
        return Symbol.asyncIterator in events ? answers(untilExpired(events, subscribing.untilMs), subscribed, () => begin(subscribed, request, true)) : events
      })
    },
  }
}

async function* answers(events: AsyncIterable<unknown>, args: ExecutionArgs, begin: () => Operation): AsyncGenerator<ExecutionResult> {
  for await (const event of events) {
    if (event === expired) {
      yield { errors: [clientError('UNAUTHENTICATED', 'The token has expired. Subscribe again with a new one.')] }
      return
    }
    const operation = begin()
    const run = () => execute({ ...args, rootValue: event, contextValue: { ...(args.contextValue as object), ...operation.context } })
    const { around = (running) => running(), timely = (running) => running() } = operation
    const result = await timely(() => around(run))
    yield withWord(result, operation.end(result, event))
  }
}

/** An answer that is text already. Yoga asks the result itself how to write it; whoever asks for its data gets it all the same. */
function written(text: string | undefined): ExecutionResult | undefined {
  return text === undefined ? undefined : {
    get data() {
      return (JSON.parse(text) as ExecutionResult).data
    },
    stringify: () => text,
  } as ExecutionResult
}

async function withWord(answer: ExecutionResult, word: Promise<Record<string, unknown>> | undefined): Promise<ExecutionResult> {
  return word ? { ...answer, extensions: { ...answer.extensions, ...(await word) } } : answer
}

/** A request that asks for something impossible is answered, not failed. */
function unlessImpossible(begin: () => Operation): Operation | GraphQLError {
  try {
    return begin()
  } catch (error) {
    if (error instanceof GraphQLError) return error
    throw error
  }
}
