// The addresses of the documentation: `/docs` with the contents, `/docs/query` and the like, and the search index. Files are read on first
// use, and again as long as they are not built.

import { readBuiltDocs } from './built-docs.ts'
import { hashedName, immutable, pageHeaders, textContent, type Content } from './content.ts'
import { docsPage, searchIndex } from './docs-page.ts'
import type { Frame } from './page-layout.ts'
import { html } from './html.ts'

const notBuilt = 'The documentation is not built yet: run "npm run pages", then reload. The same pages are in the folder docs.'

export type Docs = (path: string) => Promise<Content | undefined>

export function createDocs(folder: string, frame: () => Frame): Docs {
  let reading: Promise<ReadonlyMap<string, Content> | undefined> | undefined
  return async (path) => {
    reading ??= read(folder, frame())
    const contents = await reading
    if (contents) return contents.get(path.replace(/\/$/, ''))
    reading = undefined
    return textContent('text/html', html`<!doctype html><html lang="en"><meta charset="utf-8"><title>Quire</title><p>${notBuilt}</p></html>`.text, pageHeaders(), 503)
  }
}

/** By path. Texts are compressed when they are first asked for. */
async function read(folder: string, frame: Frame): Promise<ReadonlyMap<string, Content> | undefined> {
  const docs = await readBuiltDocs(folder)
  if (!docs) return undefined
  const index = JSON.stringify(searchIndex(docs))
  const indexPath = `/docs/${hashedName('search.json', index)}`
  return new Map([
    [indexPath, textContent('application/json', index, immutable)],
    ...Object.keys(docs.pages).map((name) => [name === '' ? '/docs' : `/docs/${name}`, textContent('text/html', docsPage(frame, docs, name, indexPath), pageHeaders())] as const),
  ])
}
