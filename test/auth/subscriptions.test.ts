// Rules apply to subscriptions: viewers get events only of documents that they may see, and none after their token expired.

import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { ChangeEvent, ChangeStream } from '../../src/feed/change-stream.ts'
import type { Viewer } from '../../src/auth/viewer.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { documents, typeDefs, viewers, resolversWith } from './diaries.ts'
import { openWorld, type World } from './world.ts'
import { subscribe, type Events } from '../over-http.ts'

interface Context {
  readonly quire: { readonly changes: Pick<ChangeStream, 'of'> }
}

const changesOf = (type: string) => ({ subscribe: (_: unknown, __: unknown, { quire }: Context) => quire.changes.of(type), resolve: ({ document }: ChangeEvent) => document })
const domain = { typeDefs, documents, resolvers: resolversWith({ Subscription: { diaryChanged: changesOf('Diary'), topicChanged: changesOf('Topic') } }) }

const opened: World[] = []
afterEach(async () => {
  for (const world of opened.splice(0)) await world.close()
})

async function open(extra: Record<string, Viewer> = {}): Promise<World> {
  const world = await openWorld(domain, { ...viewers, ...extra }, openMemoryStore)
  opened.push(world)
  return world
}

interface EventResult {
  readonly data?: unknown
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[]
}

function subscribeAs({ gateway }: World, who: string, query: string): Promise<Events<EventResult>> {
  return subscribe(gateway, { query }, who === 'nobody' ? {} : { authorization: who })
}

/** A subscription may need a moment until it listens, so changes are repeated until an event arrives. */
async function until(event: Promise<unknown>, change: (time: number) => Promise<unknown>): Promise<void> {
  for (let time = 0; (await Promise.race([event.then(() => true), change(time).then(() => pause(5))])) === undefined; time++);
}

test('a viewer cannot subscribe to what the viewer cannot read', async () => {
  const world = await open()
  for (const [who, query, code] of [['nobody', 'subscription { diaryChanged { id } }', 'UNAUTHENTICATED'], ['bob', 'subscription { diaryChanged { writer { badge { number } } } }', 'FORBIDDEN'], ['bob', 'subscription { topicChanged { report { id } } }', 'FORBIDDEN']] as const) {
    const events = await subscribeAs(world, who, query)
    expect((await events.next())?.errors).toMatchObject([{ extensions: { code } }])
    await events.end()
  }
})

test('a viewer gets events of own documents, and in them only what the viewer may see', async () => {
  const world = await open()
  const [own, topics] = [await subscribeAs(world, 'bob', 'subscription { diaryChanged { id title } }'), await subscribeAs(world, 'bob', 'subscription { topicChanged { name listed { id } latest { title } } }')]
  const [told, topic] = [own.next(), topics.next()]
  await until(Promise.all([told, topic]), async (time) => {
    for (const id of ['diary-ada-1', 'diary-bob-1']) await world.ask(`mutation { updateDiary(input: { id: "${id}", title: "Change ${time} of ${id}" }) { diary { id } } }`, 'support')
    await world.ask(`mutation { updateTopic(input: { id: "love", name: "Love ${time}" }) { topic { id } } }`, 'editor')
  })
  expect((await told)?.data).toMatchObject({ diaryChanged: { id: 'diary-bob-1' } })
  expect((await topic)?.data).toMatchObject({ topicChanged: { listed: [{ id: 'diary-bob-1' }], latest: null } })
  await own.end()
  await topics.end()
})

test('a subscription ends when the token does', async () => {
  const world = await open({ brief: { id: 'bob', roles: new Set(), tenant: undefined, untilMs: Date.now() + 300 } })
  const events = await subscribeAs(world, 'brief', 'subscription { topicChanged { name } }')
  expect((await events.next())?.errors).toMatchObject([{ message: expect.stringContaining('expired') as string, extensions: { code: 'UNAUTHENTICATED' } }])
  expect(await events.next()).toBeUndefined()
})

test('equal subscriptions of viewers who own different documents are answered for each viewer', async () => {
  const world = await open()
  const query = 'subscription { topicChanged { name listed { id } } }'
  const both = await Promise.all(['ada', 'bob'].map((who) => subscribeAs(world, who, query)))
  const told = Promise.all(both.map((events) => events.next()))
  await until(told, (time) => world.ask(`mutation { updateTopic(input: { id: "love", name: "Love ${time}" }) { topic { id } } }`, 'editor'))
  expect((await told).map((event) => (event!.data as { topicChanged: { listed: { id: string }[] } }).topicChanged.listed.map(({ id }) => id))).toEqual([['diary-ada-1'], ['diary-bob-1']])
  for (const events of both) await events.end()
})
