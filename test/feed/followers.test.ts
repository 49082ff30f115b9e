// The registrations of followers: who is counted, and who is forgotten.

import { expect, test } from 'vitest'
import { Followers } from '../../src/feed/followers.ts'
import { feedKey, ownContainer } from '../../src/store/own-container.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import type { Store } from '../../src/store/store.ts'
import { Clock, declaration } from './world.ts'

const at = (ms: number) => ({ earliest: ms, latest: ms })

test('a follower that registers again while another forgets it is still registered', async () => {
  const store = await openMemoryStore(declaration.layout)
  const clock = new Clock()
  const slow = new Followers(store, 'slow', 1000, clock)
  expect(await slow.count(at(0))).toBe(1)
  let isBack = false
  const racing = new Proxy(store, {
    get: (target, name: keyof Store) => name !== 'write' ? target[name] : async (...args: Parameters<Store['write']>) => {
      if (args[0].some(({ kind }) => kind === 'delete') && !isBack) {
        isBack = true
        await slow.count(at(5000))
      }
      return target.write(...args)
    },
  })
  await new Followers(racing, 'other', 1000, clock).count(at(5000))
  expect(isBack).toBe(true)
  expect((await store.readMany(ownContainer, [feedKey('follower-slow')]))[0]).toBeDefined()
})

test('followers that do not renew their registration are forgotten', async () => {
  const store = await openMemoryStore(declaration.layout)
  const clock = new Clock()
  await new Followers(store, 'gone', 1000, clock).count(at(0))
  const other = new Followers(store, 'other', 1000, clock)
  expect(await other.count(at(500))).toBe(2)
  expect(await other.count(at(1500))).toBe(1)
  expect((await store.readMany(ownContainer, [feedKey('follower-gone')]))[0]).toBeUndefined()
})
