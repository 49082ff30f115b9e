// The SQLite store as a setting: `sqlite:PATH`.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from '../../errors.ts'
import type { StoreKind } from '../store-kind.ts'
import { makeFolderFor } from './folders.ts'
import type { SqliteOptions } from './sqlite-store.ts'

export interface SqliteSetting extends Pick<SqliteOptions, 'cacheBytes' | 'queryThreads'> {
  readonly kind: 'sqlite'
  readonly file: string
}

const prefix = 'sqlite:'

export const sqliteKind: StoreKind<SqliteSetting> = {
  syntax: 'sqlite:PATH',
  choice: { text: 'sqlite:.quire/documents.db', label: 'SQLite', hint: 'one file in this folder, nothing to set up' },
  atomic: 'store',
  durable: true,
  isShared: ({ file }) => file !== ':memory:',
  isNamedBy: (text) => text.startsWith(prefix) && text !== prefix,
  read: (text, _env, { cacheBytes, queryThreads }) => ({ kind: 'sqlite', file: fileOf(text), ...(cacheBytes === undefined ? {} : { cacheBytes }), ...(queryThreads === undefined ? {} : { queryThreads }) }),
  within: (text, folder) => prefix + resolve(folder, fileOf(text)),
  existing(setting) {
    if (existsSync(setting.file)) return setting
    throw new ConfigError(`There is no store at ${setting.file}. Name the one you mean with --store or QUIRE_STORE, or make this one with "quire start".`)
  },
  async look({ file }) {
    return (await import('./existing/existing-sqlite.ts')).openExistingSqlite(file)
  },
  async open(setting, layout) {
    makeFolderFor(setting.file)
    return (await import('./sqlite-store.ts')).openSqliteStore(setting.file, layout, setting)
  },
  backups: {
    async backup({ file: store }, file, { signal, onProgress }) {
      return (await import('./backup/backup-file.ts')).backupFile(store, file, onProgress, signal)
    },
    async restore(setting, file, { replace, prepare, ...options }) {
      const keptSuffix = `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
      return (await import('./backup/restore-file.ts')).restoreFile(setting.file, file, { replace, keptSuffix, prepare: (copy) => prepare({ ...setting, file: copy }), ...options })
    },
  },
  async openAtOneMoment(setting, layout) {
    return (await import('./sqlite-store.ts')).openSqliteStore(setting.file, layout, { cacheBytes: 0, atOneMoment: true })
  },
}

function fileOf(text: string): string {
  return text.slice(prefix.length)
}
