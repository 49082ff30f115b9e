// What commands work on: the schema and the store that a gateway with the same settings would serve.
// A store that is not there is made only for commands that fill it.

import { existsSync } from 'node:fs'
import { ConfigError, readConfig, type Config } from '../config.ts'
import { readDeclaration, type Declaration } from '../declaration.ts'
import { openDomain } from '../domain.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'

export async function openStored(env: NodeJS.ProcessEnv): Promise<Stored> {
  const config = readConfig(env)
  const declaration = await declarationOf(config)
  checkThere(config)
  const setting = config.store.kind === 'cosmos' ? { ...config.store, create: false } : config.store
  return { declaration, store: await openStore(setting, declaration.layout) }
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
  const { typeDefs, derive } = await openDomain(config)
  return readDeclaration(typeDefs, derive)
}

function checkLasting({ store }: Config): void {
  if (store.kind === 'memory') throw new ConfigError('The store is memory, which is empty whenever a command starts. Write sqlite:PATH.')
}

function checkThere(config: Config): void {
  checkLasting(config)
  const { store } = config
  if (store.kind === 'sqlite' && !existsSync(store.file)) {
    throw new ConfigError(`There is no store at ${store.file}. Name the one you mean with --store or QUIRE_STORE, or make this one with "quire start".`)
  }
}
