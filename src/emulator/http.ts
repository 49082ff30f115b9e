// Reads requests from Node's HTTP server and writes answers to it, with the headers that every answer has.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer, CosmosRequest } from './exchange.ts'

export async function readRequest(message: IncomingMessage): Promise<CosmosRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const path = (message.url ?? '/').split('?')[0] ?? '/'
  return {
    method: message.method ?? 'GET',
    path,
    segments: path.split('/').filter((part) => part !== '').map(decodeURIComponent),
    headers: message.headers,
    text: body.toString(),
    bytes: body.length,
  }
}

export function send(response: ServerResponse, { status, subStatus, charge, headers, body }: Answer): void {
  const text = body === undefined ? undefined : Buffer.from(body)
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-ms-activity-id': randomUUID(),
    'x-ms-request-charge': String(charge),
    ...(subStatus !== undefined && { 'x-ms-substatus': String(subStatus) }),
    ...headers,
    ...(text !== undefined && { 'content-length': text.length }),
  })
  response.end(text)
}
