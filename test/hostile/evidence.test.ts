// What is held against a gateway's memory after an attack: what stays although nothing is new, and nothing else.

import { expect, test } from 'vitest'
import { cacheBytesIn, insideProblems, type Seen } from '../../reliability/hostile/evidence.ts'

const megabyte = 1024 * 1024

function seen({ heap = 40, caches = 5, resident = 120, prototypes = ['Object.toString'] } = {}): Seen {
  return { heapBytes: heap * megabyte, cacheBytes: caches * megabyte, residentBytes: resident * megabyte, residentBeforeBytes: 400 * megabyte, prototypes }
}

test.each<[string, Parameters<typeof seen>[0], Parameters<typeof seen>[0]]>([
  ['nothing has changed', {}, {}],
  ['caches have grown and say so', { heap: 100, caches: 65, resident: 200 }, { heap: 101, caches: 65, resident: 210 }],
])('it is well when %s', (_, once, twice) => {
  expect(insideProblems({ before: seen(), once: seen(once), twice: seen(twice) })).toEqual([])
})

test.each<[string, Parameters<typeof seen>[0], Parameters<typeof seen>[0], string]>([
  ['the heap grows with every request', {}, { heap: 49 }, 'the heap grows when the same is sent once more: 9 MB more, where 8 may be'],
  ['the system is asked for more and more', {}, { resident: 150 }, 'resident memory grows when the same is sent once more: 30 MB more, where 24 may be'],
  ['something grows that is no cache', { heap: 80 }, { heap: 80 }, 'the heap does not come back to what it was: 40 MB more, where 32 may be'],
  ['something grows outside of the heap', { resident: 200 }, { resident: 200 }, 'resident memory does not come back to what it was: 80 MB more, where 64 may be'],
  ['all objects have something new', {}, { prototypes: ['Object.toString', 'Object.polluted'] }, 'prototypes have something new: Object.polluted'],
])('it is not when %s', (_, once, twice, problem) => {
  expect(insideProblems({ before: seen(), once: seen(once), twice: seen(twice) })).toEqual([problem])
})

test('what caches hold is read from the metrics', () => {
  expect(cacheBytesIn('# TYPE quire_cache_bytes gauge\nquire_cache_bytes{cache="answers"} 1500\nquire_cache_bytes{cache="rows"} 2e3\nquire_other{cache="x"} 7\n')).toBe(3500)
})
