// Reads requests from Node's HTTP server and writes answers to it, with the headers that every answer has.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer, CosmosRequest } from './http-messages.ts'

export async function readRequest(message: IncomingMessage): Promise<CosmosRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  return {
    ...parseTarget(message.url ?? '/'),
    method: message.method ?? 'GET',
    headers: message.headers,
    text: body.toString(),
    bytes: body.length,
  }
}

/** What comes before the id of a document. */
const beforeId = /^\/dbs\/[^/]+\/colls\/[^/]+\/docs\/(?=.)/

/**
 * The path of a URL, and its parts. A part that is badly encoded stays as it is, and names nothing. The SDK puts ids into paths as they are, so a `?`
 * belongs to the id of a document (azure-sdk-for-js, itemIdEncoding.spec).
 */
export function parseTarget(url: string): Pick<CosmosRequest, 'path' | 'segments'> {
  const path = beforeId.test(url) ? url : (url.split('?')[0] ?? '/')
  return { path, segments: path.split('/').filter((part) => part !== '').map(decoded) }
}

export function send(response: ServerResponse, answer: Answer): void {
  const text = answer.body === undefined ? undefined : Buffer.from(answer.body)
  response.writeHead(answer.status, { ...answerHeaders(answer), ...(text !== undefined && { 'content-length': text.length }) })
  response.end(text)
}

export function answerHeaders({ subStatus, charge, headers }: Answer): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-ms-activity-id': randomUUID(),
    'x-ms-request-charge': String(charge),
    ...(subStatus !== undefined && { 'x-ms-substatus': String(subStatus) }),
    ...headers,
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
