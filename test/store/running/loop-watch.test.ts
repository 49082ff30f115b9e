// What holds the event loop, on a clock of the test's own.

import { expect, test } from 'vitest'
import { intervalMs, LoopWatch, type LoopStretch } from '../../../src/store/running/loop-watch.ts'

function watched() {
  let nowMs = 1000
  const watch = new LoopWatch(() => nowMs)
  const stretches: LoopStretch[] = []
  const end = watch.watch((stretch) => stretches.push(stretch))
  return { watch, stretches, end, pass: (ms: number) => (nowMs += ms) }
}

const [books, authors] = [{ kind: 'query', name: 'Books' }, { kind: 'query', name: 'Authors' }]

test('a late visit of the timer is reported with the task that ran longest since the last one', () => {
  const { watch, stretches, end, pass } = watched()
  watch.mark(authors)
  pass(10)
  watch.mark(books)
  pass(80)
  watch.mark(authors)
  pass(5)
  watch.visit()
  expect(stretches).toEqual([{ ms: 95 - intervalMs, task: books }])
  end()
})

test('a loop that is free or idle is not reported, however many tasks it runs', () => {
  const { watch, stretches, end, pass } = watched()
  for (let at = 0; at < 100; at++) {
    watch.mark(books)
    pass(intervalMs)
    watch.visit()
  }
  expect(stretches).toEqual([])
  end()
})

test('work without a mark after a visit belongs to no task', () => {
  const { watch, stretches, end, pass } = watched()
  watch.mark(books)
  pass(intervalMs)
  watch.visit()
  pass(200)
  watch.visit()
  expect(stretches).toEqual([{ ms: 200 - intervalMs, task: { kind: 'other' } }])
  end()
})
