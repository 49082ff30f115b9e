// Which path shows which page, and whether it is open. The landing page needs no build; GraphiQL and the documentation do, and GraphiQL
// exists only in development.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Model } from '../model/model.ts'
import type { StoredState } from '../observe/stored-state.ts'
import { storageMap } from './map/storage-map.ts'
import { hashedName, immutable, jsonContent, pageHeaders, textContent, type Content } from './content.ts'
import { builtAsset, builtPages, graphiqlPage } from './graphiql-page.ts'
import { createDocs } from './docs.ts'
import type { Frame } from './page-layout.ts'
import { landingPage } from './landing-page.ts'
import type { NumbersReport } from './answer-totals.ts'
import { welcomeExample, type Example } from './first-operation.ts'

export interface PagesOptions {
  readonly model: Model
  /** Whether to serve GraphiQL. */
  readonly graphiql: boolean
  /** Whether everyone may see the storage map and the totals. */
  readonly open: boolean
  /** Whether this gateway runs with the naive strategy, which GraphiQL's panel has to know. */
  readonly naive: boolean
  readonly numbers: () => NumbersReport
  /** What is to be told about the stored documents. */
  readonly stored?: () => StoredState | undefined
  readonly examples?: readonly Example[] | undefined
  /** The folder of the built pages. */
  readonly built?: string | undefined
}

export type Pages = (path: string, headers: Headers) => Promise<Content | undefined>

const docsPath = /^\/docs(?:\/|$)/
/** At the root or below the path that the gateway is mounted at. The other pages are only at the root. */
const graphiqlPath = /\/graphql\/?$/
const assetPath = /\/graphql\/assets\/([^/]+)$/

export function createPages(options: PagesOptions): Pages {
  const { model, graphiql, open, naive, numbers, stored = () => undefined, built = builtPages } = options
  const examples = once(() => options.examples ?? welcomeExample(model))
  const inside = once(() => ({ map: open ? storageMap(model) : undefined, example: graphiql ? examples()[0] : undefined }))
  const pageWith = (told?: StoredState): Content => textContent('text/html', landingPage(frame(), { ...inside(), stored: told }), pageHeaders())
  const usual = once(() => pageWith())
  // A page that tells something about the documents is made for each visit, since it changes.
  const landing = (): Content => {
    const told = open ? stored() : undefined
    return told && (told.catchUp || told.differences.length > 0) ? pageWith(told) : usual()
  }
  const frame = (...more: readonly Linked[]): Frame => framing([linkedFiles().style, linkedFiles().script, ...more], graphiql)
  const docs = createDocs(built, () => frame(linkedFiles().docsStyle, linkedFiles().docsScript))

  return async (path, headers) => {
    if (path === '/') return landing()
    if (docsPath.test(path)) return docs(path)
    if (path === '/numbers' && open) return jsonContent(numbers())
    if (graphiql && graphiqlPath.test(path) && headers.get('accept')?.includes('text/html')) return graphiqlPage(built, path.endsWith('/'), { examples: examples(), naive })
    const [, asset] = assetPath.exec(path) ?? []
    if (graphiql && asset !== undefined) return builtAsset(built, asset)
    return Object.values(linkedFiles()).find((file) => file.path === path)?.content
  }
}

interface Linked {
  readonly path: string
  readonly content: Content
}

/** The files that pages link to, shared by all gateways in this process. */
const linkedFiles = once(() => ({
  style: linked('landing.css', 'text/css', `${readWeb('theme.css')}\n${readWeb('landing/landing.css')}`),
  script: linked('landing.js', 'text/javascript', readWeb('landing/landing.js')),
  docsStyle: linked('docs.css', 'text/css', readWeb('docs/docs.css')),
  docsScript: linked('docs.js', 'text/javascript', readWeb('docs/docs.js')),
}))

function framing(files: readonly Linked[], graphiql: boolean): Frame {
  const paths = files.map(({ path }) => path)
  return { styles: paths.filter((path) => path.endsWith('.css')), scripts: paths.filter((path) => path.endsWith('.js')), graphiql }
}

function readWeb(name: string): string {
  return readFileSync(join(import.meta.dirname, '../../web', name), 'utf8')
}

function linked(name: string, type: string, text: string): Linked {
  return { path: `/${hashedName(name, text)}`, content: textContent(type, text, immutable) }
}

/** Computes a value on first use: most gateways never show a page. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
