// Serves /metrics, and measures what only HTTP sees: how long requests take, and how many subscriptions are open.

import { isAsyncIterable, type Plugin } from 'graphql-yoga'
import type { Metrics } from '../../observe/metrics.ts'
import { pathOf, routeOf } from '../../auth/request-state.ts'

type RequestEvent = Parameters<NonNullable<Plugin['onRequest']>>[0]

export function useMetrics(metrics: Metrics): Plugin {
  const { subscriptionsOpen } = metrics.families
  return {
    onRequest(event) {
      const { method } = event.request
      return (method === 'GET' || method === 'HEAD') && routeOf(pathOf(event.request)) === 'metrics' ? answer(event, metrics) : undefined
    },
    onResponse({ request, response: { status } }) {
      metrics.answered(request, status)
    },
    onSubscribe() {
      let open = false
      const close = (): void => {
        if (open) subscriptionsOpen.dec()
        open = false
      }
      return {
        onSubscribeResult({ result }) {
          if (!isAsyncIterable(result)) return undefined
          open = true
          subscriptionsOpen.inc()
          return { onEnd: close }
        },
        onSubscribeError: close,
      }
    },
  }
}

async function answer(event: RequestEvent, metrics: Metrics): Promise<void> {
  const text = await metrics.text()
  event.endResponse(new event.fetchAPI.Response(event.request.method === 'HEAD' ? null : text, { headers: { 'content-type': metrics.registry.contentType, 'cache-control': 'no-store' } }))
}
