// The documentation at /docs: every page of docs/, with contents, anchors that exist, and a search index.

import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGateway } from '../../src/gateway.ts'
import { filterOperators } from '../../src/model/operators.ts'
import { vocabulary } from '../../src/model/sdl/read-sdl.ts'
import type { IndexEntry } from '../../src/site/docs-page.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { renderMarkdown } from '../../web/docs/markdown.ts'
import { renderDocs, writeDocs } from '../../web/docs/render.ts'

const names = globSync('docs/*.md').map((file) => file.slice('docs/'.length, -'.md'.length)).filter((name) => name !== 'README').toSorted()
const docs = renderDocs()

let built: string
beforeAll(() => {
  built = mkdtempSync(join(tmpdir(), 'quire-docs-'))
  writeDocs(built)
})
afterAll(() => rmSync(built, { recursive: true }))

async function open(builtPages = built): Promise<(path: string) => Promise<Response>> {
  const gateway = await createGateway({ typeDefs: 'type Beast @document(container: "beasts") { id: ID! }', store: openMemoryStore, builtPages })
  return async (path) => gateway.fetch(`http://quire${path}`)
}

describe('rendering', () => {
  test('every page is there, and the contents have each once', () => {
    expect(Object.keys(docs.pages).filter((name) => name !== '').toSorted()).toEqual(names)
    expect(docs.chapters.flatMap(({ pages }) => pages.map(({ name }) => name)).toSorted()).toEqual(names)
  })

  test.each(['', ...names])('links of "%s" lead to pages and headings that exist', (name) => {
    const idsOf = (page: string) => new Set([...(docs.pages[page]?.html ?? '').matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const links = [...docs.pages[name]!.html.matchAll(/<a (?:class="anchor" )?href="([^"]+)"/g)].map(([, href]) => href!).filter((href) => !/^https?:/.test(href))
    const broken = links.filter((href) => {
      const [path, anchor] = href.split('#')
      const page = path === '' ? name : /^\/docs(?:\/([\w-]+))?$/.exec(path!)?.[1] ?? (path === '/docs' ? '' : '?')
      return !docs.pages[page] || (anchor !== undefined && !idsOf(page).has(anchor))
    })
    expect(broken).toEqual([])
  })

  test('anchors are those of GitHub, and a heading that comes twice has two', () => {
    const { html } = renderMarkdown('# A page\n\n## `@read` & more, *twice*\n\n## `@read` & more, *twice*\n', 'docs')
    expect([...html.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id)).toEqual(['read--more-twice', 'read--more-twice-1'])
  })

  test('raw HTML is text, except for line breaks and comments', () => {
    const { html } = renderMarkdown('# A\n\n<!-- made -->\n\n<script>alert(1)</script>\n\nSee <b onclick="x()">this</b>.\n\n| a |\n|---|\n| 1<br>2 |\n\n```html\n<i>\n```\n', 'docs')
    expect(html).not.toMatch(/<script|<b |made/)
    expect(html).toContain('1<br>2')
    expect(html).toContain('&#60;i&#62;')
  })

  test('files of the repository are named and not linked, and charts are part of the page', () => {
    const { html } = renderMarkdown('# A\n\n[Clients](../examples/clients) and [a page](query.md#filters)\n\n![a chart](../bench/results/throughput.svg)\n', 'docs')
    expect(html).toContain('title="In the repository: examples/clients"')
    expect(html).toContain('<a href="/docs/query#filters">a page</a>')
    expect(html).toMatch(/<img src="data:image\/svg\+xml;base64,\w+[^"]*" alt="a chart">/)
  })

  test('says what a block is', () => {
    const { html } = renderMarkdown('# A\n\n```json result\n{}\n```\n\n```json file=a/b.json\n{}\n```\n\n```ts\n1\n```\n', 'docs')
    expect([...html.matchAll(/<figcaption>([^<]+)/g)].map(([, label]) => label)).toEqual(['Answer', 'a/b.json'])
  })
})

describe('a gateway', () => {
  test('serves the contents and every page, each with its title and the way to the next', async () => {
    const get = await open()
    for (const path of ['/docs', '/docs/', ...names.map((name) => `/docs/${name}`)]) {
      const response = await get(path)
      expect(response.status).toBe(200)
      const text = await response.text()
      expect(text).toMatch(/<title>[^<]+ – Quire<\/title>/)
      expect(text).not.toMatch(/<style|style="|<script(?![^>]* src=)|\son\w+="/)
    }
    expect(await (await get('/docs/query')).text()).toContain('Next: <a href="/docs/mutate">Mutate</a>')
    expect((await get('/docs/nothing')).status).toBe(404)
  })

  test('explains every directive with its arguments, and every operator', async () => {
    const get = await open()
    const directives = await (await get('/docs/directives')).text()
    for (const node of vocabulary.definitions) {
      if (!('locations' in node)) continue
      expect(directives).toContain(`>@${node.name.value} <a`)
      for (const argument of node.arguments ?? []) expect(directives).toContain(`<code>${argument.name.value}: `)
    }
    const query = await (await get('/docs/query')).text()
    for (const operator of [false, true].flatMap((many) => Object.keys(filterOperators(many)))) expect(query).toContain(`<code>${operator}</code>`)
  })

  test('links its style sheets, scripts and search index for ever', async () => {
    const get = await open()
    const text = await (await get('/docs/query')).text()
    const files = [...text.matchAll(/(?:href|src|data-index)="(\/[\w./-]+\.(?:css|js|json))"/g)].map(([, path]) => path!)
    expect(files).toHaveLength(5)
    for (const path of files) expect((await get(path)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const index = (await (await get(files.find((path) => path.endsWith('.json'))!)).json()) as IndexEntry[]
    expect(new Set(index.map(({ page }) => page))).toEqual(new Set(names))
    expect(index.find(({ id }) => id === 'error-codes')).toMatchObject({ page: 'mutate', title: 'Mutate', heading: 'Error codes', text: expect.stringContaining('REFERENCE_MISSING') as string })
  })

  test('says how to build them where they are not built', async () => {
    const response = await (await open(join(built, 'nowhere')))('/docs/query')
    expect(response.status).toBe(503)
    expect(await response.text()).toContain('npm run pages')
  })
})

test('the package and the image have what the pages need', () => {
  const build = readFileSync('package/build.ts', 'utf8')
  const image = readFileSync('Dockerfile', 'utf8')
  for (const file of ['docs.css', 'docs.js']) {
    expect(existsSync(`web/docs/${file}`)).toBe(true)
    expect(image).toContain(`web/docs/${file}`)
  }
  expect(build).toContain('web/docs/docs.{css,js}')
  expect(build).toContain('web/dist/docs.json.br')
})
