// The SDK's errors as the port's errors.

import { StoreUnavailableError } from '../store-errors.ts'

/**
 * Requests that the service did not answer, or answered with a failure that is not the caller's. A missing document is no error here, so a 404 is of a
 * container that is missing, or of a replica that is behind. 401 and 403 are of a key or a role that was taken away.
 */
const unavailable = new Set<unknown>([401, 403, 404, 408, 410, 429, 449, 500, 502, 503, 504, 'REQUEST_SEND_ERROR', 'PARSE_ERROR', 'TimeoutError'])

/** Of requests that were called off, and of tokens that Entra ID did not give. */
const unavailableNames = new Set(['AbortError', 'AuthenticationError', 'AggregateAuthenticationError', 'AuthenticationRequiredError', 'CredentialUnavailableError'])

/** A StoreUnavailableError if the service did not answer; every other error unchanged. */
export function storeErrorFrom(error: unknown): unknown {
  // A batch wraps the original error.
  const cause = (error as { cause?: unknown } | undefined)?.cause ?? error
  const { code, substatus, name = '', message = '' } = (cause ?? {}) as { code?: unknown; substatus?: unknown; name?: string; message?: string }
  if (!unavailable.has(code) && !unavailableNames.has(name) && !isBeingIndexed(code, message)) return error
  const status = code === undefined ? name : substatus ? `${String(code)}/${String(substatus)}` : String(code)
  return new StoreUnavailableError(`Cosmos DB did not answer (${status}): ${message.split('\n')[0]}`, { cause: error })
}

/** An index that was there when the store was opened: its container has got another policy since, and is being indexed again. */
function isBeingIndexed(code: unknown, message: string): boolean {
  return code === 400 && /corresponding (composite )?index/.test(message)
}
