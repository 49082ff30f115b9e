// The change feed holds the types that subscriptions can return, and every type where snapshots are updated through it.

import { describe, expect, test } from 'vitest'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { createLog } from '../../src/observe/log/log.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import type { Store } from '../../src/store/store.ts'
import { openGateway, stores } from '../harness.ts'

const beasts = /* GraphQL */ `
  type Beast @document(container: "beasts") { id: ID! name: String! cage: Cage @snapshot(at: "cage", fields: ["name"]) }
  type Cage @document(container: "cages") { id: ID! name: String! }
  type Keeper @document(container: "keepers") { id: ID! name: String! }
`

describe('subscribed types are', () => {
  test.each([
    ['none without subscriptions', '', []],
    ['the type of a field', 'type Subscription { beastChanged: Beast! }', ['Beast']],
    ['the type of a list', 'type Subscription { beastsChanged: [Beast!]! }', ['Beast']],
    ['the types inside the type of a field', 'type Subscription { moved: Move } type Move { from: Cage @reference(at: "cageId") at: String step: Step } type Step { beast: Beast @reference(at: "beastId") }', ['Beast', 'Cage']],
    ['the types that an extension adds', 'type Subscription { beastChanged: Beast! } extend type Subscription { cageChanged: Cage! }', ['Beast', 'Cage']],
    ['all types if a field returns no document type', 'type Subscription { beastChanged: Beast! somethingChanged: ID! }', ['Beast', 'Cage', 'Keeper']],
  ])('%s', (_, subscriptions, expected) => {
    expect([...readDeclaration(beasts + subscriptions).subscribedTypes].map(({ name }) => name).toSorted()).toEqual(expected)
  })
})

/** The containers with changes in the feed, after a write to each. */
async function followedIn(options: Pick<GatewayOptions, 'store' | 'effects'>): Promise<string[]> {
  let store: Store
  const ask = await openGateway({
    typeDefs: `${beasts} type Subscription { cageChanged: Cage! }`, ...options,
    resolvers: { Subscription: { cageChanged: { subscribe: async function* () { yield {} } } } },
    store: async (layout) => (store = await options.store(layout)),
  })
  for (const type of ['Beast', 'Cage', 'Keeper']) expect((await ask(`mutation { create${type}(input: { id: "1", name: "One" }) { clientMutationId } }`)).errors).toBeUndefined()
  const followed = new Set<string>()
  for (const part of await store!.feedParts()) {
    for (let page = await store!.changes(part, undefined, 100); ; page = await store!.changes(part, page.point, 100)) {
      for (const { container } of page.changes) followed.add(container)
      if (page.end) break
    }
  }
  await ask.close()
  return [...followed].toSorted()
}

describe.each(stores)('on $name', ({ name, store }) => {
  const isTogether = name !== 'cosmos'
  test(isTogether ? 'the feed has only subscribed types' : 'the feed has every type, because snapshots cannot be written atomically with their sources', async () => {
    expect(await followedIn({ store })).toEqual(isTogether ? ['cages'] : ['beasts', 'cages', 'keepers'])
  })

  test('the feed has every type if snapshots are updated through it', async () => {
    expect(await followedIn({ store, effects: 'feed' })).toEqual(['beasts', 'cages', 'keepers'])
  })
})

test('following another type fails, and the message says what to declare', async () => {
  const tried: unknown[] = []
  const gateway = await createGateway({
    typeDefs: `${beasts} type Subscription { cageChanged: Cage! }`, store: openMemoryStore, log: createLog({ level: 'silent', readable: false }),
    resolvers: { Subscription: { cageChanged: { subscribe: async function* (_: unknown, __: unknown, { quire }: { quire: { changes: { of(type: string): AsyncGenerator } } }) {
      for (const type of ['Keeper', 'Zoo']) await quire.changes.of(type).next().catch((error: Error) => tried.push(error.message))
      yield {}
    } } } },
  })
  const response = await gateway.fetch('http://quire/graphql', { method: 'POST', headers: { 'content-type': 'application/json', accept: 'text/event-stream' }, body: JSON.stringify({ query: 'subscription { cageChanged { id } }' }) })
  await response.text()
  expect(tried).toEqual([
    expect.stringMatching(/Keeper: .*change feed.* Subscription/),
    expect.stringMatching(/Zoo: .*document type/),
  ])
  await gateway.dispose()
})
