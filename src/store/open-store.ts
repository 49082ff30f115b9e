// Which adapter serves a setting. Adapters are loaded only when they are chosen.

import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { CosmosSetting } from './cosmos/cosmos.ts'
import type { SqliteOptions } from './sqlite.ts'
import type { ContainerLayout, Store } from './store.ts'

export type StoreSetting =
  | { readonly kind: 'memory' }
  | ({ readonly kind: 'sqlite'; readonly file: string } & Pick<SqliteOptions, 'cacheBytes'>)
  | ({ readonly kind: 'cosmos' } & CosmosSetting)

export async function openStore(setting: StoreSetting, layout: readonly ContainerLayout[]): Promise<Store> {
  switch (setting.kind) {
    case 'memory':
      return (await import('./memory.ts')).openMemoryStore(layout)
    case 'sqlite':
      mkdirSync(dirname(setting.file), { recursive: true })
      return (await import('./sqlite.ts')).openSqliteStore(setting.file, layout, setting)
    case 'cosmos':
      return (await import('./cosmos/cosmos.ts')).openCosmosStore(setting, layout)
  }
}
