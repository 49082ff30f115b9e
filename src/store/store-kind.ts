// What Quire must know of a kind of store before it opens one: how its setting is written, read and checked. Each
// adapter's folder describes itself here without loading its vendor's package; open-store.ts lists them.

import type { ExistingDatabase } from './existing/existing-database.ts'
import type { Memory } from './memory/memory-store.ts'
import type { ContainerLayout, Store, Supports } from './store.ts'

/** What a store in this process may use; undefined for the default. */
export interface StoreResources {
  readonly cacheBytes?: number | undefined
  readonly queryThreads?: number | undefined
}

export interface RestoreOptions<Setting> {
  readonly replace: boolean
  /** Called with the copy before it becomes the store. */
  readonly prepare: (copy: Setting) => Promise<void>
  readonly onProgress?: (done: number, total: number) => void
}

export interface StoreKind<Setting> {
  /** How the setting is written, for help texts and error messages: `sqlite:PATH`. */
  readonly syntax: string
  /** How `quire init` offers it: the setting it writes, a label and a hint. */
  readonly choice: { readonly text: string; readonly label: string; readonly hint: string }
  /** What `supports.atomic` of its stores says, for commands that open none. */
  readonly atomic: Supports['atomic']
  /** Whether documents outlive the process, so that a command finds what a gateway has written. */
  readonly durable: boolean
  /** Whether every process that opens this setting has the same documents. */
  isShared(setting: Setting): boolean
  /** Settings that only this kind has, by their names in a config file. `check` throws a ConfigError. */
  readonly settings?: Readonly<Record<string, { readonly variable: string; readonly check: (text: string, name: string) => void }>>

  isNamedBy(text: string): boolean
  /** Throws a ConfigError if something is missing or wrong. */
  read(text: string, env: NodeJS.ProcessEnv, resources: StoreResources): Setting
  /** The setting as text, with paths that start in this folder made absolute. */
  within?(text: string, folder: string): string
  /** The setting for a command that must not create anything. Throws a ConfigError if there is no such store. */
  existing?(setting: Setting): Setting
  /** Opens an existing store to look at it: containers that are missing are empty. Absent where a container costs nothing, so that it may be created. */
  openAsFound?(setting: Setting, layout: readonly ContainerLayout[]): Promise<Store>
  /** Opens the database as it is, only to look at it. At most so many requests are sent. */
  look?(setting: Setting, maxRequests: number): Promise<ExistingDatabase>
  /** Values that no log may show. */
  secrets?(setting: Setting): readonly string[]
  /** Loads the adapter. `memory` holds the documents of a memory store that is opened again. */
  open(setting: Setting, layout: readonly ContainerLayout[], memory?: Memory): Promise<Store>
  /** A store whose reads all show the moment when it was opened, whatever is written meanwhile. Absent where there is no such thing. */
  openAtOneMoment?(setting: Setting, layout: readonly ContainerLayout[]): Promise<Store>
  /** For a store in files of its own: how it is copied and put back. Absent for a service, which has backups of its own. */
  readonly backups?: {
    /** Copies the store, as it is at one moment, while others write. Overwrites nothing. Returns the size in bytes. */
    backup(setting: Setting, file: string, options: { readonly signal: AbortSignal; readonly onProgress: (done: number, total: number) => void }): Promise<number>
    /** Puts a backup in the place of the store, which no process may have open. Returns where the old store is kept, if there was one. */
    restore(setting: Setting, file: string, options: RestoreOptions<Setting>): Promise<string | undefined>
  }
}
