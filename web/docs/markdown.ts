// One page of the documentation as HTML. Raw HTML is not passed on, except for line breaks in tables: comments mark generated parts, and
// anything else would be shown as text.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Marked, type RendererObject, type Token, type Tokens } from 'marked'
import type { DocsPage, DocsSection } from '../../src/site/built-docs.ts'
import { html, Html } from '../../src/site/html.ts'
import { slugger } from './slugs.ts'

/** `folder` has the page, and what it links to is relative to that. */
export function renderMarkdown(markdown: string, folder: string): DocsPage {
  const ids = new Map<Token, string>()
  const marked = new Marked({ renderer: rendererOf(ids, folder) })
  const tokens = marked.lexer(markdown)
  const slugOf = slugger()
  for (const token of tokens) if (isHeading(token)) ids.set(token, slugOf(plainText(token.tokens)))
  const title = tokens.find(isHeading)
  return { title: title ? plainText(title.tokens) : '', html: marked.parser(tokens), sections: sectionsOf(tokens, ids) }
}

function rendererOf(ids: ReadonlyMap<Token, string>, folder: string): RendererObject {
  return {
    heading(token) {
      const id = ids.get(token) ?? ''
      const inside = new Html(this.parser.parseInline(token.tokens))
      const level = new Html(`h${token.depth}`)
      return html`<${level} id="${id}">${inside} <a class="anchor" href="#${id}" aria-label="Link to ${plainText(token.tokens)}">#</a></${level}>\n`.text
    },
    code({ text, lang = '' }) {
      const label = labelOf(lang)
      return html`<figure class="code">${label === '' ? '' : html`<figcaption>${label}</figcaption>`}<pre tabindex="0" aria-label="${label === '' ? 'Code' : label}"><code>${text}</code></pre></figure>\n`.text
    },
    table({ header, rows }) {
      const titles = header.map(({ tokens }) => plainText(tokens))
      const head = header.map((cell) => html`<th role="columnheader"${aligned(cell)}>${new Html(this.parser.parseInline(cell.tokens))}</th>`)
      const body = rows.map((row) => html`<tr role="row">${row.map((cell, index) => html`<td role="cell" data-label="${titles[index]}"${aligned(cell)}>${new Html(this.parser.parseInline(cell.tokens))}</td>`)}</tr>\n`)
      // Browsers forget what a table is when a narrow screen shows its cells below each other; roles remind them.
      return html`<table role="table"><thead role="rowgroup"><tr role="row">${head}</tr></thead><tbody role="rowgroup">${body}</tbody></table>\n`.text
    },
    link({ href, tokens }) {
      const inside = new Html(this.parser.parseInline(tokens))
      const target = targetOf(href)
      return (target === undefined ? html`<span class="file" title="In the repository: ${join('docs', href)}">${inside}</span>` : html`<a href="${target}">${inside}</a>`).text
    },
    image({ href, text }) {
      const file = join(folder, href)
      if (!href.endsWith('.svg') || !existsSync(file)) return html`<em>${text}</em>`.text
      return html`<img src="data:image/svg+xml;base64,${readFileSync(file, 'base64')}" alt="${text}">`.text
    },
    html({ text }) {
      return text.startsWith('<!--') ? '' : /^<br ?\/?>$/.test(text.trim()) ? '<br>' : html`${text}`.text
    },
  }
}

/** Undefined for files of the repository, which a gateway does not serve. */
function targetOf(href: string): string | undefined {
  if (/^(?:https?:|#)/.test(href)) return href
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  return name === undefined ? undefined : `/docs${name === 'README' ? '' : `/${name}`}${anchor}`
}

/** What a block is, by the words after its language. */
function labelOf(info: string): string {
  const [, , words = ''] = /^(\w*) ?(.*)$/.exec(info) ?? []
  const [, file] = /\bfile=(\S+)/.exec(words) ?? []
  return file ?? { result: 'Answer', variables: 'Variables', headers: 'Headers' }[words] ?? ''
}

function sectionsOf(tokens: readonly Token[], ids: ReadonlyMap<Token, string>): DocsSection[] {
  const sections: { id: string; heading: string; level: number; texts: string[] }[] = []
  for (const token of tokens) {
    if (isHeading(token)) sections.push({ id: token.depth === 1 ? '' : ids.get(token)!, heading: plainText(token.tokens), level: token.depth, texts: [] })
    else sections.at(-1)?.texts.push(plainText([token]))
  }
  return sections.map(({ texts, ...section }) => ({ ...section, text: texts.join(' ').replaceAll(/\s+/g, ' ').trim() }))
}

/** The words of some tokens, without any markup. */
function plainText(tokens: readonly Token[]): string {
  return tokens.map((token): string => {
    if (token.type === 'html') return ''
    if (token.type === 'table') return [...(token as Tokens.Table).header, ...(token as Tokens.Table).rows.flat()].map((cell) => plainText(cell.tokens)).join(' ')
    if (token.type === 'list') return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(' ')
    return 'tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token ? String(token.text) : token.type === 'space' ? ' ' : ''
  }).join('')
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading'
}

/** Numbers stand on the right. */
function aligned({ align }: Tokens.TableCell): Html {
  return new Html(align === 'right' ? ' class="number"' : '')
}
