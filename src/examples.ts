// The operations in examples/operations, which show the shipped schema's ways of storing one by one.

import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Example } from './site/welcome.ts'

const folder = join(import.meta.dirname, '../examples/operations')

/** In the order of the numbers that their file names begin with. */
export function readExamples(): (Example & { readonly file: string })[] {
  return readdirSync(folder).toSorted().map((file) => {
    const title = basename(file, '.graphql').replace(/^\d+-/, '').replaceAll('-', ' ')
    return { file, title: title.charAt(0).toUpperCase() + title.slice(1), text: readFileSync(join(folder, file), 'utf8') }
  })
}
