// GraphiQL with the round trips panel, as `npm run pages` builds it. Files are read on each request, so that they can be built
// while a gateway runs, and a gateway can run without them.

import { readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { immutable, pageHeaders, textContent, type Content, type Encoding } from './content.ts'
import { dataBlock, html } from './html.ts'
import type { Example } from './first-operation.ts'

/** The folder that pages are built into. */
export const builtPages = join(import.meta.dirname, '../../web/dist')

export const notBuilt = 'GraphiQL is not built yet: run "npm run pages", then reload. Everything else works without it.'

export function isBuilt(folder: string): boolean {
  return existsSync(join(folder, 'index.html'))
}

/** Data for the page's script. */
export interface PageData {
  readonly examples: readonly Example[]
  /** Whether this gateway runs with the naive strategy. */
  readonly naive: boolean
}

/** Its files are linked relative to its address, so that they are found wherever the gateway is mounted. */
export async function graphiqlPage(folder: string, endsInSlash: boolean, data: PageData): Promise<Content> {
  const page = await readFile(join(folder, 'index.html'), 'utf8').catch(() => undefined)
  if (page === undefined) {
    return textContent('text/html', html`<!doctype html><html lang="en"><meta charset="utf-8"><title>Quire</title><p>${notBuilt}</p></html>`.text, pageHeaders(), 503)
  }
  const linked = endsInSlash ? page : page.replaceAll('"./assets/', '"./graphql/assets/')
  return textContent('text/html', linked.replace('<!-- page data -->', () => dataBlock('quire-page', data).text), pageHeaders({ inlineStyles: true }))
}

const types: Record<string, string> = { '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.ttf': 'font/ttf', '.svg': 'image/svg+xml' }

const suffixes: readonly (readonly [Encoding, string])[] = [['br', '.br'], ['gzip', '.gz'], ['identity', '']]

/** A built file. Only names with a hash and without path separators are served. */
export async function builtAsset(folder: string, name: string): Promise<Content | undefined> {
  const type = types[extname(name)]
  if (!type || !/^\w[\w.-]*-[\w-]{8}\.[a-z]+$/.test(name)) return undefined
  const file = join(folder, 'assets', name)
  const kept = new Map(suffixes.filter(([, suffix]) => existsSync(file + suffix)))
  if (kept.size === 0) return undefined
  // The package keeps only gzipped files, to be small. Browsers that do not understand them are rare.
  const plain = async (): Promise<Buffer> => promisify(gunzip)(await readFile(`${file}.gz`))
  return { type, headers: immutable, encodings: [...new Set<Encoding>([...kept.keys(), 'identity'])], read: (encoding) => (kept.has(encoding) ? readFile(file + kept.get(encoding)) : plain()) }
}
