// The SDK's errors as the port's errors.

import { StoreUnavailableError } from '../store-errors.ts'

const unavailable = new Set<unknown>([408, 410, 429, 449, 500, 502, 503, 504, 'REQUEST_SEND_ERROR', 'PARSE_ERROR', 'TimeoutError', 'ENOTFOUND'])

/** A StoreUnavailableError if the service did not answer; every other error unchanged. */
export function storeErrorFrom(error: unknown): unknown {
  // A batch wraps the original error.
  const cause = (error as { cause?: unknown } | undefined)?.cause ?? error
  const { code, name, message } = (cause ?? {}) as { code?: unknown; name?: string; message?: string }
  if (unavailable.has(code) || name === 'AbortError') return new StoreUnavailableError(`Cosmos DB did not answer (${String(code ?? name)}): ${message?.split('\n')[0] ?? ''}`, { cause: error })
  return error
}
