// Patterns match what JavaScript's regular expressions match, and no text takes them long.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPattern, maxStates, type Pattern } from '../../src/model/values/pattern.ts'

function patternOf(source: string): Pattern {
  const pattern = createPattern(source)
  if (typeof pattern === 'string') throw new Error(`/${source}/ ${pattern}`)
  return pattern
}

const texts = ['', 'a', 'b', 'ab', 'ba', 'aab', 'abc', 'aaaa', 'A1', '1', '12', '-', 'a-b', ' a', 'a\nb', 'é', '😀', 'a😀b', '978-3-16-148410-0', 'ISBN', 'x@y.z', '\u2028']

test.each([
  'a', '^a$', '^ab*$', '^(a|b)+$', '^a{2}$', '^a{2,}$', '^a{1,3}b?$', 'a.b', '^.$', '[^a]', '^[a-c]+$', '\\d', '^\\w+$', '\\s', '^\\d{1,3}(-\\d+)*$', '^$', '', '^(?:a|)b', 'a|^$', '^\\p{L}+$', '[\\]a]', '\\.', '\\u{1F600}', '\\uD83D\\uDE00', '^[😀]$', '(?<year>1)2', 'a*?b', '^(a+)+$', '(a*)*b', '[\\d-]', '\\x61', '^a$|^b$', '(^a|b$)', 'a{0}b', '\\-',
].filter((source) => {
  try {
    return Boolean(new RegExp(source, 'u'))
  } catch {
    return false
  }
}))('/%s/ matches what JavaScript says', (source) => {
  const pattern = patternOf(source)
  for (const text of texts) expect([text, pattern.matches(text)]).toEqual([text, new RegExp(source, 'u').test(text)])
})

test('random patterns match what JavaScript says', () => {
  const { pattern } = fc.letrec<{ pattern: string; atom: string }>((tie) => ({
    atom: fc.oneof({ depthSize: 'small' }, fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\d', '^', '$', '\\w'), tie('pattern').map((inner) => `(${inner})`)),
    pattern: fc.oneof({ depthSize: 'small' }, tie('atom'), fc.tuple(tie('atom'), tie('atom')).map((two) => two.join('')), fc.tuple(tie('pattern'), tie('pattern')).map((two) => two.join('|')),
      fc.tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,}', '*?')).map(([inner, quantifier]) => `(${inner})${quantifier}`)),
  }))
  fc.assert(fc.property(pattern, fc.array(fc.constantFrom('a', 'b', '1', '\n', 'é', '😀'), { maxLength: 6 }), (source, parts) => {
    const text = parts.join('')
    expect(patternOf(source).matches(text)).toBe(new RegExp(source, 'u').test(text))
  }), { numRuns: 2000 })
})

describe('what it refuses', () => {
  test.each([
    ['a(', 'is no regular expression'], ['(?=a)', 'looks ahead'], ['(?<!a)b', 'looks ahead'], ['(a)\\1', 'refers back'], ['(?<x>a)\\k<x>', 'refers back'], ['\\ba', 'word boundary'], ['(a{30}){50}', `the max is ${maxStates}`], ['((a{100}){100}){100}', `the max is ${maxStates}`],
  ])('/%s/ %s', (source, says) => {
    expect(createPattern(source)).toContain(says)
  })
})

test('each character is looked at once, whatever the pattern: where JavaScript takes years, this takes steps', () => {
  let looked = 0
  const text = `${'a'.repeat(10_000)}!`
  const counted = Object.assign(Object(text) as string, { codePointAt(at: number) {
    looked++
    return text.codePointAt(at)
  } })
  expect(patternOf('^(a+)+$').matches(counted)).toBe(false)
  expect(looked).toBe(text.length)
})
