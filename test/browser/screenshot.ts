// `npm run screenshot`: takes the README's picture of the panel after running the first example.

import { parseArgs } from 'node:util'
import { openBrowser, openGraphiql, run, serve, withPage } from './browser.ts'

const { positionals: [path = 'round-trips.png'] } = parseArgs({ allowPositionals: true })
const served = await serve()
const browser = await openBrowser()
await withPage(browser, served.address, { viewport: { width: 1360, height: 880 }, colorScheme: 'light' }, async (page) => {
  await openGraphiql(page, served.address)
  // Coloured once the language is there.
  await page.waitForFunction('new Set([...document.querySelectorAll(".graphiql-query-editor .view-line span > span")].map((span) => span.className)).size > 4')
  await run(page)
  await page.mouse.move(0, 0)
  await page.locator('.graphiql-response .view-line', { hasText: 'thumbnailUrl' }).first().waitFor()
  await page.screenshot({ path, animations: 'disabled' })
})
await browser.close()
await served.close()
