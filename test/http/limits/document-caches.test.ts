// Parsed documents are cached within a number of bytes, whatever their number.

import { expect, test } from 'vitest'
import { ParsedDocuments } from '../../../src/http/limits/parsed-documents.ts'
import { defaultLimits } from '../../../src/http/limits/request-limits.ts'
import { bytesOf } from '../../../src/execute/document-bytes.ts'
import { parseWithin } from '../../../src/http/limits/parse-within.ts'
import { serve } from '../production/serve.ts'

const large = (at: number) => `{ ${Array.from({ length: 150 }, (_, field) => `a${field}: told`).join(' ')} } # ${at} ${'x'.repeat(80_000)}`

/** The fast path answers no request for this type. */
const throughYoga = (query: string) => ({ headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' }, body: JSON.stringify({ query }) })

test('the least recently used document makes room, and one that does not fit is not kept', () => {
  const document = parseWithin('{ a b c d e f g h }', defaultLimits)
  const { documentCache } = new ParsedDocuments(bytesOf(document) * 4)
  const names = ['one', 'two', 'three', 'four', 'five']
  for (const name of [...names, 'large']) documentCache.set(name, document)
  expect(names.filter((name) => documentCache.get(name))).toEqual([])
  for (const name of names) documentCache.set(name, document)
  expect(names.filter((name) => documentCache.get(name))).toEqual(['three', 'four', 'five'])
  documentCache.set('large', parseWithin(large(1), defaultLimits))
  expect(documentCache.get('large')).toBeUndefined()
})

test('texts that are sent once leave nothing in the caches, and take nothing out', async () => {
  const served = await serve({ openMetrics: true })
  const bytes = async () => (await served.send({ method: 'GET', path: '/metrics' })).text.match(/^quire_cache_bytes\{.*/gm)
  const hot = '{ cages { nodes { name keepers { name } } } }'
  for (let time = 0; time < 3; time++) await served.ask(hot)
  const before = await bytes()
  expect(before?.filter((line) => !line.endsWith(' 0')).map((line) => /"(\w+)"/.exec(line)![1])).toEqual(expect.arrayContaining(['operations', 'rows']))
  for (let at = 0; at < 300; at++) {
    // On the fast path, through Yoga, with an error, and an invalid one.
    expect((await served.ask(`{ cage(id: "x${at}") { name } }`)).data).toEqual({ cage: null })
    expect((await served.send(throughYoga(`{ cage(id: "y${at}") { name } }`))).data).toEqual({ cage: null })
    await served.ask(`{ fails: cages(first: -${at + 1}) { totalCount } }`)
    await served.ask(`{ nothing${at} }`)
  }
  expect(await bytes()).toEqual(before)
  await served.close()
}, 60_000)

test('a trusted document is compiled and kept when it is first asked', async () => {
  const text = '{ cages { nodes { name keepers { name } } } }'
  const served = await serve({ openMetrics: true, trustedDocuments: { cages: text } })
  await served.ask(text)
  const { text: metrics } = await served.send({ method: 'GET', path: '/metrics' })
  expect(metrics).toMatch(/^quire_cache_bytes\{cache="operations"\} [1-9]/m)
  expect(metrics).toMatch(/^quire_cache_bytes\{cache="rows"\} [1-9]/m)
  await served.close()
})

test('hundreds of large documents, valid and invalid, stay within the bytes of their caches', async () => {
  const maxBytes = 1_000_000
  const served = await serve({ openMetrics: true, documentBytes: maxBytes, planBytes: maxBytes })
  const bytes = async () => {
    const { text } = await served.send({ method: 'GET', path: '/metrics' })
    return Object.fromEntries([...text.matchAll(/^quire_cache_bytes\{cache="(\w+)"\} (\d+)/gm)].map(([, cache, taken]) => [cache, Number(taken)])) as { parsed: number; operations: number }
  }
  for (let at = 0; at < 100; at++) {
    // Twice, so that they are worth keeping.
    for (let time = 0; time < 2; time++) {
      expect((await served.ask(at % 2 === 0 ? large(at) : `${large(at)}\n}`)).status).toBe(200)
      expect((await served.send(throughYoga(large(at)))).status).toBe(200)
    }
    const { parsed, operations } = await bytes()
    expect(parsed).toBeLessThanOrEqual(maxBytes + 2)
    expect(operations).toBeLessThanOrEqual(maxBytes + 2)
  }
  expect((await bytes()).parsed).toBeGreaterThan(0)
  await served.close()
})
