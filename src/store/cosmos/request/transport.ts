// Every HTTP request to Cosmos DB goes through here, the SDK's and those of item-requests.ts: it is counted with the charge
// that the response reports, and retried if that makes sense. The SDK's own retries are turned off where possible, because
// they wait without jitter, give up on 449, 408 and 410, and have no deadline.
//
// Retrying a write is safe because of how writes are made (write/write-batch.ts): each one either replaces the whole
// document or is guarded by an etag, and a writer that is refused after a retry checks whether its first attempt succeeded.

import { setTimeout as pause } from 'node:timers/promises'
import type { HttpClient, PipelineRequest, PipelineResponse } from '@azure/core-rest-pipeline'
import { backOffMs } from './back-off.ts'
import type { ServiceClock } from './service-clock.ts'
import { currentScope, type CallScope } from './call-scope.ts'
import { SessionTokens } from './session-tokens.ts'

/** How often a request is sent. The deadline usually comes first. */
const maxTries = 24

/** How often a read is sent to a region that cannot answer, if there are others: then the SDK sends it to one of those. */
const maxTriesInRegion = 4

export interface Regions {
  /** Whether several regions answer reads. Known once the account has been read. */
  several: boolean
}

export function createTransport(http: HttpClient, clock: ServiceClock, random: () => number = Math.random, sessions = new SessionTokens(), regions: Regions = { several: false }): HttpClient {
  return {
    async sendRequest(request) {
      // The SDK requests a plan for every query. Each of these queries goes to one partition and needs no plan, so an
      // empty one saves a request.
      if (request.headers.has('x-ms-cosmos-is-query-plan-request')) return answerOf(request, {})
      // An http endpoint, as of a local server, is a deliberate choice.
      request.allowInsecureConnection = request.url.startsWith('http:')
      const scope = currentScope()
      for (let tries = 1; ; tries++) {
        scope?.beforeRequest()
        const outcome = await attempt(http, request, clock, scope)
        if ('response' in outcome) sessions.observe(request.url, outcome.response.headers.get('x-ms-session-token'))
        const waitMs = tries < maxTriesOf(request, outcome, regions) ? waitBefore(request, outcome, tries, random) : undefined
        if (waitMs === undefined) return responseOf(outcome)
        if (scope && maybeApplied(outcome)) scope.maybeApplied = true
        await pause(waitMs, undefined, { signal: request.abortSignal as AbortSignal }).catch(() => undefined)
        if (request.abortSignal?.aborted) return responseOf(outcome)
      }
    },
  }
}

type Outcome = { readonly response: PipelineResponse } | { readonly error: unknown }

async function attempt(http: HttpClient, request: PipelineRequest, clock: ServiceClock, scope: CallScope | undefined): Promise<Outcome> {
  const startMs = performance.now()
  const sentAt = clock.now()
  try {
    const response = await http.sendRequest(request)
    clock.observe(response.headers.get('date'), sentAt)
    scope?.afterRequest({ startMs, requestCharge: Number(response.headers.get('x-ms-request-charge') ?? 0), documents: documentsIn(request, response, scope.keys) })
    return { response }
  } catch (error) {
    scope?.afterRequest({ startMs, requestCharge: 0, documents: 0 })
    return { error }
  }
}

function responseOf(outcome: Outcome): PipelineResponse {
  if ('error' in outcome) throw outcome.error
  const { response } = outcome
  // The SDK takes every 410 for a split, and its change feed would then start from the beginning. After a 404 of a replica that is behind the
  // session it would read without the session.
  return isMoving(response) || isBehindSession(response) ? { ...response, status: 503 } : response
}

/** A 410 that is no matter of splits. */
function isMoving({ status, headers }: PipelineResponse): boolean {
  return status === 410 && !isReplaced(headers.get('x-ms-substatus'))
}

/** A 404 that says nothing about the document: the replica has not come as far as this process has read or written. */
function isBehindSession({ status, headers }: PipelineResponse): boolean {
  return status === 404 && headers.get('x-ms-substatus') === '1002'
}

function maxTriesOf({ method, headers }: PipelineRequest, outcome: Outcome, { several }: Regions): number {
  if ('error' in outcome) return 5
  const isRead = method === 'GET' || headers.has('x-ms-documentdb-isquery')
  const { response } = outcome
  return several && isRead && (response.status === 503 || response.status === 408 || isMoving(response) || isBehindSession(response)) ? maxTriesInRegion : maxTries
}

/** How long to wait before the next try; undefined if there should be none. */
function waitBefore(request: PipelineRequest, outcome: Outcome, tries: number, random: () => number): number | undefined {
  const jitter = 0.5 + random()
  if ('error' in outcome) return isTransient(outcome.error) ? 20 * 2 ** tries * jitter : undefined
  const { status, headers } = outcome.response
  switch (status) {
    // Throttled: as long as the service says, plus jitter.
    case 429: return Math.max(1, Number(headers.get('x-ms-retry-after-ms') ?? 10)) * (1 + random())
    // Another request is writing the same document.
    case 449: return backOffMs(tries) * jitter
    case 410: return isForCaller(request, headers.get('x-ms-substatus')) ? undefined : backOffMs(tries) * jitter
    case 404: return isBehindSession(outcome.response) ? backOffMs(tries) * jitter : undefined
    case 408:
    case 503: return backOffMs(tries) * jitter
    default: return undefined
  }
}

/**
 * A request that names a physical partition which is replaced by others: only the caller can find those. Where a request names a key instead, the
 * service finds them, as soon as it can. The SDK's change feed waits for the end of a split here, since it would ask again without waiting.
 */
function isForCaller({ headers }: PipelineRequest, substatus: string | undefined): boolean {
  return isReplaced(substatus) && headers.has('x-ms-documentdb-partitionkeyrangeid') && !(substatus === completingSplit && headers.has('a-im'))
}

/** The split has begun, and the partitions that will take over cannot be asked yet. */
const completingSplit = '1007'

function isReplaced(substatus: string | undefined): boolean {
  return substatus === '1000' || substatus === '1002' || substatus === completingSplit
}

/** Whether the service may have carried out the request. Throttled requests (429) and write conflicts (449) certainly were not. */
function maybeApplied(outcome: Outcome): boolean {
  return 'error' in outcome || [408, 410, 503].includes(outcome.response.status)
}

function isTransient(error: unknown): boolean {
  const { name, code } = (error ?? {}) as { name?: string; code?: string }
  return name !== 'AbortError' && (code === 'REQUEST_SEND_ERROR' || code === 'PARSE_ERROR')
}

/** The number of documents that were returned or written. */
function documentsIn(request: PipelineRequest, { status, headers }: PipelineResponse, keys: number): number {
  if (status !== 200 || !/\/docs(\/|$)/.test(request.url)) return 0
  if (request.headers.has('x-ms-cosmos-is-batch-request')) return keys
  const counting = typeof request.body === 'string' && request.body.includes('COUNT(1)')
  return counting ? 0 : Number(headers.get('x-ms-item-count') ?? 1)
}

function answerOf(request: PipelineRequest, body: object): PipelineResponse {
  return { request, status: 200, headers: request.headers, bodyAsText: JSON.stringify(body) }
}
