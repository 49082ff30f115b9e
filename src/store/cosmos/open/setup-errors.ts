// What is wrong with the account, the database or a container when the store is opened: one line that
// says what, and what to do.

import { SetupError } from '../../store.ts'

/** What an error of the SDK means to someone who starts a gateway; undefined when it is none of the usual ones. */
export function setupErrorFrom(error: unknown, endpoint: string): SetupError | undefined {
  if (error instanceof SetupError) return error
  const { code, message = '' } = (error ?? {}) as { code?: unknown; message?: string }
  if (code === 401) return new SetupError(`Cosmos DB at ${endpoint} refused the key. Set COSMOS_KEY to a key of that account, or leave it out to sign in with Entra ID.`)
  if (code === 403) return new SetupError(`Cosmos DB at ${endpoint} does not let this identity in. Give it the role "Cosmos DB Built-in Data Contributor", or check the account's firewall.`)
  if (code === 'REQUEST_SEND_ERROR' || code === 'ENOTFOUND' || /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|did not answer/.test(message)) {
    return new SetupError(`Cosmos DB at ${endpoint} cannot be reached. Check COSMOS_ENDPOINT and the network.`)
  }
  return undefined
}
