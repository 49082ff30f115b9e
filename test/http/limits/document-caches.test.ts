// Parsed documents are cached within a number of bytes, whatever their number.

import { expect, test } from 'vitest'
import { ParsedDocuments } from '../../../src/http/limits/parsed-documents.ts'
import { defaultLimits } from '../../../src/http/limits/request-limits.ts'
import { bytesOf } from '../../../src/execute/document-bytes.ts'
import { parseWithin } from '../../../src/http/limits/parse-within.ts'
import { serve } from '../production/serve.ts'

const large = (at: number) => `{ ${Array.from({ length: 150 }, (_, field) => `a${field}: told`).join(' ')} } # ${at} ${'x'.repeat(80_000)}`

test('the least recently used document makes room, and one that does not fit is not kept', () => {
  const document = parseWithin('{ a b c d e f g h }', defaultLimits)
  const caches = new ParsedDocuments(bytesOf(document) * 4)
  for (const name of ['one', 'two', 'three', 'four', 'five']) caches.documentCache.set(name, document)
  expect([...caches.documentCache.keys()].toSorted()).toEqual(['five', 'four', 'three'])
  caches.documentCache.set('large', parseWithin(large(1), defaultLimits))
  expect(caches.documentCache.has('large')).toBe(false)
})

test('hundreds of large documents, valid and invalid, stay within the bytes of their caches', async () => {
  const maxBytes = 1_000_000
  const served = await serve({ openMetrics: true, documentBytes: maxBytes, planBytes: maxBytes })
  const bytes = async () => {
    const { text } = await served.send({ method: 'GET', path: '/metrics' })
    return Object.fromEntries([...text.matchAll(/^quire_cache_bytes\{cache="(\w+)"\} (\d+)/gm)].map(([, cache, taken]) => [cache, Number(taken)])) as { parsed: number; operations: number }
  }
  for (let at = 0; at < 200; at++) {
    expect((await served.ask(at % 2 === 0 ? large(at) : `${large(at)}\n}`)).status).toBe(200)
    const { parsed, operations } = await bytes()
    expect(parsed).toBeLessThanOrEqual(maxBytes + 2)
    expect(operations).toBeLessThanOrEqual(maxBytes + 2)
  }
  expect((await bytes()).parsed).toBeGreaterThan(0)
  await served.close()
})
