// Answers /metrics, and counts what only requests know: how long they took, and which subscriptions are open.

import { isAsyncIterable, type Plugin } from 'graphql-yoga'
import type { Metrics } from '../../observe/metrics.ts'
import { pathOf } from '../../auth/arrival.ts'

type Asked = Parameters<NonNullable<Plugin['onRequest']>>[0]

export function useMetrics(metrics: Metrics): Plugin {
  const { subscriptionsOpen } = metrics.families
  return {
    onRequest(asked) {
      const { method } = asked.request
      return (method === 'GET' || method === 'HEAD') && pathOf(asked.request) === '/metrics' ? answer(asked, metrics) : undefined
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

async function answer(asked: Asked, metrics: Metrics): Promise<void> {
  const text = await metrics.text()
  asked.endResponse(new asked.fetchAPI.Response(asked.request.method === 'HEAD' ? null : text, { headers: { 'content-type': metrics.registry.contentType, 'cache-control': 'no-store' } }))
}
