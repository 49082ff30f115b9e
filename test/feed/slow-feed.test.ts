// The follower that serves subscriptions rests in proportion to what it takes of the processor, and not to what it waits for the store.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { processClock, type Clock } from '../../src/clock.ts'
import { ChangeStream } from '../../src/feed/change-stream.ts'
import { createCursors } from '../../src/model/keys/cursor.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import type { Store } from '../../src/store/store.ts'

const declaration = readDeclaration('type Cage @document(container: "cages") { id: ID! name: String! } type Subscription { cageChanged: Cage }', {})

test('a store that takes half a minute for the feed does not make the next look late', async () => {
  const pausesMs: number[] = []
  let nowMs = 0
  const clock: Clock = {
    ...processClock,
    now: () => nowMs,
    after(ms, call) {
      pausesMs.push(ms)
      const timer = setImmediate(() => {
        nowMs += ms
        call()
      })
      return () => clearImmediate(timer)
    },
  }
  const store = await openMemoryStore(declaration.layout)
  const slow = new Proxy(store, {
    get(target, name: keyof Store) {
      if (name === 'changes') return async (...args: Parameters<Store['changes']>) => {
        nowMs += 30_000
        return target.changes(...args)
      }
      const member = target[name]
      return typeof member === 'function' ? (member as (...args: unknown[]) => unknown).bind(target) : member
    },
  })
  const stream = new ChangeStream(declaration, slow, createCursors('tests'), { shortestMs: 100, longestMs: 80_000, restMs: 100, clock })
  onTestFinished(() => stream.stop())
  const events = stream.of('Cage')
  for (let time = 1; time <= 3; time++) {
    const next = events.next()
    await nextTurn()
    await store.write([{ kind: 'put', container: 'cages', key: { partition: ['c1'], id: 'c1' }, body: { id: 'c1', name: `${time}` } }])
    await next
  }
  while (pausesMs.length < 5) await nextTurn()
  expect(Math.max(...pausesMs)).toBeLessThanOrEqual(100)
})
