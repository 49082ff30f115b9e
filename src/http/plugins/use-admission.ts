// Refuses operations and subscriptions beyond the load limits, before their documents are parsed. Probes and pages never
// come this far.

import type { IncomingMessage } from 'node:http'
import type { ExecutionArgs, ExecutionResult } from 'graphql'
import { isAsyncIterable, type Plugin } from 'graphql-yoga'
import { whenReady } from '../../store/maybe-promise.ts'
import type { Admission } from '../limits/admission.ts'
import { overloaded, tooManySubscriptions } from '../limits/overload.ts'
import type { SubscriptionPlaces } from '../shared-limits.ts'

export interface AdmissionPluginOptions {
  readonly admission: Admission
  /** Whether the fast path has admitted this request and begun its operation already. */
  readonly hasBegun: (message: IncomingMessage) => boolean
  readonly subscriptions: SubscriptionPlaces
}

export function useAdmission({ admission, hasBegun, subscriptions }: AdmissionPluginOptions): Plugin {
  return {
    onParams({ context, paramsHandler, setParamsHandler }) {
      const { req } = context as { req?: IncomingMessage }
      if (req && hasBegun(req)) return
      setParamsHandler((given) => admission.within(async () => paramsHandler(given), () => ({ errors: [overloaded()] }), req !== undefined))
    },
    onSubscribe: ({ subscribeFn, setSubscribeFn, setResultAndStopExecution }) => whenReady(subscriptions.take(), (taken) => {
      if (!taken) {
        setResultAndStopExecution({ errors: [tooManySubscriptions()] } satisfies ExecutionResult)
        return undefined
      }
      let open = true
      const end = (): void => {
        if (open) subscriptions.leave()
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
    }),
  }
}
