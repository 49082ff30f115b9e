// Requests and answers of the emulator, independent of Node's HTTP server, and the refusal that any part of it may throw.

import type { IncomingHttpHeaders } from 'node:http'

export interface CosmosRequest {
  readonly method: string
  readonly path: string
  /** The path's parts, decoded: ['dbs', 'zoo', 'colls', 'beasts', 'docs', 'b1']. */
  readonly segments: readonly string[]
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly bytes: number
}

export interface Answer {
  readonly status: number
  readonly charge: number
  readonly subStatus?: number
  readonly headers?: Readonly<Record<string, string>>
  /** JSON text; documents are kept as text so that they are written once. */
  readonly body?: string
  /** How many documents the answer holds, or how many the request wrote. */
  readonly documents?: number
  /** Whether the request changed anything. */
  readonly applied?: boolean
  readonly rangeId?: string
  readonly keys?: number
  readonly scanned?: boolean
}

export class Refusal extends Error {
  readonly status: number
  readonly subStatus: number
  readonly details: object

  constructor(status: number, message: string, { subStatus = 0, details = {} }: { subStatus?: number; details?: object } = {}) {
    super(message)
    this.status = status
    this.subStatus = subStatus
    this.details = details
  }
}

export function headerOf(request: CosmosRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** The SDK writes booleans as `true`, other clients as `True`. */
export function hasFlag(request: CosmosRequest, name: string): boolean {
  return headerOf(request, name)?.toLowerCase() === 'true'
}

export function jsonOf(request: CosmosRequest): unknown {
  try {
    return JSON.parse(request.text)
  } catch {
    throw new Refusal(400, 'The request body is not valid JSON.')
  }
}
