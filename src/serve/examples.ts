// The operations that are kept as files beside what they ask: those of the shipped schema show its ways
// of storing one by one.

import { basename, join } from 'node:path'
import { readOperationFiles } from '../model/sdl/read-sdl.ts'
import type { Example } from '../site/first-operation.ts'

const shipped = join(import.meta.dirname, '../../examples/operations')

/** In the order of the file names, which may begin with numbers. */
export function readExamples(folder: string = shipped): (Example & { readonly file: string })[] {
  return readOperationFiles(folder).map(({ name, text }) => ({ file: name, title: titleOf(name), text }))
}

/** `1-newest-first.graphql` is called `Newest first`. */
function titleOf(file: string): string {
  const words = basename(file, '.graphql').replace(/^\d+-/, '').replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
