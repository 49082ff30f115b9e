// Relay's environment for Quire: what documents are kept by, how they are fetched, and how events arrive.

import { Environment, Network, Observable, RecordSource, Store, type GraphQLResponse } from 'relay-runtime'
import { accountOf } from '../cost-report.ts'
import type { LibraryOptions } from '../library.ts'
import { createSubscribe } from '../resuming.ts'
import { createSessionFetch } from '../session-fetch.ts'

export function createRelayEnvironment(options: LibraryOptions): Environment {
  const { url, onAccount } = options
  const fetch = createSessionFetch()
  const subscribe = createSubscribe({ ...options, fetch })

  function answered(operation: string, answer: GraphQLResponse): GraphQLResponse {
    const account = 'extensions' in answer ? accountOf(answer) : undefined
    if (account) onAccount?.(operation, account)
    return answer
  }

  return new Environment({
    store: new Store(new RecordSource()),
    // Relay takes `id` for global. Here that is `nodeId`, which relay.config.json has the compiler ask for and refetch by.
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
