// Refuses operations and subscriptions beyond the load limits, before their documents are parsed. Probes and pages never
// come this far.

import type { IncomingMessage } from 'node:http'
import type { ExecutionArgs, ExecutionResult } from 'graphql'
import { isAsyncIterable, type Plugin } from 'graphql-yoga'
import { isObject } from '../../model/json/json.ts'
import { whenReady } from '../../store/maybe-promise.ts'
import type { OperationRequest } from '../../execute/operation.ts'
import type { Admission } from '../admission/admission.ts'
import { knownCallerOf } from '../limits/caller.ts'
import { noPlaceLeft, overloaded } from '../admission/overload.ts'
import type { SubscriptionPlaces } from '../subscriptions/open-subscriptions.ts'

export interface AdmissionPluginOptions {
  readonly admission: Admission<OperationRequest>
  /** Whether the fast path has admitted this request and begun its operation already. */
  readonly hasBegun: (message: IncomingMessage) => boolean
  readonly subscriptions: SubscriptionPlaces
  /** How many proxies stand before the gateway, by which anonymous callers are told apart. */
  readonly proxies: number
}

export function useAdmission({ admission, hasBegun, subscriptions, proxies }: AdmissionPluginOptions): Plugin {
  return {
    onParams({ context, paramsHandler, setParamsHandler }) {
      const { req } = context as { req?: IncomingMessage }
      if (req && hasBegun(req)) return
      setParamsHandler((given) => {
        return admission.within(async () => paramsHandler(given), () => ({ errors: [overloaded()] }), req !== undefined, askedIn(given.params))
      })
    },
    onSubscribe({ args, subscribeFn, setSubscribeFn, setResultAndStopExecution }) {
      const { request, req } = args.contextValue as { request: Request; req?: IncomingMessage }
      const caller = knownCallerOf(request, req, proxies)
      return whenReady(subscriptions.take(caller), (noPlace) => {
        if (noPlace) {
          setResultAndStopExecution({ errors: [noPlaceLeft(noPlace)] } satisfies ExecutionResult)
          return undefined
        }
        let isOpen = true
        const end = (): void => {
          if (isOpen) subscriptions.leave(caller)
          isOpen = false
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
      })
    },
  }
}

/** What a request asks for, as far as it can be told yet: Yoga checks its parts later. */
function askedIn({ query, operationName, variables }: { readonly query?: unknown; readonly operationName?: unknown; readonly variables?: unknown }): OperationRequest {
  return {
    query: typeof query === 'string' ? query : '',
    operationName: typeof operationName === 'string' ? operationName : undefined,
    variables: isObject(variables) ? variables : {},
  }
}
