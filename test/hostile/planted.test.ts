// Shows find out a gateway that writes what it must not, wherever the system cuts what it wrote.

import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { heard, listenTo, lookIn, plantedHeaders, plantedSettings } from '../../reliability/planted.ts'

test('what says nothing of secrets is only counted', () => {
  lookIn('an answer', '{"data":{}}')
  expect(heard()).toEqual({ bytes: 11, leaks: [] })
})

test('a secret is found in what is written, also when it comes in two pieces, and is not told', async () => {
  const written = new PassThrough()
  listenTo('what a gateway wrote', written)
  const key = plantedSettings.COSMOS_KEY
  written.write(`connecting with ${key.slice(0, 10)}`)
  await turn()
  expect(heard().leaks).toEqual([])
  written.write(key.slice(10))
  await turn()
  expect(heard().leaks).toEqual(['The key of an account was in what a gateway wrote (plain), after: connecting with '])
})

test('a secret is found in an answer, in other letters', () => {
  lookIn('an answer', Buffer.from(`x ${plantedHeaders.authorization}`).toString('base64'))
  expect(heard().leaks.some((leak) => leak.startsWith('The bearer token was in an answer (base64'))).toBe(true)
})
