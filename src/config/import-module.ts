// Imports the user's own TypeScript and JavaScript: the config file and the code of a schema folder. Node caches modules by URL,
// so the URL says which version is meant. `quire dev` follows what these files import, however deep and wherever it is, and
// loads all of it again when any of it changes.

import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The files that the user's code was loaded from. */
export interface ImportedFiles {
  /** Each file by path, with the digest of its content when it was loaded; undefined if there is no such file. */
  readonly loaded: ReadonlyMap<string, string | undefined>
  /** From now on, every import loads the files again. */
  reload(): void
}

/** The version is a parameter of the URL, which relative imports take over from the file that imports. */
const parameter = 'changed'

let following: Follower | undefined

export async function importModule(file: string): Promise<Record<string, unknown>> {
  const url = pathToFileURL(file)
  url.searchParams.set(parameter, following?.note(url) ?? String(Math.trunc(statSync(file).mtimeMs)))
  return (await import(url.href)) as Record<string, unknown>
}

/** Follows the imports of every file that `importModule` loads from now on. `onImport` hears of each new file, also of one that is imported while requests are answered. */
export function followImports(onImport: () => void): ImportedFiles {
  return (following = new Follower(onImport))
}

export function digestOf(file: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('base64')
  } catch {
    return undefined
  }
}

class Follower implements ImportedFiles {
  readonly loaded = new Map<string, string | undefined>()
  readonly #onImport: () => void
  #version = 0

  constructor(onImport: () => void) {
    this.#onImport = onImport
    // In a checkout, the code of the sample library imports Quire by a relative path.
    const ownCode = pathToFileURL(join(import.meta.dirname, '../')).href
    registerHooks({
      resolve: (specifier, context, nextResolve) => {
        const version = context.parentURL?.startsWith('file:') ? new URL(context.parentURL).searchParams.get(parameter) : null
        // Packages are loaded once, by everyone: GraphQL.js rejects values of a second copy.
        if (version === null || !/^(\.|\/|file:|#)/.test(specifier)) return nextResolve(specifier, context)
        // Before it is resolved, so that a file that is missing is noticed when it appears.
        if (/^\.{1,2}\//.test(specifier)) this.note(new URL(specifier, context.parentURL), version)
        const resolved = nextResolve(specifier, context)
        if (!resolved.url.startsWith('file:') || resolved.url.startsWith(ownCode) || resolved.url.includes('/node_modules/')) return resolved
        const url = new URL(resolved.url)
        this.note(url, version)
        url.searchParams.set(parameter, version)
        return { ...resolved, url: url.href }
      },
    })
  }

  /** Answers with the version that is loaded. The digest is taken before Node reads the file, so that no later save is missed. */
  note(url: URL, version = String(this.#version)): string {
    const file = fileURLToPath(url)
    if (version === String(this.#version) && !this.loaded.has(file)) {
      this.loaded.set(file, digestOf(file))
      this.#onImport()
    }
    return version
  }

  reload(): void {
    const { cache } = createRequire(import.meta.url)
    // CommonJS has a cache of its own, by path.
    for (const file of this.loaded.keys()) delete cache[file]
    this.loaded.clear()
    this.#version++
  }
}
