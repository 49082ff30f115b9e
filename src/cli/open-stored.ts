// What commands work on: the schema and the store that a gateway with the same settings would serve.
// A store that is not there is not made, and none is filled.

import { existsSync } from 'node:fs'
import { ConfigError, readConfig, type Config } from '../config.ts'
import { readDeclaration, type Declaration } from '../declaration.ts'
import { openDomain } from '../domain.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'

export async function openStored(env: NodeJS.ProcessEnv): Promise<{ declaration: Declaration; store: Store }> {
  const config = readConfig(env)
  const { typeDefs, derive } = await openDomain(config)
  const declaration = readDeclaration(typeDefs, derive)
  checkThere(config)
  const setting = config.store.kind === 'cosmos' ? { ...config.store, create: false } : config.store
  return { declaration, store: await openStore(setting, declaration.layout) }
}

function checkThere({ store }: Config): void {
  if (store.kind === 'memory') throw new ConfigError('QUIRE_STORE is memory, which is empty whenever a command starts. Write sqlite:PATH.')
  if (store.kind === 'sqlite' && !existsSync(store.file)) {
    throw new ConfigError(`There is no store at ${store.file}. Set QUIRE_STORE to the one you mean, or make this one with "quire start".`)
  }
}
