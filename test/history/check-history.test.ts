// What each check of a history finds and, as important, what it lets pass: whatever overlaps in time may have happened in either order.

import { describe, expect, test } from 'vitest'
import { checkHistory } from '../../reliability/history/check-history.ts'
import { History, type ReadEvent, type WriteEvent } from '../../reliability/history/history.ts'

interface Events {
  readonly writes?: readonly (Partial<WriteEvent> & { readonly value: string; readonly from: number; readonly to?: number })[]
  readonly reads?: readonly (Partial<ReadEvent> & { readonly saw: string; readonly from: number; readonly to: number; readonly source?: string | undefined; readonly twin?: string })[]
  readonly final?: string
}

/** Of one register `r`, which begins as `v0`. */
function found({ writes = [], reads = [], final }: Events): string[] {
  const history = new History(new Map([['r', 'v0']]))
  for (const { value, from, to, ...rest } of writes) history.writes.push({ session: 's1', invokedMs: from, completedMs: to ?? Infinity, outcome: to === undefined ? 'unknown' : 'done', set: { register: 'r', value }, ...rest })
  for (const { saw, from, to, source = 'document', twin, ...rest } of reads) history.reads.push({ session: 's1', invokedMs: from, completedMs: to, seen: [{ register: 'r', value: saw, source, ...(twin === undefined ? {} : { twin }) }], ...rest })
  if (final !== undefined) history.final = { registers: new Map([['r', final]]), sets: new Map() }
  return checkHistory(history).map(({ check }) => check)
}

const v1 = { value: 'v1', from: 10, to: 20 }
const snapshot = 'snapshot in b1'

describe('stale reads', () => {
  test.each<[string, string[], Events]>([
    ['a document replaced before the question', ['stale read'], { writes: [v1], reads: [{ saw: 'v0', from: 21, to: 22 }] }],
    ['a document replaced while it was asked', [], { writes: [v1], reads: [{ saw: 'v0', from: 19, to: 30 }] }],
    ['a document replaced by a write that nobody acknowledged', [], { writes: [{ value: 'v1', from: 10 }], reads: [{ saw: 'v0', from: 21, to: 22 }] }],
    ['a document replaced by a write that another reader saw', [], { writes: [{ value: 'v1', from: 10 }], reads: [{ session: 's2', saw: 'v1', from: 11, to: 12 }, { saw: 'v1', from: 21, to: 22 }] }],
    ['a snapshot as old as it may be', [], { writes: [v1], reads: [{ saw: 'v0', from: 120, to: 121, source: snapshot, maxStaleMs: 100 }] }],
    ['a snapshot older than the reader allows', ['stale read'], { writes: [v1], reads: [{ saw: 'v0', from: 121, to: 122, source: snapshot, maxStaleMs: 100 }] }],
    ['a snapshot older than the answer claims', ['stale read'], { writes: [v1], reads: [{ saw: 'v0', from: 121, to: 122, source: snapshot, boundMs: 100 }] }],
    ['a snapshot whose age nobody limits', [], { writes: [v1], reads: [{ saw: 'v0', from: 121, to: 122, source: snapshot, boundMs: null }] }],
    ['the older of two concurrent writes', [], { writes: [v1, { value: 'v2', from: 15, to: 25 }], reads: [{ saw: 'v1', from: 30, to: 31 }] }],
    ['a write that was seen before the next one began', ['stale read'], { writes: [{ value: 'v1', from: 10 }, { value: 'v2', from: 15, to: 25 }], reads: [{ session: 's2', saw: 'v1', from: 11, to: 12 }, { saw: 'v1', from: 30, to: 31 }] }],
  ])('%s', (_, expected, events) => {
    expect(found(events)).toEqual(expected)
  })
})

describe('everything else', () => {
  test.each<[string, string[], Events]>([
    ['a value that nobody wrote', ['dirty read'], { reads: [{ saw: 'v9', from: 1, to: 2 }] }],
    ['a value whose write was refused', ['dirty read'], { writes: [{ ...v1, outcome: 'failed' }], reads: [{ saw: 'v1', from: 30, to: 31 }] }],
    ['a value before it was sent', ['dirty read'], { writes: [v1], reads: [{ saw: 'v1', from: 1, to: 2 }] }],
    ['half of one write and half of another', ['torn read'], { writes: [v1], reads: [{ saw: 'v1', twin: 'v0', from: 12, to: 13 }] }],
    ['a session that does not see its write', ['own write not seen'], { writes: [v1], reads: [{ saw: 'v0', from: 21, to: 22, source: snapshot, ownWrites: true }] }],
    ['a session that does not see what another wrote', [], { writes: [{ ...v1, session: 's2' }], reads: [{ saw: 'v0', from: 21, to: 22, source: snapshot, ownWrites: true }] }],
    ['a session that does not send its token', [], { writes: [v1], reads: [{ saw: 'v0', from: 21, to: 22, source: snapshot }] }],
    ['a snapshot that goes back', ['read went back'], { writes: [v1], reads: [{ saw: 'v1', from: 21, to: 22, source: snapshot }, { saw: 'v0', from: 23, to: 24, source: snapshot }] }],
    ['a snapshot older than the document', [], { writes: [v1], reads: [{ saw: 'v1', from: 21, to: 22 }, { saw: 'v0', from: 23, to: 24, source: snapshot }] }],
    ['another session that is behind', [], { writes: [v1], reads: [{ saw: 'v1', from: 21, to: 22, source: snapshot }, { session: 's2', saw: 'v0', from: 23, to: 24, source: snapshot }] }],
    ['an acknowledged write that is gone', ['lost update'], { writes: [v1], final: 'v0' }],
    ['an unacknowledged write that is gone', [], { writes: [{ value: 'v1', from: 10 }], final: 'v0' }],
  ])('%s', (_, expected, events) => {
    expect(found(events)).toEqual(expected)
  })
})

/** One register is replaced, and so much later the other one is sent. */
function answer(oneMoment: boolean, gap: number): string[] {
  const history = new History(new Map([['r', 'r0'], ['q', 'q0']]))
  history.writes.push({ session: 's2', invokedMs: 10, completedMs: 20, outcome: 'done', set: { register: 'r', value: 'r1' } })
  history.writes.push({ session: 's2', invokedMs: 20 + gap, completedMs: 40, outcome: 'done', set: { register: 'q', value: 'q1' } })
  history.reads.push({ session: 's1', invokedMs: 5, completedMs: 50, oneMoment, seen: [{ register: 'r', value: 'r0', source: 'document' }, { register: 'q', value: 'q1', source: 'document' }] })
  return checkHistory(history).map(({ check }) => check)
}

describe('an answer with two registers', () => {
  test('shows two moments when one was replaced before the other was sent', () => expect(answer(true, 1)).toEqual(['two moments']))
  test('may show both while they overlap', () => expect(answer(true, -5)).toEqual([]))
  test('may show two moments where one is not promised', () => expect(answer(false, 1)).toEqual([]))
})

test('a member that was acknowledged is in its set in the end, and one that was refused is not', () => {
  const history = new History(new Map())
  history.writes.push({ session: 's1', invokedMs: 1, completedMs: 2, outcome: 'done', add: { to: 'books', member: 'b1' } })
  history.writes.push({ session: 's1', invokedMs: 3, completedMs: 4, outcome: 'failed', add: { to: 'books', member: 'b2' } })
  history.final = { registers: new Map(), sets: new Map([['books', new Set(['b2'])]]) }
  expect(checkHistory(history).map(({ check }) => check)).toEqual(['lost update', 'dirty read'])
})

/** After v1 and v2. */
function told(values: readonly string[]): string[] {
  const history = new History(new Map([['r', 'v0']]))
  for (const [at, value] of ['v1', 'v2'].entries()) history.writes.push({ session: 's1', invokedMs: 10 + at * 10, completedMs: 15 + at * 10, outcome: 'done', set: { register: 'r', value } })
  history.subscriptions.push({ name: 's2', registers: ['r'], sinceMs: 5, told: values.map((value) => ({ register: 'r', value, atMs: 30 })) })
  history.final = { registers: new Map([['r', 'v2']]), sets: new Map() }
  return checkHistory(history).map(({ check }) => check)
}

test('a subscriber is told the latest value, and may miss those before it', () => {
  expect(told(['v2'])).toEqual([])
  expect(told(['v1'])).toEqual(['missed event'])
})
