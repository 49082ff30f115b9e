// What tests share: a gateway over a small schema and some documents, on any store, asked without a
// socket. Nothing here knows the shipped domain.

import type { Account } from '../src/account.ts'
import { createGateway, type GatewayOptions } from '../src/gateway.ts'
import { placed } from '../src/keys/partition.ts'
import { openMemoryStore } from '../src/store/memory.ts'
import { openSqliteStore } from '../src/store/sqlite.ts'
import type { Body, Write } from '../src/store/store.ts'

/** Every store that the same test runs on. */
export const stores: readonly { name: string; store: GatewayOptions['store'] }[] = [
  { name: 'memory', store: openMemoryStore },
  { name: 'sqlite', store: (layout) => openSqliteStore(':memory:', layout) },
]

export interface Answer {
  readonly data: Record<string, unknown> | null | undefined
  readonly errors: readonly { message: string; path?: readonly (string | number)[]; extensions?: { code?: string } }[] | undefined
  readonly account: Account
  readonly headers: Headers
}

export interface Ask {
  (query: string, options?: { variables?: object; headers?: Record<string, string> }): Promise<Answer>
  /** Closes the gateway; one that follows the change feed has to be. */
  close(): Promise<void>
}

/** Documents by the name of their type; a list under a container's name is written as it is. */
export interface Documents {
  readonly [type: string]: readonly Body[]
}

export async function openGateway(options: GatewayOptions & { documents?: Documents }): Promise<Ask> {
  const { documents = {}, ...gateway } = options
  const yoga = await createGateway({ development: true, cursorSecret: 'tests', seed: ({ model }) => placedWrites(model, documents), ...gateway })
  const ask = async (query: string, { variables, headers }: Parameters<Ask>[1] = {}): Promise<Answer> => {
    const response = await yoga.fetch('http://quire/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    })
    const { data, errors, extensions } = (await response.json()) as { data?: Answer['data']; errors?: Answer['errors']; extensions?: { quire: Account } }
    return { data, errors, account: extensions?.quire as Account, headers: response.headers }
  }
  return Object.assign(ask, { close: async () => yoga.dispose() })
}

function placedWrites(model: Parameters<NonNullable<GatewayOptions['seed']>>[0]['model'], documents: Documents): Write[] {
  return Object.entries(documents).flatMap(([name, bodies]) => bodies.map((each): Write => {
    const type = model.documents.get(name)
    if (!type) throw new Error(`There is no document type ${name}.`)
    const { partition, body } = placed(type, type.discriminator === undefined || each['type'] ? each : { ...each, type: type.discriminator })
    return { kind: 'put', container: type.container, key: { partition, id: String(each['id']) }, body }
  }))
}
