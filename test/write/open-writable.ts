// A gateway together with its store, so that a test can compare what is stored before and after a mutation.

import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { GatewayOptions } from '../../src/gateway.ts'
import { keyText } from '../../src/model/keys/key.ts'
import { feedPartition, ownContainer } from '../../src/store/own-container.ts'
import type { Body } from '../../src/model/json/json.ts'
import type { Store, StoredDocument } from '../../src/store/store.ts'
import { withoutIntents } from '../../src/write/intents/intent.ts'
import { storeCalls } from '../calls.ts'
import { openGateway, type Answer, type Ask, type Documents, type Settles } from '../harness.ts'

export interface Writable {
  readonly ask: Ask
  readonly store: Store
  /** Every document of every container, byte for byte, without the leases of the change feed. */
  readonly dump: () => Promise<string[]>
  /** The documents of a container as they are stored, by id. */
  readonly bodies: (container: string) => Promise<Record<string, Body>>
  /** The etags of a container's documents, by id. */
  readonly etags: (container: string) => Promise<Record<string, string>>
}

export interface Refusal {
  readonly code: string
  /** What the message has to name: a coordinate, an id, a number. */
  readonly says: string | readonly string[]
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
    bodies: (container) => byId(container, ({ body }) => withoutIntents(body)),
    etags: (container) => byId(container, ({ etag }) => etag),
  }
}

/** The data of a mutation that has to succeed. */
export async function written(ask: Ask, mutation: string, variables: object = {}): Promise<NonNullable<Answer['data']>> {
  const { data, errors } = await ask(mutation, { variables })
  expect(errors).toBeUndefined()
  return data!
}

/** The mutation is refused with this code and a message with these facts, and no byte of the store changes. */
export async function expectRefused({ ask, dump }: Writable, mutation: string, { code, says = [] }: Partial<Refusal>, variables: object = {}): Promise<void> {
  const before = await dump()
  const { data, errors } = await ask(mutation, { variables })
  expect(errors).toMatchObject([code === undefined ? {} : { extensions: { code } }])
  for (const fact of [says].flat()) expect(errors![0]!.message).toContain(fact)
  expect(data ?? null).toBeNull()
  expect(await dump()).toEqual(before)
}

/**
 * What an operation wrote: in one write where the store has one atomic scope; elsewhere partition by partition and
 * without effects in other partitions, which the change feed brings.
 */
export function expectWrites({ store }: Pick<Writable, 'store'>, answer: Answer, together: string, apart: readonly string[]): void {
  const writes = callsOf(answer).filter((call) => call.startsWith('write')).map((call) => call.replace('write ', ''))
  expect(writes).toEqual(store.supports.atomic === 'store' ? [together] : apart)
}

/** The store calls of an operation in order: which operation on which container, with how many keys. */
export function callsOf({ report }: Answer): string[] {
  return storeCalls(report).map(({ operation, container, keys }) => `${operation} ${container}${keys > 0 ? ` ${keys}` : ''}`)
}
