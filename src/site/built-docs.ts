// The documentation as `npm run pages` renders it from docs/: one file with all pages, their order and what a search looks through. It
// is read once; a gateway also runs without it.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

export const docsFile = 'docs.json.br'

export interface BuiltDocs {
  /** In the order of reading. */
  readonly chapters: readonly Chapter[]
  /** By their names: `query` for docs/query.md, the empty name for the contents. */
  readonly pages: Readonly<Record<string, DocsPage>>
}

export interface Chapter {
  readonly title: string
  readonly pages: readonly { readonly name: string; readonly title: string }[]
}

export interface DocsPage {
  readonly title: string
  readonly html: string
  readonly sections: readonly DocsSection[]
}

/** What is below one heading. */
export interface DocsSection {
  /** The anchor of the heading; empty for what comes before the first. */
  readonly id: string
  readonly heading: string
  readonly level: number
  /** Without markup. */
  readonly text: string
}

/** Undefined where they are not built. */
export async function readBuiltDocs(folder: string): Promise<BuiltDocs | undefined> {
  const file = await readFile(join(folder, docsFile)).catch(() => undefined)
  return file && (JSON.parse((await promisify(brotliDecompress)(file)).toString()) as BuiltDocs)
}
