// Every physical request to Cosmos goes through here, below the SDK: it is counted with the charge
// that the answer reports, and sent again when that is right. The SDK's own retries are switched off
// where they can be, because they wait without jitter, give up on 449, 408 and 410, and are not
// bounded by a deadline.
//
// Sending a write again is safe here because of how writes are made (write.ts): each one either
// replaces the whole document or is guarded by an etag, and whoever finds his own write refused the
// second time looks whether it was the first one that got through.

import { setTimeout as pause } from 'node:timers/promises'
import type { HttpClient, PipelineRequest, PipelineResponse } from '@azure/core-rest-pipeline'
import type { Clock } from './service-clock.ts'
import { currentSending, type Sending } from './call-scope.ts'

/** How often a request is sent at most. The deadline usually comes first. */
const maxTries = 24

export function createTransport(http: HttpClient, clock: Clock, random: () => number = Math.random): HttpClient {
  return {
    async sendRequest(request) {
      // The SDK asks for a plan beside every query. What is sent from here goes to one partition each,
      // ready to run, so nobody looks at the plan, and asking for it would be one more request.
      if (request.headers.has('x-ms-cosmos-is-query-plan-request')) return answerOf(request, {})
      // Whoever gives a plain endpoint, as a local server has, means it.
      request.allowInsecureConnection = request.url.startsWith('http:')
      const sending = currentSending()
      for (let tries = 1; ; tries++) {
        sending?.spend()
        const outcome = await attempt(http, request, clock, sending)
        const waitMs = tries < maxTries ? waitBefore(outcome, tries, random) : undefined
        if (waitMs === undefined) return settle(outcome)
        if (sending && isUnsure(outcome)) sending.unsure = true
        await pause(waitMs, undefined, { signal: request.abortSignal as AbortSignal }).catch(() => undefined)
        if (request.abortSignal?.aborted) return settle(outcome)
      }
    },
  }
}

type Outcome = { readonly response: PipelineResponse } | { readonly error: unknown }

async function attempt(http: HttpClient, request: PipelineRequest, clock: Clock, sending: Sending | undefined): Promise<Outcome> {
  const startMs = performance.now()
  const sentAt = Date.now()
  try {
    const response = await http.sendRequest(request)
    clock.heard(response.headers.get('date'), sentAt, Date.now())
    sending?.told({ startMs, requestCharge: Number(response.headers.get('x-ms-request-charge') ?? 0), documents: documentsIn(request, response, sending.keys) })
    return { response }
  } catch (error) {
    sending?.told({ startMs, requestCharge: 0, documents: 0 })
    return { error }
  }
}

function settle(outcome: Outcome): PipelineResponse {
  if ('error' in outcome) throw outcome.error
  const { response } = outcome
  // The SDK takes any 410 for a split, and its change feed would go on from the beginning of time.
  return response.status === 410 && !isSplit(response.headers.get('x-ms-substatus')) ? { ...response, status: 503 } : response
}

/** How long to wait before the same request is sent again; undefined when it should not be. */
function waitBefore(outcome: Outcome, tries: number, random: () => number): number | undefined {
  const jitter = 0.5 + random()
  if ('error' in outcome) return isTransient(outcome.error) && tries < 5 ? 20 * 2 ** tries * jitter : undefined
  const { status, headers } = outcome.response
  switch (status) {
    // Throttled: as long as it says, and a little more that is never the same.
    case 429: return Math.max(1, Number(headers.get('x-ms-retry-after-ms') ?? 10)) * (1 + random())
    // Somebody else is writing the same document.
    case 449: return Math.min(1000, 5 * 2 ** Math.min(tries, 8)) * jitter
    // The partition is gone for good: only who sent the request can find the new ones.
    case 410: return isSplit(headers.get('x-ms-substatus')) ? undefined : backOff(tries) * jitter
    case 408:
    case 503: return backOff(tries) * jitter
    default: return undefined
  }
}

function backOff(tries: number): number {
  return Math.min(1000, 5 * 2 ** tries)
}

function isSplit(substatus: string | undefined): boolean {
  return substatus === '1000' || substatus === '1002' || substatus === '1007'
}

/** Throttled requests and those that met another writer were not carried out; with the others nobody knows. */
function isUnsure(outcome: Outcome): boolean {
  return 'error' in outcome || [408, 410, 503].includes(outcome.response.status)
}

function isTransient(error: unknown): boolean {
  const { name, code } = (error ?? {}) as { name?: string; code?: string }
  return name !== 'AbortError' && (code === 'REQUEST_SEND_ERROR' || code === 'PARSE_ERROR')
}

/** How many documents came back, or were written. */
function documentsIn(request: PipelineRequest, { status, headers }: PipelineResponse, keys: number): number {
  if (status !== 200 || !/\/docs(\/|$)/.test(request.url)) return 0
  if (request.headers.has('x-ms-cosmos-is-batch-request')) return keys
  const counting = typeof request.body === 'string' && request.body.includes('COUNT(1)')
  return counting ? 0 : Number(headers.get('x-ms-item-count') ?? 1)
}

function answerOf(request: PipelineRequest, body: object): PipelineResponse {
  return { request, status: 200, headers: request.headers, bodyAsText: JSON.stringify(body) }
}
