// Slow or disconnected subscribers: buffered events are bounded, and every document's latest state is told.

import { expect, onTestFinished, test, vi } from 'vitest'
import { ChangeStream, type ChangeEvent } from '../../../src/feed/change-stream.ts'
import { processClock } from '../../../src/feed/clock.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { createCursors } from '../../../src/model/keys/cursor.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import type { Store } from '../../../src/store/store.ts'

async function open() {
  const declaration = readDeclaration('type Cage @document(container: "cages") { id: ID! name: String! } type Subscription { cageChanged: Cage }', {})
  const store = await openMemoryStore(declaration.layout)
  const stream = new ChangeStream(declaration, store, createCursors('tests'), { shortestMs: 1, longestMs: 1, restMs: 1, clock: processClock })
  onTestFinished(() => stream.stop())
  return { store, stream }
}

async function write(store: Store, from: number, to: number): Promise<void> {
  await store.write(Array.from({ length: to - from }, (_, index) => {
    const id = `c${from + index}`
    return { kind: 'put', container: 'cages', key: { partition: [id], id }, body: { id, name: id } } as const
  }))
}

/** Takes events until all of these have been told of. */
async function idsUntil(events: AsyncIterator<ChangeEvent>, many: number, seen = new Set<string>()): Promise<Set<string>> {
  while (seen.size < many) seen.add(((await events.next()).value as ChangeEvent).document.key.id)
  return seen
}

/** One that listens already, and the cursor of what it was told first. */
async function listening(store: Store, stream: ChangeStream): Promise<{ events: AsyncGenerator<ChangeEvent>; cursor: string }> {
  const events = stream.of('Cage')
  const first = events.next()
  await vi.waitFor(async () => {
    await write(store, 0, 1)
    expect(await Promise.race([first, Promise.resolve()])).toBeDefined()
  }, { timeout: 20_000 })
  return { events, cursor: ((await first).value as ChangeEvent).cursor }
}

test('the buffer for a subscriber that reads nothing is bounded, and it still gets every change later', async () => {
  const { store, stream } = await open()
  const { events: slow } = await listening(store, stream)
  const { events: quick } = await listening(store, stream)
  const told = new Set<string>()
  let most = 0
  for (let wave = 0; wave < 12; wave++) {
    await write(store, wave * 500, (wave + 1) * 500)
    // What the quick one has heard of, the slow one has been told too.
    await idsUntil(quick, (wave + 1) * 500, told)
    most = Math.max(most, stream.waiting)
  }
  expect(most).toBeGreaterThan(400)
  expect(most).toBeLessThanOrEqual(1000 + 500)
  const behind: (true | undefined)[] = []
  const seen = new Set<string>()
  while (seen.size < 6000) {
    const event = (await slow.next()).value as ChangeEvent
    seen.add(event.document.key.id)
    behind.push(event.behind)
  }
  // It is told that it was too slow.
  expect(behind.filter(Boolean).length).toBeGreaterThan(1000)
  await Promise.all([slow.return(undefined), quick.return(undefined)])
})

test('a subscriber that is far behind gets events at its own pace, without a growing buffer', async () => {
  const { store, stream } = await open()
  const { events: before, cursor } = await listening(store, stream)
  await before.return(undefined)
  await write(store, 0, 5000)
  const events = stream.of('Cage', cursor)
  await events.next()
  expect(stream.waiting).toBeLessThanOrEqual(1000)
  expect((await idsUntil(events, 4999)).size).toBe(4999)
  await events.return(undefined)
})

test('a disconnected subscriber resumes from the cursor of its last event, and is told of every changed document', async () => {
  const { store, stream } = await open()
  const { events: before, ...last } = await listening(store, stream)
  let { cursor } = last
  await before.return(undefined)
  await write(store, 0, 250)
  const seen = new Set<string>()
  // A page is a hundred changes: so many times it is cut off in the middle of one, after more and more events.
  for (let taken = 1; seen.size < 250; taken += 7) {
    const events = stream.of('Cage', cursor)
    for (let count = 0; count < taken && seen.size < 250; count++) {
      const event = (await events.next()).value as ChangeEvent
      seen.add(event.document.key.id)
      ;({ cursor } = event)
    }
    await events.return(undefined)
  }
  expect(seen.size).toBe(250)
})

test('a resumed subscriber is told the latest state of a document, and not the states in between', async () => {
  const { store, stream } = await open()
  const { events: before, cursor } = await listening(store, stream)
  await before.return(undefined)
  for (const name of ['4.5', '9.5']) await store.write([{ kind: 'put', container: 'cages', key: { partition: ['c7'], id: 'c7' }, body: { id: 'c7', name } }])
  const told: unknown[] = []
  for await (const { document } of stream.of('Cage', cursor)) {
    if (document.key.id === 'c7') told.push(document.body['name'])
    if (told.length > 0) break
  }
  expect(told).toEqual(['9.5'])
})
