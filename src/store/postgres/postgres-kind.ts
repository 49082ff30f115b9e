// The PostgreSQL store as a setting: `postgres://USER:PASSWORD@HOST/DATABASE`, with parameters of Quire's own beside the driver's.

import { ConfigError } from '../../errors.ts'
import type { StoreKind } from '../store-kind.ts'
import type { PostgresSetting } from './postgres-store.ts'

const protocol = /^postgres(ql)?:\/\//

export const postgresKind: StoreKind<PostgresSetting & { readonly kind: 'postgres' }> = {
  syntax: 'postgres://USER:PASSWORD@HOST/DATABASE',
  choice: { text: 'postgres://localhost/quire', label: 'PostgreSQL', hint: 'a server that several gateways share' },
  atomic: 'store',
  durable: true,
  isShared: () => true,
  isNamedBy: (text) => protocol.test(text),
  read: (text) => ({ kind: 'postgres', ...settingOf(text) }),
  existing: (setting) => ({ ...setting, create: false }),
  secrets: ({ url }) => secretsIn(url),
  async open(setting, layout) {
    return (await import('./postgres-store.ts')).openPostgresStore(setting, layout)
  },
}

/** Quire's own parameters are taken out of the address: the driver would send them to the server. */
function settingOf(text: string): PostgresSetting {
  const [address, query = ''] = text.split('?', 2) as [string, string?]
  if (!/^postgres(ql)?:\/\/[^/]*\/[^/]+$/.test(address)) throw new ConfigError('The store is a PostgreSQL database, and its address names none. Write postgres://USER:PASSWORD@HOST:PORT/DATABASE.')
  const parameters = new URLSearchParams(query)
  const take = (name: string): string | undefined => {
    const value = parameters.get(name) ?? undefined
    parameters.delete(name)
    return value
  }
  const [schema, pool, prepare] = [take('schema'), take('pool'), take('prepare')]
  if (pool !== undefined && !/^[1-9]\d{0,3}$/.test(pool)) throw new ConfigError(`The parameter pool of the PostgreSQL store is "${pool}". Write a number of connections from 1 to 9999.`)
  if (prepare !== undefined && prepare !== 'true' && prepare !== 'false') throw new ConfigError(`The parameter prepare of the PostgreSQL store is "${prepare}". Write true or false.`)
  if (schema !== undefined && (schema === '' || Buffer.byteLength(schema) > 63 || schema.startsWith('pg_'))) throw new ConfigError(`The parameter schema of the PostgreSQL store is "${schema}". Use 1 to 63 bytes that do not begin with pg_.`)
  const url = parameters.size === 0 ? address : `${address}?${String(parameters)}`
  return { url, ...(schema === undefined ? {} : { schema }), ...(pool === undefined ? {} : { pool: Number(pool) }), ...(prepare === undefined ? {} : { prepare: prepare === 'true' }) }
}

/** The password, as it is written and as it is meant. */
function secretsIn(url: string): readonly string[] {
  const [, password] = /^[^:]+:\/\/[^:@/]*:([^@/]*)@/.exec(url) ?? []
  if (!password) return []
  try {
    return [...new Set([password, decodeURIComponent(password)])]
  } catch {
    return [password]
  }
}
