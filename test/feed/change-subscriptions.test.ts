// `noteChanged`: the subscription that every @subscribable type has, with the kind of each change, on every store.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { createGateway } from '../../src/gateway.ts'
import type { Gateway } from '../../src/http/gateway-server.ts'
import { openWorld } from '../auth/world.ts'
import { stores } from '../harness.ts'
import { problemsOf } from '../model/problems-of.ts'
import { post, subscribe, type Events } from '../over-http.ts'

const typeDefs = /* GraphQL */ `
  type Note @document(container: "notes") @subscribable @readable(owner: "writerId", roles: ["all"]) @writable(by: PUBLIC) {
    id: ID!
    writerId: ID!
    text: String! @indexed
    stars: Int @indexed
    pad: Pad @reference(at: "padId")
    secret: String @readable(roles: ["all"])
  }
  type Pad @document(container: "pads") @readable(roles: ["all"]) @writable(by: PUBLIC) @subscribable { id: ID! name: String! @indexed }
`

interface Told {
  readonly data?: { readonly noteChanged: { readonly kind: string; readonly id: string; readonly note: { readonly text: string } | null } }
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[]
  readonly extensions?: { readonly quire: { readonly cursor: string } }
}

const opened: { dispose?: () => unknown; close?: () => unknown }[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await (each.dispose ? each.dispose() : each.close!())
})

const listen = (gateway: Pick<Gateway, 'fetch'>, args = '', headers = {}): Promise<Events<Told>> =>
  subscribe<Told>(gateway, { query: `subscription { noteChanged${args} { kind id note { text } } }` }, headers)

const write = async (gateway: Pick<Gateway, 'fetch'>, mutation: string, headers = {}): Promise<void> => {
  expect(await (await post(gateway, { query: `mutation { ${mutation} { clientMutationId } }` }, headers)).json()).not.toHaveProperty('errors')
}

/** A cursor to begin at: a subscription takes a moment to start, so a note changes until the first event. */
async function cursorOf(gateway: Pick<Gateway, 'fetch'>, headers = {}): Promise<string> {
  const events = await listen(gateway, '', headers)
  const first = events.next()
  const change = async (time: number): Promise<undefined> => {
    await write(gateway, `upsertNote(input: { id: "n0", writerId: "ada", text: "${time}" })`, headers)
    return nextTurn(undefined)
  }
  for (let time = 0; ; time++) {
    const told = await Promise.race([first, change(time)])
    if (!told) continue
    await events.end()
    return told.extensions!.quire.cursor
  }
}

describe.each(stores)('on $name', ({ store }) => {
  async function open(): Promise<Gateway> {
    const gateway = await createGateway({ typeDefs, store, development: true, cursorSecret: 'tests', followEveryMs: 1, propagates: false })
    opened.push(gateway)
    return gateway
  }

  test('tells what was created, updated and deleted, and goes on after a cursor', async () => {
    const gateway = await open()
    const cursor = await cursorOf(gateway)
    await write(gateway, 'createNote(input: { id: "n1", writerId: "ada", text: "one", stars: 1 })')
    await write(gateway, 'createNote(input: { id: "n2", writerId: "ada", text: "two" })')
    await write(gateway, 'updateNote(input: { id: "n2", increment: { stars: 3 } })')
    await write(gateway, 'createNote(input: { id: "n3", writerId: "bob", text: "three" })')
    await write(gateway, 'deleteNote(input: { id: "n3" })')
    const events = await listen(gateway, `(after: "${cursor}")`)
    const told = new Map<string, NonNullable<Told['data']>['noteChanged']>()
    while (told.size < 3) {
      const { noteChanged } = (await events.next())!.data!
      if (noteChanged.id !== 'n0') told.set(noteChanged.id, noteChanged)
    }
    await events.end()
    expect(Object.fromEntries(told)).toEqual({
      n1: { kind: 'CREATED', id: 'n1', note: { text: 'one' } }, n2: { kind: 'UPDATED', id: 'n2', note: { text: 'two' } }, n3: { kind: 'DELETED', id: 'n3', note: null },
    })
  })

  test('tells only what matches the filter, a deleted document by what it was', async () => {
    const gateway = await open()
    const cursor = await cursorOf(gateway)
    for (const [id, stars] of [['a', 1], ['b', 5], ['c', 7]]) await write(gateway, `createNote(input: { id: "${id}", writerId: "ada", text: "${id}", stars: ${stars} })`)
    await write(gateway, 'deleteNote(input: { id: "c" })')
    const events = await listen(gateway, `(after: "${cursor}", filter: { stars: { gte: 5 } })`)
    const told = [(await events.next())!.data!.noteChanged, (await events.next())!.data!.noteChanged].map(({ kind, id }) => `${kind} ${id}`)
    await events.end()
    expect(told.toSorted()).toEqual(['CREATED b', 'DELETED c'])
  })

  test('refuses a filter that it cannot compare, and a cursor that is none', async () => {
    const gateway = await open()
    for (const args of ['(filter: { pad: { name: { eq: "x" } } })', '(after: "none")']) {
      const events = await listen(gateway, args)
      expect((await events.next())!.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
      await events.end()
    }
  })
})

test('rules apply: own documents only, also of deleted ones, and no type that the viewer may not read', async () => {
  const viewers = { ada: { id: 'ada', roles: new Set<string>(), tenant: undefined }, all: { id: 'x', roles: new Set(['all']), tenant: undefined } }
  const world = await openWorld({ typeDefs, documents: {} }, viewers, stores[0]!.store)
  opened.push(world)
  const { gateway } = world
  const cursor = await cursorOf(gateway, { authorization: 'all' })
  for (const id of ['n1', 'n3']) await write(gateway, `createNote(input: { id: "${id}", writerId: "bob", text: "hidden" })`, { authorization: 'all' })
  await write(gateway, 'deleteNote(input: { id: "n1" })', { authorization: 'all' })
  await write(gateway, 'createNote(input: { id: "n2", writerId: "ada", text: "mine" })', { authorization: 'all' })
  const own = await listen(gateway, `(after: "${cursor}", filter: { text: { in: ["hidden", "mine"] } })`, { authorization: 'ada' })
  expect((await own.next())!.data).toEqual({ noteChanged: { kind: 'CREATED', id: 'n2', note: { text: 'mine' } } })
  await own.end()
  for (const [headers, query, code] of [[{}, '{ padChanged { id } }', 'UNAUTHENTICATED'], [{ authorization: 'ada' }, '{ padChanged { kind } }', 'FORBIDDEN']] as const) {
    const events = await subscribe<Told>(gateway, { query: `subscription ${query}` }, headers)
    expect((await events.next())!.errors).toMatchObject([{ extensions: { code } }])
    await events.end()
  }
})

test('is not there without @subscribable, and refused on objects inside documents', () => {
  expect(problemsOf('type A @document(container: "a") { id: ID! b: B } type B @subscribable { x: Int }')).toEqual([expect.stringContaining('B: @subscribable')])
})
