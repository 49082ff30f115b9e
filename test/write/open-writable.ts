// A gateway with its store in reach, so that a test can look at what was really written and at what
// was left alone. What is written is for the tests to say.

import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { GatewayOptions } from '../../src/gateway.ts'
import { keyText } from '../../src/model/keys/key.ts'
import { feedPartition, ownContainer } from '../../src/store/own-container.ts'
import type { Body } from '../../src/model/json/json.ts'
import type { Store, StoredDocument } from '../../src/store/store.ts'
import { storeCalls } from '../calls.ts'
import { openGateway, type Answer, type Ask, type Documents, type Settles } from '../harness.ts'

export interface Writable {
  readonly ask: Ask
  readonly store: Store
  /** Every document of every container, byte for byte; who follows the change feed, and how far, is not about documents. */
  readonly dump: () => Promise<string[]>
  /** The documents of a container as they are stored, by id. */
  readonly bodies: (container: string) => Promise<Record<string, Body>>
  /** The etags of a container's documents, by id. */
  readonly etags: (container: string) => Promise<Record<string, string>>
}

export interface Refusal {
  readonly code: string
  readonly message: string
}

export async function openWritable(options: GatewayOptions & Settles & { documents?: Documents }): Promise<Writable> {
  let store: Store | undefined
  let containers: readonly string[] = []
  const ask = await openGateway({
    ...options,
    async store(layout) {
      containers = layout.map(({ name }) => name)
      store = await options.store(layout)
      return store
    },
  })
  const all = async (container: string): Promise<StoredDocument[]> => {
    const found = await store!.query({ container, orderBy: { path: ['id'], descending: false }, limit: 1_000_000 })
    return found.toSorted((one, other) => (keyText(one.key) < keyText(other.key) ? -1 : 1))
  }
  const byId = async <T>(container: string, value: (document: StoredDocument) => T): Promise<Record<string, T>> =>
    Object.fromEntries((await all(container)).map((document) => [document.key.id, value(document)]))
  return {
    ask,
    store: store!,
    async dump() {
      const documents = await Promise.all(containers.map(async (container) =>
        (await all(container)).filter(({ key }) => container !== ownContainer || !isDeepStrictEqual(key.partition, feedPartition)).map(({ key, etag, body }) => `${container} ${keyText(key)} ${etag} ${JSON.stringify(body)}`)))
      return documents.flat()
    },
    bodies: (container) => byId(container, ({ body }) => body),
    etags: (container) => byId(container, ({ etag }) => etag),
  }
}

/** What a mutation answers, which has to succeed. */
export async function written(ask: Ask, mutation: string, variables: object = {}): Promise<NonNullable<Answer['data']>> {
  const { data, errors } = await ask(mutation, { variables })
  expect(errors).toBeUndefined()
  return data!
}

/** The mutation is refused with exactly this, and not one byte of the store is different afterwards. */
export async function expectRefused({ ask, dump }: Writable, mutation: string, { code, message }: Partial<Refusal>, variables: object = {}): Promise<void> {
  const before = await dump()
  const { data, errors } = await ask(mutation, { variables })
  expect(errors).toMatchObject([{ ...(message === undefined ? {} : { message }), ...(code === undefined ? {} : { extensions: { code } }) }])
  expect(data ?? null).toBeNull()
  expect(await dump()).toEqual(before)
}

/**
 * What an operation wrote: as one, where the store can; elsewhere partition by partition, and what
 * follows from it not at all, since the change feed sees to that.
 */
export function expectWrites({ store }: Pick<Writable, 'store'>, answer: Answer, together: string, apart: readonly string[]): void {
  const writes = callsOf(answer).filter((call) => call.startsWith('write')).map((call) => call.replace('write ', ''))
  expect(writes).toEqual(store.supports.atomic === 'store' ? [together] : apart)
}

/** The calls of an operation, in their order: what was asked of which containers. */
export function callsOf({ account }: Answer): string[] {
  return storeCalls(account).map(({ operation, container, keys }) => `${operation} ${container}${keys > 0 ? ` ${keys}` : ''}`)
}
