// Opens the schema and the store that a gateway with the same settings would serve. Only commands that fill a store
// create one.

import { readConfig, type Config } from '../../config/config.ts'
import { ConfigError } from '../../errors.ts'
import type { OpenWith } from '../../evolve/declared/document-differences.ts'
import { adoptDeclaration } from '../../evolve/declared/stored-declaration.ts'
import { openAtLocations } from '../../evolve/open-at-locations.ts'
import { withStoredSnapshots } from '../../evolve/stored-snapshots.ts'
import { readDeclaration, type Declaration } from '../../relations/declaration.ts'
import { readDeclaredSchema } from '../../serve/schema-folder.ts'
import { markSeeded } from '../../store/own-container.ts'
import { isTenantName, maxTenantBytes } from '../../store/tenants/tenant-name.ts'
import { kindOf, openStore, type StoreSetting } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import { TenantStore } from '../../store/tenants/tenant-store.ts'

export interface Stored {
  readonly declaration: Declaration
  readonly store: Store
  /** Opens the same store with other containers. */
  readonly openWith: OpenWith
}

export interface Fillable {
  readonly declaration: Declaration
  /** Opens the store, or creates it, calls `write` with the tenant's part of it and the containers that its documents are in, and closes it. */
  readonly fill: (write: (store: Store, placed: Declaration) => Promise<void>, options?: { readonly dryRun?: boolean }) => Promise<void>
}

/** An existing store. The caller closes it. */
export async function openStored(env: NodeJS.ProcessEnv): Promise<Stored> {
  const config = readConfig(env)
  const openWith: OpenWith = (layout) => openStore(existing(config.store), layout)
  return { ...await openAtLocations(await declarationOf(config), openWith), openWith }
}

/** An existing store whose documents are perhaps to be migrated. `open` creates what they need beside what is there, as a gateway does; before, nothing is created. */
export async function withStoredToMigrate<T>(env: NodeJS.ProcessEnv, use: (stored: Stored, open: <Result>(change: (opened: Stored) => Promise<Result>) => Promise<Result>) => Promise<T>): Promise<T> {
  const config = readConfig(env)
  const setting = existing(config.store)
  const asFound = kindOf(setting).openAsFound?.bind(kindOf(setting))
  if (!asFound) return withStored(env, (stored) => use(stored, (change) => change(stored)))
  const opened = async <R>(openWith: OpenWith, change: (each: Stored) => Promise<R>): Promise<R> => {
    const { declaration, store } = await openAtLocations(await declarationOf(config), openWith)
    try {
      return await change({ declaration, store, openWith })
    } finally {
      await store.close()
    }
  }
  return opened((layout) => asFound(setting, layout), (stored) => use(stored, (change) => opened((layout) => openStore(config.store, layout), change)))
}

/** An existing store as it is at one moment, where it can be read like that, for as long as `use` runs. */
export async function withStoredMoment<T>(env: NodeJS.ProcessEnv, use: (stored: Stored) => Promise<T>): Promise<T> {
  const config = readConfig(env)
  const setting = existing(config.store)
  const { declaration, store } = await openAtLocations(await declarationOf(config), (layout) => kindOf(setting).openAtOneMoment?.(setting, layout) ?? openStore(setting, layout))
  try {
    return await use({ declaration, store, openWith: (layout) => openStore(setting, layout) })
  } finally {
    await store.close()
  }
}

/** Opens an existing store for as long as `use` runs. */
export async function withStored<T>(env: NodeJS.ProcessEnv, use: (stored: Stored) => Promise<T>): Promise<T> {
  const stored = await openStored(env)
  try {
    return await use(stored)
  } finally {
    await stored.store.close()
  }
}

/** A store to fill. It is created only by `fill`, so a mistake that is found before leaves nothing behind. */
export async function readToFill(env: NodeJS.ProcessEnv, tenant: string | undefined): Promise<Fillable> {
  // Each document is written once and hardly read again: a large cache would only be filled.
  const config = readConfig({ QUIRE_CACHE_MB: '8', ...env })
  const read = await declarationOf(config)
  checkDurable(config)
  checkTenant(read.tenants, tenant)
  const fill: Fillable['fill'] = async (write, { dryRun = false } = {}) => {
    const { declaration, store } = await openAtLocations(read, (layout) => openStore(config.store, layout))
    try {
      // First of all, so that no gateway adds its sample documents to a store that is half filled.
      if (!dryRun) {
        await adoptDeclaration(declaration, store, (layout) => openStore(config.store, layout))
        await markSeeded(store)
        await withStoredSnapshots(declaration, store)
      }
      await write(tenantScopeOf(declaration, store, tenant), declaration)
    } finally {
      await store.close()
    }
  }
  return { declaration: read, fill }
}

/** The store's own backups. `verb` begins the sentence that refuses a store without them. */
export function embedded({ store: setting }: Config, verb: string, mustExist: boolean): { readonly setting: StoreSetting; readonly backups: NonNullable<ReturnType<typeof kindOf>['backups']> } {
  const { backups } = kindOf(setting)
  if (backups && kindOf(setting).isShared(setting)) return { setting: mustExist ? existing(setting) : setting, backups }
  throw new ConfigError(`${verb} an embedded store, sqlite:PATH. The store is ${setting.kind}: ${kindOf(setting).durable ? 'use the backups of its service, or "quire export"' : 'it is empty whenever a command starts'}.`)
}

/** The documents of one tenant; all documents where there are no tenants. */
export function tenantScopeOf({ tenants }: Declaration, store: Store, tenant: string | undefined): Store {
  checkTenant(tenants, tenant)
  return tenant === undefined ? store : new TenantStore(store, tenant)
}

function checkTenant(tenants: boolean, tenant: string | undefined): void {
  if (tenant === undefined && tenants) throw new ConfigError('Tenant missing: tenants share the store (QUIRE_TENANTS), and this command works on one of them. Name it with --tenant NAME.')
  if (tenant === undefined) return
  if (!tenants) throw new ConfigError(`--tenant is ${JSON.stringify(tenant)}, but the store has no tenants: QUIRE_TENANTS is not set. Set it, or omit --tenant.`)
  if (!isTenantName(tenant)) throw new ConfigError(`--tenant is ${JSON.stringify(tenant)}. Give 1 to ${maxTenantBytes} bytes of text without control characters.`)
}

async function declarationOf(config: Config): Promise<Declaration> {
  const { typeDefs, derive } = await readDeclaredSchema(config.schemaFolder)
  return readDeclaration(typeDefs, derive, config.tenants !== undefined)
}

function checkDurable({ store }: Pick<Config, 'store'>): void {
  if (!kindOf(store).durable) throw new ConfigError(`The store is ${store.kind}, which is empty whenever a command starts. Write sqlite:PATH.`)
}

function existing(store: StoreSetting): StoreSetting {
  checkDurable({ store })
  return kindOf(store).existing?.(store) ?? store
}
