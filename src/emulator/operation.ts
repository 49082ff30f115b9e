// Which operation a request asks for, told from its method, path and headers alone, so that requests
// which are refused before they run are logged under the right name too.

import { headerOf, hasFlag, type CosmosRequest } from './http-messages.ts'

/**
 * What a request asks for.
 *
 * @example
 * ```ts
 * const writes = emulator.log.filter(({ operation }) => operation === ('batch' satisfies CosmosOperation))
 * ```
 */
export type CosmosOperation =
  | 'account' | 'database' | 'container' | 'ranges' | 'offer'
  | 'read' | 'create' | 'upsert' | 'replace' | 'patch' | 'delete'
  | 'query' | 'plan' | 'batch' | 'changes'

export function operationOf(request: CosmosRequest): CosmosOperation {
  const [first, , second, , third, id] = request.segments
  if (first === undefined) return 'account'
  if (first === 'offers') return 'offer'
  if (second === undefined) return 'database'
  if (third === undefined) return 'container'
  if (third === 'pkranges') return 'ranges'
  return id === undefined ? feedOperation(request) : documentOperation(request.method)
}

/** Whether the request may change documents; only such a request can lose an answer that mattered. */
export function isWrite(operation: CosmosOperation): boolean {
  return operation === 'create' || operation === 'upsert' || operation === 'replace' || operation === 'patch' || operation === 'delete' || operation === 'batch'
}

export function isDocumentRequest(request: CosmosRequest): boolean {
  return request.segments[4] === 'docs'
}

function feedOperation(request: CosmosRequest): CosmosOperation {
  if (request.method === 'GET') return headerOf(request, 'a-im') === undefined ? 'query' : 'changes'
  if (hasFlag(request, 'x-ms-cosmos-is-query-plan-request')) return 'plan'
  if (hasFlag(request, 'x-ms-cosmos-is-batch-request')) return 'batch'
  if (hasFlag(request, 'x-ms-documentdb-isquery')) return 'query'
  return hasFlag(request, 'x-ms-documentdb-is-upsert') ? 'upsert' : 'create'
}

function documentOperation(method: string): CosmosOperation {
  if (method === 'PUT') return 'replace'
  if (method === 'PATCH') return 'patch'
  return method === 'DELETE' ? 'delete' : 'read'
}
