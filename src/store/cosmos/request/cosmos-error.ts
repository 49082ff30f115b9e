// A response that is an error, with what the SDK's errors have: the status as `code`, and the substatus.

import type { PipelineResponse } from '@azure/core-rest-pipeline'

export class CosmosError extends Error {
  readonly code: number
  readonly substatus: number | undefined

  constructor(response: PipelineResponse) {
    super(messageIn(response))
    this.code = response.status
    this.substatus = substatusOf(response)
  }
}

export function substatusOf({ headers }: PipelineResponse): number | undefined {
  const substatus = headers.get('x-ms-substatus')
  return substatus === undefined ? undefined : Number(substatus)
}

/** Whether another region might have answered. */
export function isRegional(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return code === 'REQUEST_SEND_ERROR' || code === 'PARSE_ERROR' || code === 403 || code === 408 || code === 503
}

function messageIn({ status, bodyAsText }: PipelineResponse): string {
  try {
    return (JSON.parse(bodyAsText!) as { message: string }).message
  } catch {
    return `Cosmos DB answered ${status}.`
  }
}
