// One HTTP request to a server on loopback whose answers each test defines.

import { once } from 'node:events'
import { Agent, createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHttpHeaders, createPipelineRequest } from '@azure/core-rest-pipeline'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpClient } from '../../../src/store/cosmos/request/http-client.ts'

async function serverWith(listener: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function requestTo(url: string, options: { method?: 'GET' | 'POST'; body?: string; abortSignal?: AbortSignal; headers?: Record<string, string> } = {}) {
  const { method = 'GET', headers = {}, ...rest } = options
  return createPipelineRequest({ url, method, headers: createHttpHeaders(headers), ...rest })
}

test('method, path, headers and body arrive, and so do status, headers and text', async () => {
  const { url } = await serverWith((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      response.writeHead(207, { 'X-Ms-Request-Charge': '2.5' })
      // In two parts, the second of which begins inside a character.
      const text = Buffer.from(`${request.method} ${request.url} ${String(request.headers['x-ms-date'])} ${body}`)
      response.write(text.subarray(0, -1))
      setImmediate(() => response.end(text.subarray(-1)))
    })
  })
  const response = await createHttpClient().sendRequest(requestTo(`${url}/dbs/d%20e?x=1`, { method: 'POST', headers: { 'x-ms-date': 'now' }, body: 'Zoë' }))
  expect(response).toMatchObject({ status: 207, bodyAsText: 'POST /dbs/d%20e?x=1 now Zoë' })
  expect(response.headers.get('x-ms-request-charge')).toBe('2.5')
})

test('requests one after the other share a connection', async () => {
  const { server, url } = await serverWith((_, response) => response.end('{}'))
  let connections = 0
  server.on('connection', () => connections++)
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  for (let count = 0; count < 3; count++) await createHttpClient().sendRequest(Object.assign(requestTo(`${url}/`), { agent }))
  expect(connections).toBe(1)
})

test('a request that does not arrive, and an answer that breaks off, are errors that are retried', async () => {
  const { server, url } = await serverWith((request, response) => {
    if (request.url === '/half') response.writeHead(200, { 'content-length': 100 }).write('half', () => request.socket.destroy())
    else request.socket.destroy()
  })
  const client = createHttpClient()
  await expect(client.sendRequest(requestTo(`${url}/hang-up`))).rejects.toMatchObject({ code: 'REQUEST_SEND_ERROR' })
  await expect(client.sendRequest(requestTo(`${url}/half`))).rejects.toMatchObject({ code: 'PARSE_ERROR' })
  server.close()
  server.closeAllConnections()
  await expect(client.sendRequest(requestTo(url))).rejects.toMatchObject({ code: 'REQUEST_SEND_ERROR', message: expect.stringContaining('ECONNREFUSED') as string })
})

test('a name that does not resolve, and a server that does not speak TLS, are errors that are retried', async () => {
  const { url } = await serverWith((_, response) => response.end())
  for (const unreachable of ['http://nowhere.invalid/', url.replace('http:', 'https:')]) {
    await expect(createHttpClient().sendRequest(requestTo(unreachable))).rejects.toMatchObject({ code: 'REQUEST_SEND_ERROR' })
  }
})

test('an abort ends the request, before it is sent or while it waits', async () => {
  const arrived = Promise.withResolvers<void>()
  const { url } = await serverWith(() => arrived.resolve())
  const controller = new AbortController()
  const waiting = createHttpClient().sendRequest(requestTo(url, { abortSignal: controller.signal }))
  void arrived.promise.then(() => controller.abort())
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
  await expect(createHttpClient().sendRequest(requestTo(url, { abortSignal: controller.signal }))).rejects.toMatchObject({ name: 'AbortError' })
})
