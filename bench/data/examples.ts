// The example operations of the library, which show every way of storing at least once.

import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const folder = join(import.meta.dirname, '../../schema/library/operations')

export interface Example {
  readonly name: string
  readonly query: string
}

export function readExamples(): Example[] {
  return readdirSync(folder).filter((file) => file.endsWith('.graphql')).toSorted().map((file) => ({ name: basename(file, '.graphql'), query: readFileSync(join(folder, file), 'utf8') }))
}
