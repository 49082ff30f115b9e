// The endpoint of the region that reads go to. The SDK chooses it, and another one when a region does not answer.

import type { CosmosClient } from '@azure/cosmos'

/** How long a choice is used before the SDK is asked again, which sends no request. */
const maxAgeMs = 1000

export async function readEndpointOf(client: Pick<CosmosClient, 'getReadEndpoint'>, now: () => number = Date.now): Promise<() => string> {
  let endpoint = await ask(client)
  let askedAt = now()
  return () => {
    if (now() - askedAt >= maxAgeMs) {
      askedAt = now()
      // Requests do not wait for the answer. Without one, the last choice holds.
      ask(client).then((chosen) => (endpoint = chosen), () => undefined)
    }
    return endpoint
  }
}

async function ask(client: Pick<CosmosClient, 'getReadEndpoint'>): Promise<string> {
  return (await client.getReadEndpoint()).replace(/\/$/, '')
}
