// The rooms of `src/` from top to bottom, and what a file imports from the wrong side of its own. Files that stand
// loose in `src/` have a place of their own in the same order.

import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export const rooms = [
  'clock.ts', 'errors.ts', 'graphql-errors.ts', 'model', 'store', 'emulator', 'auth', 'read', 'relations', 'plan', 'observe', 'write', 'feed', 'evolve', 'execute', 'http', 'site',
  'config', 'gateway.ts', 'serve', 'cli', 'cli.ts', 'index.ts', 'entries',
]

export interface Import {
  readonly path: string
  readonly line: number
}

/** Throws for a file that has none. */
export function roomOf(file: string): string {
  const [, room = ''] = file.split('/')
  if (!rooms.includes(room)) throw new Error(`${file} is in no room. Move it into one of ${rooms.join(', ')}.`)
  return room
}

export function importsOf(file: string, text = readFileSync(file, 'utf8')): Import[] {
  return text.split('\n').flatMap((line, index) =>
    [...line.matchAll(/(?:from |import\(|new URL\()'(\.[^']+)'/g)].map(([, specifier]) => ({ path: normalize(join(dirname(file), specifier!)), line: index + 1 })))
}

/** A sentence for each import from a room below: where it stands, and where the imported line would have to go. */
export function misplacedImports(file: string, text: string): string[] {
  const own = rooms.indexOf(roomOf(file))
  return importsOf(file, text).filter(({ path }) => path.startsWith('src/') && rooms.indexOf(roomOf(path)) > own).map(({ path, line }) =>
    `${file}:${line} imports ${path}: ${roomOf(path)} is below ${rooms[own]}. Move the importing line down into ${roomOf(path)}, or what it needs up into ${rooms[own]} or a room above.`)
}
