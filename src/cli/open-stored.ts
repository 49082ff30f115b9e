// What commands work on: the schema and the store that a gateway with the same settings would serve.
// A store that is not there is made only for commands that fill it.

import { readConfig, type Config } from '../config/config.ts'
import { ConfigError } from '../errors.ts'
import { readDeclaration, type Declaration } from '../relations/declaration.ts'
import { readDeclaredSchema } from '../serve/schema-folder.ts'
import { isTenantName, maxTenantBytes } from '../store/tenants/tenant-name.ts'
import { kindOf, openStore, type StoreSetting } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { TenantStore } from '../store/tenants/tenant-store.ts'

export async function openStored(env: NodeJS.ProcessEnv): Promise<Stored> {
  const config = readConfig(env)
  const declaration = await declarationOf(config)
  return { declaration, store: await openStore(existing(config), declaration.layout) }
}

/** The store is made when it is opened, so that whatever is refused before that leaves nothing behind. */
export async function readToFill(env: NodeJS.ProcessEnv): Promise<{ readonly declaration: Declaration; readonly open: () => Promise<Store> }> {
  const config = readConfig(env)
  const declaration = await declarationOf(config)
  checkLasting(config)
  return { declaration, open: () => openStore(config.store, declaration.layout) }
}

export interface Stored {
  readonly declaration: Declaration
  readonly store: Store
}

async function declarationOf(config: Config): Promise<Declaration> {
  const { typeDefs, derive } = await readDeclaredSchema(config.schemaFolder)
  return readDeclaration(typeDefs, derive, config.tenants !== undefined)
}

/** What a command is about that is about one tenant's documents: all of them, where there are no tenants. */
export function shareOf({ tenants }: Declaration, store: Store, tenant: string | undefined): Store {
  checkTenant(tenants, tenant)
  return tenant === undefined ? store : new TenantStore(store, tenant)
}

/** Before anything is opened, where it can be told by then. */
export function checkTenant(tenants: boolean, tenant: string | undefined): void {
  if (tenant === undefined && tenants) throw new ConfigError('Tenants share the store (QUIRE_TENANTS), and this is about the documents of one. Say whose with --tenant NAME.')
  if (tenant === undefined) return
  if (!tenants) throw new ConfigError(`--tenant is ${JSON.stringify(tenant)}, and tenants share no store unless QUIRE_TENANTS says so. Set it, or leave --tenant out.`)
  if (!isTenantName(tenant)) throw new ConfigError(`--tenant is ${JSON.stringify(tenant)}. Give 1 to ${maxTenantBytes} bytes of text without control characters.`)
}

function checkLasting({ store }: Config): void {
  if (!kindOf(store).durable) throw new ConfigError(`The store is ${store.kind}, which is empty whenever a command starts. Write sqlite:PATH.`)
}

function existing(config: Config): StoreSetting {
  checkLasting(config)
  const { store } = config
  return kindOf(store).existing?.(store) ?? store
}
