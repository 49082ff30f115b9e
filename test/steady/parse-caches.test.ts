// What is remembered of parsed operations stays within its bytes, however many and however long they are.

import { GraphQLError, parse } from 'graphql'
import { expect, test } from 'vitest'
import { createParseCaches } from '../../src/limits/parse-caches.ts'

test('operations and mistakes that are remembered take no more than they may', () => {
  const { documentCache, errorCache } = createParseCaches(400_000)
  for (let number = 0; number < 500; number++) {
    const text = `query Q${number} { ${'a '.repeat(number + 1)}}`
    documentCache.set(text, parse(text))
    errorCache.set(`${text}{`, new GraphQLError('Syntax Error'))
    expect(documentCache.calculatedSize).toBeLessThanOrEqual(300_000)
    expect(errorCache.calculatedSize).toBeLessThanOrEqual(100_000)
  }
  expect(documentCache.size).toBeGreaterThan(1)
  expect(documentCache.size).toBeLessThan(300)
})

test('one that would take all of it is not remembered, and takes nothing from the others', () => {
  const { documentCache } = createParseCaches(400_000)
  documentCache.set('{ a }', parse('{ a }'))
  const text = `{ ${'a '.repeat(10_000)}}`
  documentCache.set(text, parse(text))
  expect([documentCache.has('{ a }'), documentCache.has(text)]).toEqual([true, false])
})
