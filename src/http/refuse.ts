// Refuses a request of node:http before Yoga sees it.

import type { ServerResponse } from 'node:http'

export interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
}

/** Closes the connection, so a body is not waited for. */
export function refuse(response: ServerResponse, { status, code, message }: Refusal, headers: Record<string, string>): void {
  const body = JSON.stringify({ errors: [{ message, extensions: { code } }] })
  response.writeHead(status, { ...headers, 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body), connection: 'close' })
  response.end(body)
}
