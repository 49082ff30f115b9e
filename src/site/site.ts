// The site: which path leads to which page, and who may see it. The landing page and the words need no
// build; GraphiQL does, and is there only in development.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Model } from '../model/model.ts'
import { storageMap } from '../model/storage-map.ts'
import { hashedName, immutable, jsonContent, pageHeaders, textContent, type Content } from './content.ts'
import { builtAsset, builtPages, graphiqlPage } from './graphiql-page.ts'
import { landingPage, wordsPage } from './landing-page.ts'
import type { NumbersReport } from './numbers.ts'
import { welcomeExample, type Example } from './welcome.ts'

export interface SiteOptions {
  readonly model: Model
  /** Whether there is GraphiQL. */
  readonly graphiql: boolean
  /** Whether everyone may see the storage map and the numbers. */
  readonly open: boolean
  /** Whether this gateway makes one read per reference, which GraphiQL's panel has to know. */
  readonly naive: boolean
  readonly numbers: () => NumbersReport
  readonly examples?: readonly Example[] | undefined
  /** Where the built pages are. */
  readonly built?: string | undefined
}

export type Site = (path: string, headers: Headers) => Promise<Content | undefined>

const graphiqlPath = '/graphql'
const web = join(import.meta.dirname, '../../web')

export function createSite(options: SiteOptions): Site {
  const { model, graphiql, open, naive, numbers, built = builtPages } = options
  const examples = options.examples ?? welcomeExample(model)
  const style = `${readFileSync(join(web, 'theme.css'), 'utf8')}\n${readFileSync(join(web, 'landing/landing.css'), 'utf8')}`
  const script = readFileSync(join(web, 'landing/landing.js'), 'utf8')
  const frame = { style: `/${hashedName('landing.css', style)}`, script: `/${hashedName('landing.js', script)}`, graphiql }
  const inside = { map: open ? storageMap(model) : undefined, example: graphiql ? examples[0] : undefined }
  const contents = new Map<string, Content>([
    ['/', textContent('text/html', landingPage(frame, inside), pageHeaders())],
    ['/docs', textContent('text/html', wordsPage(frame), pageHeaders())],
    [frame.style, textContent('text/css', style, immutable)],
    [frame.script, textContent('text/javascript', script, immutable)],
  ])

  return async (path, headers) => {
    if (path === '/numbers' && open) return jsonContent(numbers())
    if (graphiql && (path === graphiqlPath || path === `${graphiqlPath}/`) && headers.get('accept')?.includes('text/html')) return graphiqlPage(built, { examples, naive })
    if (graphiql && path.startsWith(`${graphiqlPath}/assets/`)) return builtAsset(built, path.slice(`${graphiqlPath}/assets/`.length))
    return contents.get(path)
  }
}
