// The SDK's errors while a store is opened, as one line that says what is wrong and what to do.

import { SetupError } from '../../store-errors.ts'

/** Undefined for an error that is not a matter of the setup. */
export function setupErrorFrom(error: unknown, endpoint: string): SetupError | undefined {
  if (error instanceof SetupError) return error
  const { code, message = '' } = (error ?? {}) as { code?: unknown; message?: string }
  if (code === 401) return new SetupError(`Cosmos DB at ${endpoint} refused the key. Set COSMOS_KEY to a key of that account, or omit it to sign in with Entra ID.`)
  if (code === 403) return new SetupError(`Cosmos DB at ${endpoint} denies access to this identity. Give it the role "Cosmos DB Built-in Data Contributor", or check the account's firewall.`)
  if (code === 'REQUEST_SEND_ERROR' || code === 'PARSE_ERROR') return new SetupError(`Cannot reach Cosmos DB at ${endpoint}: ${message}. Check COSMOS_ENDPOINT and the network.`)
  if (message.includes('did not answer')) return new SetupError(`Cannot reach Cosmos DB at ${endpoint}. Check COSMOS_ENDPOINT and the network.`)
  return undefined
}
