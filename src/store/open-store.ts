// Which adapter serves a setting. Adapters are loaded only when they are chosen.

import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { CosmosSetting } from './cosmos/cosmos.ts'
import type { Memory } from './memory.ts'
import type { SqliteOptions } from './sqlite.ts'
import { SetupError, type ContainerLayout, type Store } from './store.ts'

export type StoreSetting =
  | { readonly kind: 'memory' }
  | ({ readonly kind: 'sqlite'; readonly file: string } & Pick<SqliteOptions, 'cacheBytes'>)
  | ({ readonly kind: 'cosmos' } & CosmosSetting)

/** With a memory that is given, a store in this process has what is in it already. */
export async function openStore(setting: StoreSetting, layout: readonly ContainerLayout[], memory?: Memory): Promise<Store> {
  switch (setting.kind) {
    case 'memory':
      return (await import('./memory.ts')).openMemoryStore(layout, memory)
    case 'sqlite':
      makeFolderFor(setting.file)
      return (await import('./sqlite.ts')).openSqliteStore(setting.file, layout, setting)
    case 'cosmos':
      return (await import('./cosmos/cosmos.ts')).openCosmosStore(setting, layout)
  }
}

function makeFolderFor(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === 'EEXIST' ? 'there is a file of that name' : reasonOf(error)
    throw new SetupError(`The folder ${dirname(file)} of the SQLite store cannot be made: ${why}. Name a file in another folder.`, { cause: error })
  }
}

/** `permission denied` of `EACCES: permission denied, mkdir '/x'`. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^[A-Z]+: (.+?), .*$/s, '$1') : String(error)
}
