// The same as Node's HMAC, for keys and texts of any length.

import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { createHmacOf } from '../../../src/model/keys/hmac.ts'
import fc from '../../fast-check.ts'

test('it equals the HMAC of node:crypto for the same key and text', () => {
  const text = fc.string({ unit: 'binary', maxLength: 200 })
  fc.assert(fc.property(text, text, (key, message) => {
    expect(createHmacOf(key)(message).toString('hex')).toBe(createHmac('sha256', key).update(message).digest('hex'))
  }))
})
