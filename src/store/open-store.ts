// Which adapter serves a setting. Adapters are loaded only when they are chosen.

import { mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { CosmosSetting } from './cosmos/cosmos-store.ts'
import type { Memory } from './memory/memory-store.ts'
import type { SqliteOptions } from './sqlite/sqlite-store.ts'
import { SetupError, type ContainerLayout, type Store } from './store.ts'
import { syncFolder } from './sqlite/sync-folder.ts'

export type StoreSetting =
  | { readonly kind: 'memory' }
  | ({ readonly kind: 'sqlite'; readonly file: string } & Pick<SqliteOptions, 'cacheBytes'>)
  | ({ readonly kind: 'cosmos' } & CosmosSetting)

/** With a memory that is given, a store in this process has what is in it already. */
export async function openStore(setting: StoreSetting, layout: readonly ContainerLayout[], memory?: Memory): Promise<Store> {
  switch (setting.kind) {
    case 'memory':
      return (await import('./memory/memory-store.ts')).openMemoryStore(layout, memory)
    case 'sqlite':
      makeFolderFor(setting.file)
      return (await import('./sqlite/sqlite-store.ts')).openSqliteStore(setting.file, layout, setting)
    case 'cosmos':
      return (await import('./cosmos/cosmos-store.ts')).openCosmosStore(setting, layout)
  }
}

function makeFolderFor(file: string): void {
  const folder = resolve(dirname(file))
  let made: string | undefined
  try {
    made = mkdirSync(folder, { recursive: true })
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === 'EEXIST' ? 'there is a file of that name' : reasonOf(error)
    throw new SetupError(`The folder ${dirname(file)} of the SQLite store cannot be made: ${why}. Name a file in another folder.`, { cause: error })
  }
  if (made !== undefined) syncAbove(folder, dirname(made))
}

/** Each folder that was made is an entry of the one above it. */
function syncAbove(folder: string, top: string): void {
  const above = dirname(folder)
  syncFolder(above)
  if (above !== top && above !== folder) syncAbove(above, top)
}

/** `permission denied` of `EACCES: permission denied, mkdir '/x'`. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^[A-Z]+: (.+?), .*$/s, '$1') : String(error)
}
