// Request URLs as clients can write them on the wire, sent byte by byte, since fetch would normalize them.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { createLog } from '../../src/observe/log/log.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'

const lines: string[] = []
const log = createLog({ level: 'info', readable: false, to: { write: (line) => void lines.push(line) } })

async function serve(options: Partial<GatewayOptions> = {}) {
  const gateway = await createGateway({ typeDefs: 'type Cage @document(container: "cages") { id: ID! }', store: openMemoryStore, log, openMetrics: true, ...options })
  const server = createServer(gateway)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  afterAll(() => void server.close())
  return async (firstLine: string, host: string, body = '') => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write(`${firstLine} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    const answer = await text(socket)
    return { status: Number(answer.slice(9, 12)), answer }
  }
}

const query = JSON.stringify({ query: '{ __typename }' })

describe.each([['production', false], ['development', true]])('in %s', async (_, development) => {
  const send = await serve({ development })

  test.each(['a b', '#', '[', '/', 'a/b', 'user@host', '127.0.0.1:99999', '127.0.0.1:x', '%', '\\', '999.999.999.999'])('an invalid Host header is refused with a code: %s', async (host) => {
    const { status, answer } = await send('POST /graphql', host, query)
    expect(status).toBe(400)
    expect(answer).toContain('"code":"BAD_REQUEST"')
    expect(answer).toMatch(/\r\nx-request-id: [\w-]+\r\n/i)
    expect(answer).not.toMatch(/\n +at |node_modules/)
  })

  test('the path never comes from the Host header', async () => {
    expect((await send('GET /nowhere', '127.0.0.1')).status).toBe(404)
    expect((await send('GET /nowhere', '127.0.0.1/metrics?')).status).toBe(400)
  })

  test.each(['127.0.0.1', 'localhost:4000', 'quire.example', '[::1]:4000', 'a_b', ''])('a valid Host header is accepted: %s', async (host) => {
    expect((await send('POST /graphql', host, query)).answer).toContain('{"data":{"__typename":"Query"}')
  })

  test('an absolute URL is reduced to its path', async () => {
    expect((await send('POST http://quire.example/graphql', 'quire.example', query)).answer).toContain('{"data":{"__typename":"Query"}')
    expect((await send('GET http://quire.example/nowhere?x', 'quire.example')).status).toBe(404)
  })

  test('an invalid URL is refused with a code', async () => {
    for (const line of ['GET http://[', 'OPTIONS *']) expect(await send(line, 'quire')).toMatchObject({ status: 400, answer: expect.stringContaining('"code":"BAD_REQUEST"') as string })
  })

  test('user name and password in a URL are not logged', async () => {
    lines.length = 0
    for (const target of ['http://me:geheim@quire/graphql', 'http://me:geheim@quire/nowhere', '//me:geheim@quire/nowhere', '/a/me%3Ageheim%40quire', 'http://me:geheim@[/']) await send(`GET ${target}`, 'quire')
    await expect.poll(() => lines.length).toBe(5)
    expect(lines.join('')).not.toContain('geheim')
  })
})
