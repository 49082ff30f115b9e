// Watches the sources of a gateway: the SDL and the code of a schema folder, the config file, and everything that these import. An
// event only triggers a comparison of the contents, so that an editor that saves in three steps causes one change, and a save
// without changes none.

import { existsSync, readdirSync, watch, type FSWatcher } from 'node:fs'
import { basename, dirname, extname, join, relative } from 'node:path'
import { digestOf } from '../../config/import-module.ts'

export interface Sources {
  readonly schemaFolder: string
  /** Every path that the config file can have. */
  readonly configFiles: readonly string[]
  /** The files that code and config were loaded from, with the digests of what was loaded. It changes with every load. */
  readonly imported: ReadonlyMap<string, string | undefined>
}

export interface SourceChange {
  readonly file: string
  /** `cages.graphql changed`, and so on. */
  readonly text: string
}

export type OnChange = (changes: readonly SourceChange[]) => void

/** Editors have finished a save after this long. */
const settledAfterMs = 60

export interface Watching {
  /** Watches these from now on; their present contents are not a change. */
  move(sources: Sources): void
  /** Watches what has been imported since. */
  refresh(): void
  stop(): void
}

export function watchSources(sources: Sources, onChange: OnChange): Watching {
  let watchers: FSWatcher[] = []
  let timer: NodeJS.Timeout | undefined
  const soon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(look, settledAfterMs)
  }
  // Watch before reading the contents, so that no change is missed between the two. Watch again each time, because a
  // folder that was deleted and created again is another one.
  const begin = (): Map<string, string> => {
    for (const watcher of watchers) watcher.close()
    watchers = watchersOf(sources, soon)
    return contentsOf(sources)
  }
  const look = (): void => {
    // A file that was imported since is compared with what was loaded, so that no save in between is missed.
    const last = new Map([...sources.imported, ...seen].filter(([file]) => isWatched(file, sources)))
    seen = begin()
    const changes = differences(last, seen, sources)
    if (changes.length > 0) onChange(changes)
  }
  let seen = begin()
  return {
    move(to) {
      sources = to
      seen = begin()
    },
    refresh: soon,
    stop() {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
    },
  }
}

const code = /^(derive|resolvers|documents)\.(ts|js|mjs)$|^documents\.json$/

/** What `quire codegen` writes follows from the SDL. */
const generated = /^quire\.generated\.(ts|graphql)$/

function isSource(name: string): boolean {
  return (name.endsWith('.graphql') || code.test(name)) && !generated.test(basename(name))
}

function watchersOf(sources: Sources, soon: () => void): FSWatcher[] {
  const { schemaFolder } = sources
  const watched = (folder: string, concerns: (name: string) => boolean, recursive = false): FSWatcher[] => {
    if (!existsSync(folder)) return []
    const watcher = watch(folder, { recursive }, (_, name) => {
      if (name === null || concerns(name)) soon()
    })
    // The watcher of the parent folder reports that a folder is gone.
    watcher.on('error', () => watcher.close())
    return [watcher]
  }
  const others = Map.groupBy([...sources.configFiles, ...sources.imported.keys(), schemaFolder], (file) => dirname(file))
  return [
    // A name without an extension may be a folder.
    ...watched(schemaFolder, (name) => isSource(name) || extname(name) === '', true),
    ...[...others].flatMap(([folder, files]) => watched(folder, (name) => files.includes(join(folder, name)))),
  ]
}

function isWatched(file: string, { schemaFolder, configFiles, imported }: Sources): boolean {
  const name = relative(schemaFolder, file)
  return (!name.startsWith('..') && isSource(name)) || ((configFiles.includes(file) || imported.has(file)) && !generated.test(basename(file)))
}

function contentsOf(sources: Sources): Map<string, string> {
  const { schemaFolder, configFiles, imported } = sources
  const names = existsSync(schemaFolder) ? readdirSync(schemaFolder, { recursive: true, encoding: 'utf8' }) : []
  const files = [...names.map((name) => join(schemaFolder, name)), ...configFiles, ...imported.keys()].filter((file) => isWatched(file, sources))
  return new Map(files.flatMap((file) => {
    const digest = digestOf(file)
    return digest === undefined ? [] : [[file, digest]]
  }))
}

function differences(before: ReadonlyMap<string, string | undefined>, now: ReadonlyMap<string, string>, sources: Sources): SourceChange[] {
  return [...new Set([...before.keys(), ...now.keys()])].toSorted().flatMap((file) => {
    const [was, is] = [before.get(file), now.get(file)]
    if (was === is) return []
    return [{ file, text: `${shown(file, sources)} ${was === undefined ? 'added' : is === undefined ? 'removed' : 'changed'}` }]
  })
}

/** Relative to the schema folder inside of it, and to the folder of the config file elsewhere. */
function shown(file: string, { schemaFolder, configFiles: [configFile] }: Sources): string {
  const inside = relative(schemaFolder, file)
  return inside.startsWith('..') ? relative(dirname(configFile!), file) : inside
}
