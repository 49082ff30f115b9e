// The search itself: the encodings it finds, and text in which it finds nothing.

import fc from '../fast-check.ts'
import { describe, expect, test } from 'vitest'
import { SecretSearch } from '../../reliability/secret-search.ts'

const text = 'canary/of+a=key: do not tell'
const searcher = new SecretSearch([{ name: 'key', text }])
const found = (where: string) => searcher.leaksIn('the log', where).map(({ secret }) => secret)

describe('a secret is found', () => {
  test.each([
    ['as it is', text],
    ['URL-encoded', `?key=${encodeURIComponent(text)}&x=y`],
    ['in base64', Buffer.from(text).toString('base64')],
    ['in base64 with something around it', Buffer.from(`user:${text} and more`).toString('base64')],
    ['in base64 for addresses', Buffer.from(`xy${text}`).toString('base64url')],
    ['in hexadecimal', Buffer.from(text).toString('hex')],
  ])('%s', (_, written) => {
    expect(found(`a line before ${written} and one behind`)).toContain('key')
  })

  test('in JSON, with everything escaped that JSON escapes', () => {
    const quoted = new SecretSearch([{ name: 'password', text: 'a "quoted" one\\' }])
    expect(quoted.leaksIn('an answer', JSON.stringify({ x: 'a "quoted" one\\' })).map(({ secret }) => secret)).toContain('password')
  })

  test('in base64, with any bytes before and after it', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 9 }), fc.uint8Array({ maxLength: 9 }), (before, behind) => {
      expect(found(Buffer.concat([before, Buffer.from(text), behind]).toString('base64'))).toContain('key')
    }))
  })
})

test('a finding has the place and the text before the secret, but not the secret', () => {
  const [leak] = searcher.leaksIn('metrics', `label="${text}"`)
  expect(leak).toEqual({ secret: 'key', where: 'metrics', as: 'plain', after: 'label="' })
})

test('text without a secret has no findings', () => {
  expect(found('canary of a key')).toEqual([])
})
