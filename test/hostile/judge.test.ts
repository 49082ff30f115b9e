// The judge of answers: what it lets pass, and what it does not.

import { describe, expect, test } from 'vitest'
import { operation, raw } from '../../reliability/hostile/hostile-request.ts'
import { Judge } from '../../reliability/hostile/judge.ts'
import { SecretSearch } from '../../reliability/secret-search.ts'

const judge = new Judge(new SecretSearch([{ name: 'token', text: 'canary-of-a-token' }]), ['/home/someone/quire'])
const asked = operation('{ __typename }')

function problems(body: unknown, { status = 200, headers = {}, hostile = asked }: { status?: number; headers?: Record<string, string>; hostile?: typeof asked } = {}): string[] {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return judge.problems(hostile, [{ status, headers: { 'content-type': 'application/json; charset=utf-8', ...headers }, body: text, ms: 1 }])
}

const refusal = (code: string, message = 'No.') => ({ errors: [{ message, extensions: { code } }] })

describe('passes', () => {
  test.each([
    ['data', { data: { __typename: 'Query' } }, {}],
    ['a refusal with a code', refusal('BAD_USER_INPUT'), { status: 400 }],
    ['being too busy, with when to come back', refusal('OVERLOADED'), { status: 503, headers: { 'retry-after': '1' } }],
    ['what the request itself said', refusal('GRAPHQL_PARSE_FAILED', 'Unexpected Name "node_modules".'), { hostile: operation('node_modules') }],
  ])('%s', (_, body, answer) => {
    expect(problems(body, answer)).toEqual([])
  })
})

describe('does not pass', () => {
  test.each([
    ['a fault', refusal('BAD_REQUEST'), { status: 500 }, 'it is answered with 500'],
    ['being too busy without a word on when to come back', refusal('OVERLOADED'), { status: 503 }, 'it is answered with 503'],
    ['a fault behind a good status', { data: null, ...refusal('INTERNAL_SERVER_ERROR') }, {}, 'an error is our fault'],
    ['an error without a code', { errors: [{ message: 'No.' }] }, {}, 'an error has no code (200: No.)'],
    ['neither data nor errors', {}, {}, 'it has neither data nor errors'],
    ['no JSON', '<html>', {}, 'its body is not JSON'],
    ['a page', '<html>', { headers: { 'content-type': 'text/html' } }, 'JSON was asked for, and it is 200 with text/html'],
    ['a stack', refusal('X', 'Oh\n    at run (/x/y.js:1:2)'), {}, 'it tells of its inside: "at run (/x/y.js:1:2)"'],
    ['a file of the store', refusal('X', 'unable to open /home/someone/quire/library.db'), {}, 'it tells of its inside: "/home/someone/quire"'],
    ['a complaint of the engine', refusal('X', 'Cannot read properties of undefined'), {}, 'it tells of its inside: "Cannot read properties"'],
    ['a complaint of the database', refusal('X', 'no such table: books'), {}, 'it tells of its inside: "no such table"'],
    ['a secret in a header', { data: {} }, { headers: { 'x-echo': 'canary-of-a-token' } }, 'it tells the token (plain)'],
  ])('%s', (_, body, answer, problem) => {
    expect(problems(body, answer)).toContain(problem)
  })

  test('no answer at all, unless the connection may be closed', () => {
    expect(judge.problems(asked, [])).toEqual(['there is no answer'])
    expect(judge.problems(raw('nonsense'), [])).toEqual([])
  })
})

test('data for a token that is broken does not pass, and its refusal does', () => {
  const broken = { ...asked, broken: 'expired' }
  expect(problems({ data: { __typename: 'Query' } }, { hostile: broken })).toEqual(['there is data for a token that is broken'])
  expect(problems(refusal('UNAUTHENTICATED'), { status: 401, hostile: broken })).toEqual([])
})
