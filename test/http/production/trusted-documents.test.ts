// With trusted documents, only those run: by the id that clients send for them, or by their exact text.

import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError } from '../../../src/errors.ts'
import { defaultLimits, exceededMessage } from '../../../src/http/limits/request-limits.ts'
import { readTrustedDocuments } from '../../../src/serve/read-trusted-documents.ts'
import { serve, type Answer, type Sent, type Served } from './serve.ts'

const texts = {
  cages: 'query Cages($n: Int) { cages(first: $n) { nodes { id } } }',
  two: 'query One { cages { totalCount } } query Two { animals { totalCount } }',
  prefixed: 'query Prefixed { cages { totalCount } }',
  rename: 'mutation Rename($name: String!) { updateCage(input: { id: "c1", name: $name }) { cage { name } } }',
}
const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const trustedDocuments = { [hash(texts.cages)]: texts.cages, [hash(texts.two)]: texts.two, [`sha256:${hash(texts.prefixed)}`]: texts.prefixed, '0f8f09c4': texts.rename }

let quick: Served
let plain: Served
beforeAll(async () => {
  ;[quick, plain] = await Promise.all([serve({ trustedDocuments }), serve({ trustedDocuments, compiles: false })])
})
afterAll(() => Promise.all([quick.close(), plain.close()]))

const json = { 'content-type': 'application/json' }
const persisted = (sha256Hash: unknown) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } })
const nodes = { cages: { nodes: [{ id: 'c1' }, { id: 'c2' }] } }

async function answerTo(sent: Sent): Promise<Answer> {
  const answer = withoutSession(await plain.send(sent))
  for (let time = 0; time < 3; time++) expect(withoutSession(await quick.send(sent))).toEqual(answer)
  return answer
}

/** The session token holds the time of the write. */
function withoutSession(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, 'quire-session': undefined } }
}

const posted = (body: unknown): Sent => ({ headers: json, body: JSON.stringify(body) })
const got = (parameters: Record<string, string>): Sent => ({ method: 'GET', path: `/graphql?${new URLSearchParams(parameters).toString()}`, headers: { 'graphql-require-preflight': '1' } })

describe('a document runs', () => {
  test.each<[string, Sent, unknown]>([
    ['by the hash that Apollo and urql send', posted(persisted(hash(texts.cages))), nodes],
    ['by that hash, with variables', posted({ ...persisted(hash(texts.cages)), variables: { n: 1 } }), { cages: { nodes: [{ id: 'c1' }] } }],
    ['by that hash and its text', posted({ ...persisted(hash(texts.cages)), query: texts.cages }), nodes],
    ['by its id', posted({ documentId: hash(texts.cages) }), nodes],
    ['by its id with the name of the hash', posted({ documentId: `sha256:${hash(texts.cages)}` }), nodes],
    ['whose id in the file has the name of the hash, by its id as it is there', posted({ documentId: `sha256:${hash(texts.prefixed)}` }), { cages: { totalCount: 2 } }],
    ['whose id in the file has the name of the hash, by the hash alone', posted(persisted(hash(texts.prefixed))), { cages: { totalCount: 2 } }],
    ['by an id that is no hash', posted({ documentId: '0f8f09c4', variables: { name: 'Big' } }), { updateCage: { cage: { name: 'Big' } } }],
    ['by its text', posted({ query: texts.cages }), nodes],
    ['by its text, with null elsewhere', posted({ query: texts.cages, documentId: null, extensions: null, variables: null }), nodes],
    ['one operation of several', posted({ documentId: hash(texts.two), operationName: 'Two' }), { animals: { totalCount: 2 } }],
    ['by its id in a URL', got({ documentId: hash(texts.cages), variables: '{"n":1}' }), { cages: { nodes: [{ id: 'c1' }] } }],
    ['by its hash in a URL', got({ extensions: JSON.stringify(persisted(hash(texts.cages)).extensions) }), nodes],
    ['by its text in a URL', got({ query: texts.cages }), nodes],
  ])('%s', async (_, sent, data) => {
    const answer = await answerTo(sent)
    expect(answer.errors).toBeUndefined()
    expect(answer.data).toEqual(data)
  })

  test('on the fast path, also by its id', async () => {
    const ways: string[] = []
    // Requests on the fast path have no real host.
    const served = await serve({ trustedDocuments, observers: [{ begin: ({ request }) => void ways.push(request.url.startsWith('http://node/') ? 'fast path' : 'Yoga') }] })
    await served.post({ documentId: hash(texts.cages) })
    await served.post({ documentId: hash(texts.cages) })
    await served.post(persisted(hash(texts.cages)))
    await served.post({ query: texts.cages, variables: { n: 1 } })
    expect(ways).toEqual(['fast path', 'fast path', 'fast path', 'fast path'])
    await served.close()
  })
})

describe('is refused before it is parsed', () => {
  test.each<[string, Sent]>([
    ['another text', posted({ query: '{ cages { totalCount } }' })],
    ['a text that differs by a space', posted({ query: `${texts.cages} ` })],
    ['what cannot be parsed', posted({ query: '{' })],
    ['introspection', posted({ query: '{ __schema { types { name } } }' })],
    ['an unknown hash', posted(persisted(hash('{ cages { totalCount } }')))],
    ['an unknown hash with its text', posted({ ...persisted(hash('{ cages { totalCount } }')), query: '{ cages { totalCount } }' })],
    ['a known hash with another text', posted({ ...persisted(hash(texts.cages)), query: '{ cages { totalCount } }' })],
    ['a known id with another known text', posted({ documentId: hash(texts.cages), query: texts.two })],
    ['a known text with an unknown id', posted({ documentId: 'nothing', query: texts.cages })],
    ['an id that is part of every object', posted({ documentId: 'constructor' })],
    ['an id that is a number', posted({ documentId: 1 })],
    ['an id that is a list', posted({ documentId: [hash(texts.cages)] })],
    ['a hash that is an object', posted(persisted({}))],
    ['a query that is a number', posted({ query: 1 })],
    ['nothing', posted({})],
    ['another text in a URL', got({ query: '{ cages { totalCount } }' })],
    ['an unknown id in a URL', got({ documentId: 'nothing', query: texts.cages })],
  ])('%s', async (_, sent) => {
    expect(await answerTo(sent)).toMatchObject({
      status: 400,
      errors: [{ extensions: { code: 'UNTRUSTED_DOCUMENT' } }],
    })
  })

  test('also in development', async () => {
    const friendly = await serve({ trustedDocuments, development: true })
    expect((await friendly.ask('{ cages { totalCount } }')).errors).toMatchObject([{ extensions: { code: 'UNTRUSTED_DOCUMENT' } }])
    expect((await friendly.ask(texts.cages)).data).toEqual(nodes)
    await friendly.close()
  })
})

test('without trusted documents, an id is no way to name a document', async () => {
  const open = await serve()
  expect((await open.post({ documentId: hash(texts.cages) })).errors).toMatchObject([{ message: 'Unexpected parameter "documentId" in the request body.', extensions: { code: 'BAD_REQUEST' } }])
  expect((await open.post(persisted(hash(texts.cages)))).errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }])
  await open.close()
})

test('invalid trusted documents are all reported at start, before a store is opened', async () => {
  let opened = false
  const documents = { a: '{ lions { id } }', b: '{', c: 'fragment F on Cage { id }', d: 'query Q { cage(id: "c1") { nam } __schema { queryType { name } } }', [hash('{ x }')]: '{ cages { totalCount } }', e: `{ ${'told '.repeat(101)} }`, f: texts.cages }
  const error = await serve({ trustedDocuments: documents, store: () => Promise.reject(new Error(String(opened = true))) }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConfigError)
  expect((error as ConfigError).message.split('\n').slice(1)).toEqual([
    '  - a, line 1, column 3: Cannot query field "lions" on type "Query".',
    '  - b, line 1, column 2: Syntax Error: Expected Name, found <EOF>.',
    expect.stringMatching(/^ {2}- c: .*only fragments/),
    '  - d (Q), line 1, column 28: Cannot query field "nam" on type "Cage". Did you mean "name"?',
    expect.stringMatching(/^ {2}- d \(Q\), line 1, column 34: .*__schema/),
    expect.stringMatching(new RegExp(`^ {2}- ${hash('{ x }')}: .*sha256`)),
    `  - e, line 1, column 503: ${exceededMessage('repeats', defaultLimits, 'told')}`,
  ])
  expect(opened).toBe(false)
})

describe('a file of trusted documents', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-trusted-'))
    return () => rmSync(folder, { recursive: true, force: true })
  })
  const written = (text: string) => {
    const file = join(folder, 'documents.json')
    writeFileSync(file, text)
    return file
  }

  test('is a map of ids to texts, as code generators write it', () => {
    expect(readTrustedDocuments(written(JSON.stringify(trustedDocuments)))).toEqual(trustedDocuments)
  })

  test('may be the list that Apollo writes', () => {
    const operations = Object.entries(trustedDocuments).map(([id, body]) => ({ id, body, name: 'Q', type: 'query' }))
    expect(readTrustedDocuments(written(JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations })))).toEqual(trustedDocuments)
  })

  test.each([
    ['{', /not JSON: .*line 1 column 2/],
    ['[]', /not a JSON object\. Write \{/],
    ['{}', /has none/],
    ['{ "a": 1 }', /"a" has no text/],
    ['{ "a": " " }', /"a" has no text/],
    ['{ "a": "{ x }", "b": "{ a: y }", "a": "{ z }" }', /"a" occurs twice/],
    ['{ "operations": [{ "id": "a", "body": "{ x }" }, { "id": "a", "body": "{ y }" }] }', /"a" occurs twice/],
    ['{ "operations": [{ "body": "{ x }" }] }', /an operation has no id/],
  ])('that is %s is refused', (text, problem) => {
    const file = written(text)
    expect(() => readTrustedDocuments(file)).toThrow(ConfigError)
    expect(() => readTrustedDocuments(file)).toThrow(problem)
    expect(() => readTrustedDocuments(file)).toThrow(file)
  })

  test('has to be there', () => {
    const file = join(folder, 'nowhere.json')
    expect(() => readTrustedDocuments(file)).toThrow(new ConfigError(`The trusted documents in ${file} cannot be read: there is no such file.`))
  })
})
