// How a request for documents is authorized. That the service accepts the signatures is shown by every other test of this store.

import { createHttpHeaders, createPipelineRequest, type PipelineRequest } from '@azure/core-rest-pipeline'
import { expect, test } from 'vitest'
import { signedInWith, signedWith, type SendSigned } from '../../../src/store/cosmos/request/authorization.ts'

async function headersFor(signed: SendSigned, method: 'GET' | 'POST', path: string): Promise<Record<string, string>> {
  const request = createPipelineRequest({ url: `https://account.documents.azure.com/${path}`, method })
  let sent: PipelineRequest | undefined
  await signed(request, path, async (each) => {
    sent = each
    return { request: each, status: 200, headers: createHttpHeaders() }
  })
  return sent!.headers.toJSON()
}

const key = Buffer.from('a key').toString('base64')

test('with a key, the signature is of the method, the path and the second', async () => {
  let now = Date.parse('2026-11-17T08:00:00.100Z')
  const signed = signedWith(key, () => now)
  const sign = async (method: 'GET' | 'POST', path: string) => (await headersFor(signed, method, path))['authorization']
  const first = await sign('POST', 'dbs/d/colls/c')
  expect(decodeURIComponent(first!)).toMatch(/^type=master&ver=1\.0&sig=[\w+/]+=*$/)
  now += 800
  expect(await sign('POST', 'dbs/d/colls/c')).toBe(first)
  expect(new Set([first, await sign('POST', 'dbs/d/colls/d'), await sign('GET', 'dbs/d/colls/c'), await sign('GET', 'dbs/d/colls/c/docs/1')]).size).toBe(4)
  now += 200
  expect(await headersFor(signed, 'POST', 'dbs/d/colls/c')).toMatchObject({ 'x-ms-date': 'Tue, 17 Nov 2026 08:00:01 GMT' })
  expect(await sign('POST', 'dbs/d/colls/c')).not.toBe(first)
})

test('a token of the account is sent as it is', async () => {
  expect((await headersFor(signedWith('type=sas&ver=1.1&sig=x'), 'GET', 'dbs/d'))['authorization']).toBe(encodeURIComponent('type=sas&ver=1.1&sig=x'))
})

test('with Entra ID, one token serves until it expires', async () => {
  const asked: unknown[] = []
  const signed = signedInWith({ getToken: async (scope) => ({ token: `t${asked.push(scope)}`, expiresOnTimestamp: Date.now() + 3_600_000 }) }, 'https://account.documents.azure.com/')
  for (let count = 0; count < 2; count++) expect((await headersFor(signed, 'GET', 'dbs/d'))['authorization']).toBe('type=aad&ver=1.0&sig=t1')
  expect(asked).toEqual([['https://account.documents.azure.com/.default']])
})

test('a tenant that does not know the account is asked for a token of the service', async () => {
  const signed = signedInWith({
    async getToken(scope) {
      if (String(scope).includes('account')) throw new Error('AADSTS500011: The resource principal was not found.')
      return { token: String(scope), expiresOnTimestamp: Date.now() + 3_600_000 }
    },
  }, 'https://account.documents.azure.com')
  expect((await headersFor(signed, 'GET', 'dbs/d'))['authorization']).toBe('type=aad&ver=1.0&sig=https://cosmos.azure.com/.default')
})
