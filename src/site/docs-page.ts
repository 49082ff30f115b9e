// A page of the documentation: its text, beside it the contents and a search, and below it the way to the next page. What a search
// looks through is a file of its own, which the script loads at the first search.

import type { BuiltDocs, DocsPage } from './built-docs.ts'
import { framed, type Frame } from './page-layout.ts'
import { html, Html } from './html.ts'

/** `index` is the address of the search index. */
export function docsPage(frame: Frame, docs: BuiltDocs, name: string, index: string): string {
  const page = docs.pages[name]!
  return framed(frame, name === '' ? 'Documentation – Quire' : `${page.title} – Quire`, html`
    <div class="docs">
      <aside>
        <search class="search" hidden data-index="${index}">
          <label for="search">Search the documentation</label>
          <input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="Search: filter, CONFLICT, backup …" aria-describedby="found">
          <p id="found" class="note" role="status"></p>
          <ol class="found"></ol>
        </search>
        <a class="to-contents" href="#contents">Contents</a>
      </aside>
      <article>${new Html(page.html)}${nextLink(docs, name)}</article>
      ${contents(docs, name, page)}
    </div>`)
}

/** An entry of the search index, as short as it can be. */
export interface IndexEntry {
  readonly page: string
  readonly title: string
  readonly id: string
  readonly heading: string
  readonly text: string
}

export function searchIndex({ pages }: BuiltDocs): IndexEntry[] {
  return Object.entries(pages).filter(([name]) => name !== '').flatMap(([page, { title, sections }]) => sections.map(({ id, heading, text }) => ({ page, title, id, heading, text })))
}

function contents({ chapters }: BuiltDocs, current: string, { sections }: DocsPage): Html {
  return html`<nav id="contents" class="contents" aria-label="Contents">
    ${chapters.map(({ title, pages }) => html`<h2>${title}</h2><ul>${pages.map((page) => html`<li>${page.name === current
      ? html`<a href="/docs/${page.name}" aria-current="page">${page.title}</a>${within(sections)}`
      : html`<a href="/docs/${page.name}">${page.title}</a>`}</li>`)}</ul>`)}
  </nav>`
}

/** The headings of the page itself. */
function within(sections: DocsPage['sections']): Html {
  const headings = sections.filter(({ level }) => level === 2)
  return headings.length === 0 ? html`` : html`<ul>${headings.map(({ id, heading }) => html`<li><a href="#${id}">${heading}</a></li>`)}</ul>`
}

function nextLink({ chapters }: BuiltDocs, current: string): Html {
  const order = chapters.flatMap(({ pages }) => pages)
  const next = order[order.findIndex(({ name }) => name === current) + 1]
  return next ? html`<p class="next">Next: <a href="/docs/${next.name}">${next.title}</a></p>` : html``
}
