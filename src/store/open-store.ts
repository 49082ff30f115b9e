// The kinds of store, and how a setting becomes an open store. To add a kind, describe it in its own folder and add a line.

import { ConfigError } from '../errors.ts'
import { cosmosKind } from './cosmos/cosmos-kind.ts'
import { memoryKind } from './memory/memory-kind.ts'
import type { Memory } from './memory/memory-store.ts'
import { postgresKind } from './postgres/postgres-kind.ts'
import { sqliteKind } from './sqlite/sqlite-kind.ts'
import type { ContainerLayout, Store } from './store.ts'
import type { StoreKind } from './store-kind.ts'

export const storeKinds = {
  memory: memoryKind,
  sqlite: sqliteKind,
  postgres: postgresKind,
  cosmos: cosmosKind,
}

export type StoreSetting = ReturnType<(typeof storeKinds)[keyof typeof storeKinds]['read']>

const kinds: readonly StoreKind<StoreSetting>[] = Object.values(storeKinds)

/** `memory, sqlite:PATH, postgres://… or cosmos`. */
export const storeSyntax = kinds.map(({ syntax }) => syntax).join(', ').replace(/, ([^,]*)$/, ' or $1')

/** Settings that only some kinds have, by their names in a config file. */
export const storeSettings: NonNullable<StoreKind<StoreSetting>['settings']> = Object.assign({}, ...kinds.map(({ settings }) => settings))

export function kindOf({ kind }: StoreSetting): StoreKind<StoreSetting> {
  return storeKinds[kind]
}

/** The kind that a text such as `sqlite:PATH` names. Errors call the text by the name of the setting or option that holds it. */
export function kindNamed(text: string, name: string): StoreKind<StoreSetting> {
  const kind = kinds.find((one) => one.isNamedBy(text))
  if (!kind) throw new ConfigError(`${name} is "${text}". Write ${storeSyntax}.`)
  return kind
}

export function openStore(setting: StoreSetting, layout: readonly ContainerLayout[], memory?: Memory): Promise<Store> {
  return kindOf(setting).open(setting, layout, memory)
}
