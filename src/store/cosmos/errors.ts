// What errors of the SDK mean to those who use the store.

import { StoreUnavailableError } from '../store.ts'

const unavailable = new Set<unknown>([408, 410, 429, 449, 500, 502, 503, 504, 'REQUEST_SEND_ERROR', 'PARSE_ERROR', 'TimeoutError', 'ENOTFOUND'])

/** The store's own error where the service did not answer; any other as it is. */
export function storeErrorFrom(error: unknown): unknown {
  // A batch wraps what went wrong.
  const cause = (error as { cause?: unknown } | undefined)?.cause ?? error
  const { code, name, message } = (cause ?? {}) as { code?: unknown; name?: string; message?: string }
  if (unavailable.has(code) || name === 'AbortError') return new StoreUnavailableError(`Cosmos DB did not answer (${String(code ?? name)}): ${message?.split('\n')[0] ?? ''}`, { cause: error })
  return error
}
