// The operations of a schema folder, which GraphiQL opens with.

import { basename } from 'node:path'
import { readOperationFiles } from '../../model/sdl/read-sdl.ts'
import type { Example } from '../../site/first-operation.ts'

/** In the order of the file names, which may begin with numbers. */
export function readExamples(folder: string): (Example & { readonly file: string })[] {
  return readOperationFiles(folder).map(({ name, text }) => ({ file: name, title: titleOf(name), text }))
}

/** `operations/1-newest-first.graphql` becomes `Newest first`. */
function titleOf(file: string): string {
  const words = basename(file, '.graphql').replace(/^\d+-/, '').replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
