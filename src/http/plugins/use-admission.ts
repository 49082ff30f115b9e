// Sends away what is too much at the moment, before it is parsed: operations beyond those that may be under way,
// and subscriptions beyond those that may be open. Probes and pages never come here.

import type { IncomingMessage } from 'node:http'
import type { ExecutionArgs, ExecutionResult, GraphQLError } from 'graphql'
import { isAsyncIterable, type Plugin } from 'graphql-yoga'

export interface AdmissionPluginOptions {
  /** Does one more piece of work, or refuses it. */
  readonly within: <T>(work: () => Promise<T>, refuse: () => T, fromSocket: boolean) => T | Promise<T>
  /** Whether it has begun already, on another way. */
  readonly isIn: (message: IncomingMessage) => boolean
  readonly refusal: () => GraphQLError
  readonly mostSubscriptions: number
  readonly subscriptionRefusal: () => GraphQLError
}

export function useAdmission({ within, isIn, refusal, mostSubscriptions, subscriptionRefusal }: AdmissionPluginOptions): Plugin {
  let subscriptions = 0
  return {
    onParams({ context, paramsHandler, setParamsHandler }) {
      const { req } = context as { req?: IncomingMessage }
      if (req && isIn(req)) return
      setParamsHandler((given) => within(async () => paramsHandler(given), () => ({ errors: [refusal()] }), req !== undefined))
    },
    onSubscribe({ subscribeFn, setSubscribeFn, setResultAndStopExecution }) {
      if (subscriptions >= mostSubscriptions) {
        setResultAndStopExecution({ errors: [subscriptionRefusal()] } satisfies ExecutionResult)
        return undefined
      }
      subscriptions++
      let open = true
      const end = (): void => {
        if (open) subscriptions--
        open = false
      }
      setSubscribeFn(async (args: ExecutionArgs) => {
        try {
          const events: unknown = await subscribeFn(args)
          if (!isAsyncIterable(events)) end()
          return events
        } catch (error) {
          end()
          throw error
        }
      })
      return { onSubscribeResult: () => ({ onEnd: end }), onSubscribeError: end }
    },
  }
}
