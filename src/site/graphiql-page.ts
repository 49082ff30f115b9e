// GraphiQL with its panel, as `npm run pages` has built it. The files are looked up when they are asked
// for, so that pages can be built while a gateway runs, and a gateway runs without them.

import { readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { extname, join } from 'node:path'
import { immutable, pageHeaders, textContent, type Content, type Encoding } from './content.ts'
import { dataBlock, html } from './html.ts'
import type { Example } from './first-operation.ts'

/** Where the pages are built to. */
export const builtPages = join(import.meta.dirname, '../../web/dist')

export const notBuilt = 'GraphiQL is not built yet: run "npm run pages", then reload. Everything else works without it.'

export function isBuilt(folder: string): boolean {
  return existsSync(join(folder, 'index.html'))
}

/** What the page is told about its gateway. */
export interface PageData {
  readonly examples: readonly Example[]
  /** Whether this gateway makes one read per reference, for comparison. */
  readonly naive: boolean
}

export async function graphiqlPage(folder: string, data: PageData): Promise<Content> {
  const page = await readFile(join(folder, 'index.html'), 'utf8').catch(() => undefined)
  if (page === undefined) {
    return textContent('text/html', html`<!doctype html><html lang="en"><meta charset="utf-8"><title>Quire</title><p>${notBuilt}</p></html>`.text, pageHeaders(), 503)
  }
  return textContent('text/html', page.replace('<!-- page data -->', () => dataBlock('quire-page', data).text), pageHeaders({ inlineStyles: true }))
}

const types: Record<string, string> = { '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.ttf': 'font/ttf', '.svg': 'image/svg+xml' }

const suffixes: readonly (readonly [Encoding, string])[] = [['br', '.br'], ['gzip', '.gz'], ['identity', '']]

/** A built file. Its name has a hash in it and nothing that leads out of the folder. */
export async function builtAsset(folder: string, name: string): Promise<Content | undefined> {
  const type = types[extname(name)]
  if (!type || !/^\w[\w.-]*-[\w-]{8}\.[a-z]+$/.test(name)) return undefined
  const file = join(folder, 'assets', name)
  const encodings = suffixes.filter(([, suffix]) => existsSync(file + suffix)).map(([encoding]) => encoding)
  if (!encodings.includes('identity')) return undefined
  return { type, headers: immutable, encodings, read: (encoding) => readFile(file + Object.fromEntries(suffixes)[encoding]) }
}
