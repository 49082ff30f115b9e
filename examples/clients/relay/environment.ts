// Relay's environment for Quire: store keys, requests, and subscriptions.

import { Environment, Network, Observable, RecordSource, Store, type GraphQLResponse } from 'relay-runtime'
import { costReportOf } from '../cost-report.ts'
import type { LibraryOptions } from '../library.ts'
import { createSubscribe } from '../resuming.ts'
import { createSessionFetch } from '../session-fetch.ts'

export function createRelayEnvironment(options: LibraryOptions): Environment {
  const { url, onCostReport } = options
  const fetch = createSessionFetch()
  const subscribe = createSubscribe({ ...options, fetch })

  function answered(operation: string, answer: GraphQLResponse): GraphQLResponse {
    const report = 'extensions' in answer ? costReportOf(answer) : undefined
    if (report) onCostReport?.(operation, report)
    return answer
  }

  return new Environment({
    store: new Store(new RecordSource()),
    // Relay expects a global `id`. relay.config.json makes its compiler select `nodeId` instead and refetch by it.
    getDataID: ({ nodeId }: { nodeId?: string }) => nodeId,
    network: Network.create(
      async ({ name, text }, variables) => {
        const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: text, variables }) })
        return answered(name, (await response.json()) as GraphQLResponse)
      },
      ({ name, text }, variables) => Observable.create((sink) => subscribe({ query: text ?? '', variables }, {
        next: (event) => sink.next(answered(name, event as GraphQLResponse)),
        error: (error) => sink.error(error as Error),
        complete: () => sink.complete(),
      })),
    ),
  })
}
