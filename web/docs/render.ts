// Renders docs/*.md into the one file that gateways serve at /docs. docs/README.md has the order of the pages.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { lexer, type Tokens } from 'marked'
import { docsFile, type BuiltDocs, type Chapter, type DocsPage } from '../../src/site/built-docs.ts'
import { renderMarkdown } from './markdown.ts'

const source = join(import.meta.dirname, '../../docs')

export function renderDocs(): BuiltDocs {
  const names = readdirSync(source).filter((file) => file.endsWith('.md')).map((file) => file.slice(0, -'.md'.length))
  const pages = Object.fromEntries(names.map((name): [string, DocsPage] => [name === 'README' ? '' : name, renderMarkdown(readPage(name), source)]))
  return { chapters: chaptersOf(readPage('README')), pages }
}

export function writeDocs(folder: string): { readonly pages: number; readonly kilobytes: number } {
  const docs = renderDocs()
  const file = brotliCompressSync(JSON.stringify(docs))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, docsFile), file)
  return { pages: Object.keys(docs.pages).length, kilobytes: Math.round(file.length / 1000) }
}

function readPage(name: string): string {
  return readFileSync(join(source, `${name}.md`), 'utf8')
}

/** The lists of the contents page, below their headings. Links into the middle of a page are no page of their own. */
function chaptersOf(contents: string): Chapter[] {
  const tokens = lexer(contents)
  return tokens.flatMap((token, index) => {
    const list = tokens.slice(index + 1).find(({ type }) => type !== 'space')
    if (token.type !== 'heading' || list?.type !== 'list') return []
    const links = (list as Tokens.List).items.map(({ text }) => /^\[([^\]]+)\]\(([\w-]+)\.md\)/.exec(text)).filter((link) => link !== null)
    return [{ title: (token as Tokens.Heading).text, pages: links.map(([, title, name]) => ({ name: name!, title: title! })) }]
  })
}
