// A real browser and a real gateway, with no other network: requests of a page to any other host are refused and fail the test.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import type { CostReport } from '../../src/observe/cost-report.ts'
import { readConfig } from '../../src/config/config.ts'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { findChromium } from './chromium.ts'

const found = findChromium(process.env)

/** Why there is no browser to test with, if there is none. */
export const noBrowser = 'missing' in found

const flags = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
]

export async function openBrowser(): Promise<Browser> {
  if ('missing' in found) throw new Error(found.missing)
  return chromium.launch({ executablePath: found.path, args: flags })
}

export interface Served {
  readonly address: string
  /** What an operation costs, asked without a browser. */
  costReport(query: string): Promise<CostReport>
  close(): Promise<void>
}

/** The shipped library in development, unless it is said otherwise. */
export async function serve(options: Partial<GatewayOptions> = {}): Promise<Served> {
  const domain = options.typeDefs ? {} : await readSchemaFolder(readConfig({}).schemaFolder)
  const gateway = await createGateway({ development: true, store: openMemoryStore, ...domain, ...options } as GatewayOptions)
  const server = createServer(gateway)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    address,
    async costReport(query) {
      const response = await fetch(`${address}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json', 'quire-trace': '1' }, body: JSON.stringify({ query }) })
      return ((await response.json()) as { extensions: { quire: CostReport } }).extensions.quire
    },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      await gateway.dispose()
    },
  }
}

/** Opens a page, hands it to a test, and fails it for anything that went elsewhere or wrong. */
export async function withPage(browser: Browser, address: string, options: BrowserContextOptions, use: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', ...options })
  const foreign: string[] = []
  const faults: string[] = []
  try {
    await context.route((url) => url.origin !== address, (route) => {
      foreign.push(route.request().url())
      return route.abort()
    })
    const page = await context.newPage()
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) faults.push(message.text())
    })
    await use(page)
    if (foreign.length > 0) throw new Error(`The page asked elsewhere: ${foreign.join(', ')}`)
    if (faults.length > 0) throw new Error(`Something went wrong in the page: ${faults.join(', ')}`)
  } finally {
    await context.close()
  }
}

/** Opens GraphiQL and waits until it can be used. */
export async function openGraphiql(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/graphql`)
  await page.locator('.graphiql-query-editor .view-line').first().waitFor()
}

/** Runs what is in the editor, in a tab that has not run yet, and waits until the panel has all its numbers. */
export async function run(page: Page): Promise<void> {
  await page.locator('.graphiql-execute-button').click()
  await settled(page)
}

export async function settled(page: Page): Promise<void> {
  await page.locator('.rt-panel[data-state="answered"]:not([data-batched="running"])').waitFor()
}

/** Whether the page is wider than its window. */
export async function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
}
