// Reads and queries of documents without the SDK, with a service whose responses each test defines.

import { createHttpHeaders, RestError, type PipelineRequest } from '@azure/core-rest-pipeline'
import { describe, expect, test } from 'vitest'
import type { Items } from '../../../src/store/cosmos/read-many/items.ts'
import { createItems } from '../../../src/store/cosmos/request/item-requests.ts'
import { readEndpointOf } from '../../../src/store/cosmos/request/read-endpoint.ts'
import { SessionTokens } from '../../../src/store/cosmos/request/session-tokens.ts'

type Reply = { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown } | Error

const bySdk: Items = {
  read: async () => ({ status: 200, substatus: undefined, item: { id: 'by the SDK' } as never }),
  query: async () => ['by the SDK'] as never,
}

/** Responds with one reply after the other. */
function itemsWith(replies: readonly Reply[], { hasRegions = false, sessions = new SessionTokens() } = {}) {
  const sent: PipelineRequest[] = []
  const items = createItems({
    hasRegions, sessions, agent: {} as never,
    endpoint: () => 'https://account',
    signed: (request, path, send) => {
      request.headers.set('authorization', path)
      return send(request)
    },
    transport: {
      async sendRequest(request) {
        const reply = replies[sent.push(request) - 1]!
        if (reply instanceof Error) throw reply
        return { request, status: reply.status, headers: createHttpHeaders(reply.headers), bodyAsText: JSON.stringify(reply.body ?? {}) }
      },
    },
  }, 'my db', 'books', bySdk)
  return { items, sent }
}

const key = { id: 'b é', partitionKey: ['Zoë', undefined, 1] }
const sql = { query: 'SELECT * FROM c', parameters: [] }
const page = (Documents: unknown[], continuation?: string): Reply => ({ status: 200, body: { Documents }, ...(continuation === undefined ? {} : { headers: { 'x-ms-continuation': continuation } }) })

test('a point read names the document in its path, and the partition key in ASCII', async () => {
  const { items, sent } = itemsWith([{ status: 200, body: { id: 'b é' } }])
  expect(await items.read(key)).toEqual({ status: 200, substatus: undefined, item: { id: 'b é' } })
  expect(sent[0]).toMatchObject({ method: 'GET', url: 'https://account/dbs/my%20db/colls/books/docs/b%20%C3%A9' })
  expect(sent[0]!.headers.toJSON()).toMatchObject({ authorization: 'dbs/my db/colls/books/docs/b é', 'x-ms-documentdb-partitionkey': '["Zo\\u00eb",{},1]', 'x-ms-consistency-level': 'Session' })
})

test('a missing document is no error; anything else that is missing is one', async () => {
  const { items } = itemsWith([{ status: 404 }, { status: 404, headers: { 'x-ms-substatus': '0' } }, { status: 404, headers: { 'x-ms-substatus': '1003' } }])
  expect(await items.read(key)).toEqual({ status: 404, substatus: undefined, item: undefined })
  expect(await items.read(key)).toEqual({ status: 404, substatus: undefined, item: undefined })
  await expect(items.read(key)).rejects.toMatchObject({ code: 404, substatus: 1003 })
})

test('a query goes to one partition, and reads all pages, empty ones too', async () => {
  const { items, sent } = itemsWith([page([], 'p1'), page([1, 2], 'p2'), page([3])])
  expect(await items.query(sql, { physical: '7' }, 100)).toEqual([1, 2, 3])
  expect(sent.map(({ headers }) => headers.get('x-ms-continuation'))).toEqual([undefined, 'p1', 'p2'])
  for (const { method, url, body, headers } of sent) {
    expect([method, url, body]).toEqual(['POST', 'https://account/dbs/my%20db/colls/books/docs', JSON.stringify(sql)])
    expect(headers.toJSON()).toMatchObject({ authorization: 'dbs/my db/colls/books', 'x-ms-documentdb-partitionkeyrangeid': '7', 'x-ms-max-item-count': '100' })
  }
})

test('a query of one logical partition sends its key', async () => {
  const { items, sent } = itemsWith([page([1])])
  await items.query(sql, { partitionKey: ['p'] }, 100)
  expect(sent[0]!.headers.toJSON()).toMatchObject({ 'x-ms-documentdb-partitionkey': '["p"]' })
  expect(sent[0]!.headers.has('x-ms-documentdb-partitionkeyrangeid')).toBe(false)
})

test('requests send what the session knows', async () => {
  const sessions = new SessionTokens()
  const { items, sent } = itemsWith([page([]), page([])], { sessions })
  await items.query(sql, { physical: '0' }, 1)
  sessions.observe('https://account/dbs/my%20db/colls/books/docs', '0:1#5')
  await items.query(sql, { physical: '0' }, 1)
  expect(sent.map(({ headers }) => headers.get('x-ms-session-token'))).toEqual([undefined, '0:1#5'])
})

test('an error has the code, the substatus and the message of the response', async () => {
  const gone: Reply = { status: 410, headers: { 'x-ms-substatus': '1002' }, body: { message: 'The partition is gone.' } }
  const { items } = itemsWith([gone, gone], { hasRegions: true })
  const error = { code: 410, substatus: 1002, message: 'The partition is gone.' }
  await expect(items.read(key)).rejects.toMatchObject(error)
  await expect(items.query(sql, { physical: '0' }, 1)).rejects.toMatchObject(error)
})

describe('an account with several regions', () => {
  const regional: Reply[] = [{ status: 503 }, { status: 408 }, { status: 403 }, new RestError('socket hang up', { code: 'REQUEST_SEND_ERROR' })]

  test('leaves a request that one region cannot answer to the SDK', async () => {
    for (const reply of regional) {
      const { items } = itemsWith([reply, reply], { hasRegions: true })
      expect(await items.read(key)).toMatchObject({ item: { id: 'by the SDK' } })
      expect(await items.query(sql, { physical: '0' }, 1)).toEqual(['by the SDK'])
    }
  })

  test('but not one that all regions would refuse, nor one whose time is over', async () => {
    for (const status of [400, 401, 429]) await expect(itemsWith([{ status }], { hasRegions: true }).items.read(key)).rejects.toMatchObject({ code: status })
    await expect(itemsWith([{ status: 503 }], { hasRegions: true }).items.read(key, AbortSignal.abort())).rejects.toMatchObject({ code: 503 })
  })

  test('and an account without regions does not', async () => {
    await expect(itemsWith([{ status: 503 }]).items.read(key)).rejects.toMatchObject({ code: 503 })
  })

  test('reads from the one that the SDK chooses, and keeps the last choice if the SDK has none', async () => {
    const choices: (() => string)[] = [() => 'https://west/', () => 'https://east/', () => { throw new Error('no region') }]
    let now = 0
    const endpoint = await readEndpointOf({ getReadEndpoint: async () => choices.shift()!() }, () => now)
    now = 999
    expect([endpoint(), choices.length]).toEqual(['https://west', 2])
    for (const chosen of ['https://west', 'https://east', 'https://east']) {
      now += 1000
      expect(endpoint()).toBe(chosen)
      await new Promise(setImmediate)
    }
  })
})
