// Watches the sources of a gateway: the SDL and TypeScript files of a schema folder, and the config file. An event only
// triggers a comparison of the contents, so that an editor that saves in three steps causes one change, and a save
// without changes none.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, watch, type FSWatcher } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'

export interface Sources {
  readonly schemaFolder: string
  readonly configFile: string
}

/** `cages.graphql changed`, and so on. */
export type OnChange = (changes: readonly string[]) => void

/** Editors have finished a save after this long. */
const settledAfterMs = 60

export interface Watching {
  /** Watches these from now on; their present contents are not a change. */
  move(sources: Sources): void
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
    const last = seen
    seen = begin()
    const changes = differences(last, seen)
    if (changes.length > 0) onChange(changes)
  }
  let seen = begin()
  return {
    move(to) {
      sources = to
      seen = begin()
    },
    stop() {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
    },
  }
}

const functions = /^(derive|resolvers)\.(ts|js|mjs)$/

function watchersOf({ schemaFolder, configFile }: Sources, soon: () => void): FSWatcher[] {
  const watched = (folder: string, concerns: (name: string) => boolean, recursive = false): FSWatcher[] => {
    if (!existsSync(folder)) return []
    const watcher = watch(folder, { recursive }, (_, name) => {
      if (name === null || concerns(name)) soon()
    })
    // The watcher of the parent folder reports that a folder is gone.
    watcher.on('error', () => watcher.close())
    return [watcher]
  }
  return [
    // A name without an extension may be a folder.
    ...watched(schemaFolder, (name) => name.endsWith('.graphql') || functions.test(basename(name)) || extname(name) === '', true),
    ...watched(dirname(schemaFolder), (name) => name === basename(schemaFolder)),
    ...watched(dirname(configFile), (name) => name === basename(configFile)),
  ]
}

function contentsOf({ schemaFolder, configFile }: Sources): Map<string, string> {
  const names = existsSync(schemaFolder) ? readdirSync(schemaFolder, { recursive: true, encoding: 'utf8' }) : []
  const files = names.filter((name) => name.endsWith('.graphql') || functions.test(name)).toSorted().map((name) => [name, join(schemaFolder, name)] as const)
  return new Map([...files, [basename(configFile), configFile] as const].flatMap(([name, file]) => {
    const hash = hashOf(file)
    return hash === undefined ? [] : [[name, hash]]
  }))
}

function hashOf(file: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('base64')
  } catch {
    return undefined
  }
}

function differences(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...now.keys()])].toSorted().flatMap((name) => {
    if (before.get(name) === now.get(name)) return []
    return `${name} ${before.has(name) ? (now.has(name) ? 'changed' : 'removed') : 'added'}`
  })
}
