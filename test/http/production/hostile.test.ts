// Hostile requests over real sockets: each is refused with a code and a short message, on the fast path as in Yoga, however
// often it is sent, and the gateway keeps serving.

import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultLimits, exceededMessage, type LimitName } from '../../../src/http/limits/request-limits.ts'
import { codeIn, counting, serve, type Answer, type Sent, type Served } from './serve.ts'

const observed = counting()
let quick: Served
let plain: Served
beforeAll(async () => {
  ;[quick, plain] = await Promise.all([serve({ observers: [observed] }), serve({ compiles: false })])
})
afterAll(() => Promise.all([quick.close(), plain.close()]))

const json = { 'content-type': 'application/json' }
const cages = '{ cages { nodes { id name } } }'

function posted(query: string, variables?: unknown): Sent {
  return { headers: json, body: JSON.stringify({ query, variables }) }
}

function exceeded(limit: LimitName, subject?: string): string {
  return exceededMessage(limit, defaultLimits, subject)
}

function nested(levels: number): string {
  return `{${'cages{nodes{animals{nodes{cage{'.repeat(levels / 5)}id${'}'.repeat(levels)}}`
}

/** The answer, which must be the same from both gateways each time. */
async function answerTo(sent: Sent): Promise<Answer> {
  const answer = await plain.send(sent)
  for (let time = 0; time < 3; time++) expect(await quick.send(sent)).toEqual(answer)
  return answer
}

describe('is refused before an operation begins', () => {
  test.each<[string, Sent, number, string, string]>([
    ['an operation of 2,000 levels', posted(nested(2000)), 200, 'LIMIT_EXCEEDED', exceeded('nesting')],
    ['an operation of 60 levels', posted(nested(60)), 200, 'LIMIT_EXCEEDED', exceeded('depth')],
    ['50,000 braces', posted('{'.repeat(50_000)), 200, 'GRAPHQL_PARSE_FAILED', 'Syntax Error: Expected Name, found "{".'],
    ['50,000 braces with names', posted('{a'.repeat(49_000)), 200, 'LIMIT_EXCEEDED', exceeded('nesting')],
    ['a list literal in 20,000 lists', posted(`{ told(moods: ${'['.repeat(20_000)}${']'.repeat(20_000)}) }`), 200, 'LIMIT_EXCEEDED', exceeded('nesting')],
    ['an object literal in 10,000 objects', posted(`{ cages(filter: ${'{a:'.repeat(10_000)}1${'}'.repeat(10_000)}) { totalCount } }`), 200, 'LIMIT_EXCEEDED', exceeded('nesting')],
    ['a type in 20,000 lists', posted(`query ($x: ${'['.repeat(20_000)}Int${']'.repeat(20_000)}) { told }`), 200, 'LIMIT_EXCEEDED', exceeded('nesting')],
    ['a variable in 20,000 lists', { headers: json, body: `{"query":"query ($m: [Mood!]) { told(moods: $m) }","variables":{"m":${'['.repeat(20_000)}${']'.repeat(20_000)}}}` }, 200, 'LIMIT_EXCEEDED', exceeded('nesting', 'The variables have')],
    ['a variable in 15,000 objects', { headers: json, body: `{"query":"query ($m: [Mood!]) { told(moods: $m) }","variables":{"m":${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}}}` }, 200, 'LIMIT_EXCEEDED', exceeded('nesting', 'The variables have')],
    ['extensions in 20,000 lists', { headers: json, body: `{"query":"${cages}","extensions":{"m":${'['.repeat(20_000)}${']'.repeat(20_000)}}}` }, 200, 'LIMIT_EXCEEDED', exceeded('nesting', 'The extensions have')],
    ['40,000 tokens', posted(`{ ${'a '.repeat(40_000)} }`), 200, 'LIMIT_EXCEEDED', exceeded('tokens')],
    ['fragments that spread each other twice, and at last one that does not exist', posted(`{ ...F0 } ${Array.from({ length: 40 }, (_, at) => `fragment F${at} on Query { ...F${at + 1} ...F${at + 1} }`).join(' ')}`), 200, 'LIMIT_EXCEEDED', exceeded('spreads')],
    ['500 aliases', posted(`{ ${Array.from({ length: 500 }, (_, at) => `a${at}: told`).join(' ')} }`), 200, 'LIMIT_EXCEEDED', exceeded('aliases')],
    ['500 directives', posted(`{ told ${'@skip(if: false) '.repeat(500)} }`), 200, 'LIMIT_EXCEEDED', exceeded('directives')],
    ['the same field 1,500 times', posted(`{ ${'told '.repeat(1500)} }`), 200, 'LIMIT_EXCEEDED', exceeded('repeats', 'told')],
    ['a billion fields in fragments', posted(`{ ...F0 } ${Array.from({ length: 30 }, (_, at) => `fragment F${at} on Query { ...F${at + 1} ...F${at + 1} }`).join(' ')} fragment F30 on Query { told }`), 200, 'LIMIT_EXCEEDED', exceeded('fields')],
    ['a fragment in itself', posted('{ ...F } fragment F on Query { ...F }'), 200, 'GRAPHQL_VALIDATION_FAILED', 'Cannot spread fragment "F" within itself.'],
    ['a megabyte', posted(cages + ' '.repeat(1_000_000)), 413, 'REQUEST_ENTITY_TOO_LARGE', exceeded('bodyBytes')],
    ['a chunked megabyte', { ...posted(cages + ' '.repeat(1_000_000)), chunked: true }, 413, 'REQUEST_ENTITY_TOO_LARGE', exceeded('bodyBytes')],
    ['invalid JSON', { headers: json, body: '{"secret": swordfish' }, 400, 'BAD_REQUEST', 'The request body is not JSON.'],
    ['invalid JSON, chunked', { headers: json, body: '{"secret": swordfish', chunked: true }, 400, 'BAD_REQUEST', 'The request body is not JSON.'],
    ['a list of operations', { headers: json, body: JSON.stringify([{ query: cages }, { query: cages }]) }, 400, 'BAD_REQUEST', 'Batching is not supported.'],
    ['variables in a URL that are not JSON', { method: 'GET', path: `/graphql?query=${encodeURIComponent(cages)}&variables={swordfish`, headers: { 'graphql-require-preflight': '1' } }, 400, 'BAD_REQUEST', 'The variables or extensions in the URL are not JSON.'],
  ])('%s', async (_, sent, status, code, message) => {
    const begun = observed.begun
    const answer = await answerTo(sent)
    expect(answer).toMatchObject({ status, errors: [{ message, extensions: { code } }] })
    expect(answer.text).not.toContain('swordfish')
    expect(answer.text.length).toBeLessThan(400)
    expect(observed.begun).toBe(begun)
    expect((await quick.ask('{ cages { totalCount } }')).data).toEqual({ cages: { totalCount: 2 } })
  })

  test('with status 400 for clients that accept application/graphql-response+json', async () => {
    const accept = { ...json, accept: 'application/graphql-response+json' }
    expect(await answerTo({ headers: accept, body: JSON.stringify({ query: nested(2000) }) })).toMatchObject({ status: 400 })
    expect(await answerTo({ headers: accept, body: `{"query":"{ told }","variables":{"m":${'['.repeat(200)}${']'.repeat(200)}}}` })).toMatchObject({ status: 400 })
  })
})

describe('a known operation obeys the limits on the fast path, too', () => {
  test('by its variables', async () => {
    const query = 'query ($moods: [Mood!]) { told(moods: $moods) }'
    for (let time = 0; time < 3; time++) expect((await quick.ask(query, { moods: ['HAPPY'] })).data).toEqual({ told: 'nothing' })
    const deep = `{"query":${JSON.stringify(query)},"variables":{"moods":${'['.repeat(101)}${']'.repeat(101)}}}`
    expect(codeIn(await quick.post(deep))).toBe('LIMIT_EXCEEDED')
  })
})

/** Writes a request without ending it, and returns what comes back. */
function raw(port: number, head: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${head}\r\n\r\n${body}`))
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (!text.endsWith('}]}')) return
      socket.destroy()
      resolve(text)
    })
    socket.on('error', reject)
  })
}

describe('no more of a body is read than the limit allows', () => {
  test('if its content-length is too large', async () => {
    for (const { port } of [quick, plain]) {
      expect(await raw(port, 'content-length: 100001', '{')).toMatch(/^HTTP\/1\.1 413 [^]*connection: close[^]*"REQUEST_ENTITY_TOO_LARGE"/i)
    }
  })

  test('if it is chunked and never ends', async () => {
    const endless = `20000\r\n${'a'.repeat(0x20000)}\r\n`
    for (const { port } of [quick, plain]) expect(await raw(port, 'transfer-encoding: chunked', endless)).toMatch(/^HTTP\/1\.1 413 [^]*"REQUEST_ENTITY_TOO_LARGE"/)
  })

  test('and a client that keeps sending is cut off', async () => {
    for (const { port } of [quick, plain]) {
      const socket = connect(port, '127.0.0.1', () => socket.write('POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'))
      let sent = 0
      const more = (): void => {
        sent += 0x10000
        socket.write(`10000\r\n${'a'.repeat(0x10000)}\r\n`, () => void (socket.destroyed || setImmediate(more)))
      }
      socket.once('connect', more)
      socket.resume()
      await new Promise<void>((resolve) => {
        socket.on('error', () => {})
        socket.once('close', () => resolve())
      })
      // The limit, and what fits into the buffers of two sockets.
      expect(sent).toBeLessThan(20_000_000)
    }
  })

  test('if it is passed to fetch as a stream', async () => {
    let pulled = 0
    const body = new ReadableStream({
      pull(controller) {
        pulled++
        controller.enqueue(Buffer.alloc(10_000, 32))
      },
    })
    const response = await quick.gateway.fetch('http://quire/graphql', { method: 'POST', headers: json, body, duplex: 'half' } as RequestInit)
    expect(response.status).toBe(413)
    expect(pulled).toBeLessThan(20)
  })

  test('and a body of exactly the limit is accepted', async () => {
    const body = JSON.stringify({ query: cages })
    const full = body + ' '.repeat(100_000 - body.length)
    expect(await answerTo({ headers: json, body: full })).toMatchObject({ status: 200 })
    expect(await answerTo({ headers: json, body: full, chunked: true })).toMatchObject({ status: 200 })
    expect(await answerTo({ headers: json, body: `${full} ` })).toMatchObject({ status: 413 })
    expect(await answerTo({ headers: json, body: `${full} `, chunked: true })).toMatchObject({ status: 413 })
  })
})
