// Refuses operations and subscriptions beyond the load limits, before their documents are parsed. Probes and pages never
// come this far.

import type { IncomingMessage } from 'node:http'
import { GraphQLError, type ExecutionArgs, type ExecutionResult } from 'graphql'
import { isAsyncIterable, type Plugin } from 'graphql-yoga'
import type { Admission } from '../limits/admission.ts'
import { knownCallerOf } from '../limits/caller.ts'
import type { LoadLimits } from '../limits/load-limits.ts'
import { OpenSubscriptions } from '../subscriptions/open-subscriptions.ts'
import { overloaded } from '../limits/overload.ts'

export interface AdmissionPluginOptions {
  readonly admission: Admission
  /** Whether the fast path has admitted this request and begun its operation already. */
  readonly hasBegun: (message: IncomingMessage) => boolean
  readonly load: LoadLimits
}

export function useAdmission({ admission, hasBegun, load }: AdmissionPluginOptions): Plugin {
  const subscriptions = new OpenSubscriptions(load)
  return {
    onParams({ context, paramsHandler, setParamsHandler }) {
      const { req } = context as { req?: IncomingMessage }
      if (req && hasBegun(req)) return
      setParamsHandler((given) => admission.within(async () => paramsHandler(given), () => ({ errors: [overloaded()] }), req !== undefined))
    },
    onSubscribe({ args, subscribeFn, setSubscribeFn, setResultAndStopExecution }) {
      const { request, req } = args.contextValue as { request: Request; req?: IncomingMessage }
      const end = subscriptions.open(knownCallerOf(request, req, load.proxies))
      if (end instanceof GraphQLError) {
        setResultAndStopExecution({ errors: [end] } satisfies ExecutionResult)
        return undefined
      }
      setSubscribeFn(async (subscribed: ExecutionArgs) => {
        try {
          const events: unknown = await subscribeFn(subscribed)
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
