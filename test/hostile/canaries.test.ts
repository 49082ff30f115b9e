// Scenarios notice a secret in a gateway's output, also when the system splits the output in the middle of it.

import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { searched, searchOutput, searchText, canaryHeaders, canarySettings } from '../../reliability/canaries.ts'

test('text without secrets is only counted', () => {
  searchText('an answer', '{"data":{}}')
  expect(searched()).toEqual({ bytes: 11, leaks: [] })
})

test('a secret in the output is found, also in two pieces, and is not printed', async () => {
  const written = new PassThrough()
  searchOutput('what a gateway wrote', written)
  const key = canarySettings.COSMOS_KEY
  written.write(`connecting with ${key.slice(0, 10)}`)
  await turn()
  expect(searched().leaks).toEqual([])
  written.write(key.slice(10))
  await turn()
  expect(searched().leaks).toEqual(['The key of an Azure account was in what a gateway wrote (plain), after: connecting with '])
})

test('a secret in an answer is found in base64', () => {
  searchText('an answer', Buffer.from(`x ${canaryHeaders.authorization}`).toString('base64'))
  expect(searched().leaks.some((leak) => leak.startsWith('The bearer token was in an answer (base64'))).toBe(true)
})
