// The landing page in a real browser: totals that grow, a complete storage map, on every screen size.

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { derive } from '../../schema/library/derive.ts'
import { readSdlFolder } from '../../src/model/sdl/read-sdl.ts'
import { noBrowser, scrollsSideways, serve, withPage } from './browser.ts'
import { openedForAll } from './for-all-tests.ts'
import { contrasts } from './contrast.ts'

describe.skipIf(noBrowser)('the landing page', { timeout: 120_000 }, () => {
  const opened = openedForAll()

  const open = (options: Parameters<typeof withPage>[2], use: (page: Page) => Promise<void>, path = '/') =>
    withPage(opened.browser, opened.served.address, options, async (page) => {
      await page.goto(opened.served.address + path)
      await use(page)
    })

  test('shows totals that grow with every request', async () => {
    await open({ locale: 'en' }, async (page) => {
      await expect.poll(() => number(page, 'requests')).toBeGreaterThanOrEqual(0)
      const before = { requests: await number(page, 'requests'), made: await number(page, 'made.roundTrips'), saved: await number(page, 'saved.roundTrips') }
      const { made, naive } = await opened.served.costReport('{ books(first: 50) { nodes { authors { name } } } }')
      await expect.poll(() => number(page, 'requests')).toBe(before.requests + 1)
      expect(await number(page, 'made.roundTrips')).toBe(before.made + made.roundTrips)
      expect(await number(page, 'saved.roundTrips')).toBe(before.saved + naive.roundTrips - made.roundTrips)
      expect(await page.locator('[data-honesty]').textContent()).toContain('that were traced')
    })
  })

  test('says when the gateway does not answer, and keeps the last numbers', async () => {
    await open({}, async (page) => {
      await expect.poll(() => page.locator('[data-since]').textContent()).toContain('Up since')
      await page.route('**/numbers', (route) => route.abort())
      await expect.poll(() => page.locator('[data-since]').textContent()).toContain('No answer from the gateway')
      expect(await number(page, 'requests')).toBeGreaterThanOrEqual(0)
    })
  })

  test('draws every document type, and shows that the gateway is healthy and ready', async () => {
    const { model } = readDeclaration(readSdlFolder('schema/library'), derive)
    await open({}, async (page) => {
      for (const type of model.documents.keys()) expect(await page.locator(`.map.wide [data-type="${type}"]`).isVisible()).toBe(true)
      expect(await page.locator('.map.wide .relation').count()).toBe(9)
      await expect.poll(() => page.locator('.bar [data-status="up"]').allTextContents()).toEqual(['Health', 'Ready'])
    })
  })

  test('leads to an example in GraphiQL', async () => {
    await open({}, async (page) => {
      await page.getByRole('link', { name: 'Run it in GraphiQL and see what it costs' }).click()
      await page.locator('.graphiql-query-editor .view-line').first().waitFor()
      expect(await page.locator('#graphiql-session-tab-0').textContent()).toBe('SnapshotCovers')
    })
  })

  test('can be used with the keyboard only', async () => {
    await open({}, async (page) => {
      const visited: string[] = []
      for (let step = 0; step < 14; step++) {
        await page.keyboard.press('Tab')
        visited.push(await page.evaluate('(document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent).trim()'))
      }
      expect(visited).toEqual(expect.arrayContaining(['Skip to the content', 'Quire', 'GraphiQL', 'Docs', 'Health', 'Ready', 'Open GraphiQL', 'Storage map', 'As text']))
      await page.getByText('As text').focus()
      await page.keyboard.press('Enter')
      expect(await page.getByText('in container').first().isVisible()).toBe(true)
    })
  })

  test.each([320, 390, 768])('fits a screen of %i pixels, with a map to match', async (width) => {
    await open({ viewport: { width, height: 800 } }, async (page) => {
      await expect.poll(() => number(page, 'requests')).toBeGreaterThanOrEqual(0)
      expect(await scrollsSideways(page)).toBe(false)
      expect(await page.locator('.map.narrow [data-type="Book"]').isVisible()).toBe(true)
    })
  })

  test.each([['light', '/'], ['dark', '/'], ['light', '/docs'], ['dark', '/docs']] as const)('has enough contrast in the %s theme: %s', async (colorScheme, path) => {
    await open({ colorScheme }, async (page) => {
      await page.evaluate('document.querySelector("details")?.setAttribute("open", "")')
      const texts = await contrasts(page, 'body')
      expect(texts.length).toBeGreaterThan(60)
      expect(texts.filter(({ ratio }) => ratio < 4.5)).toEqual([])
    }, path)
  })

  test('says in production what it hides, also on a phone', async () => {
    const closed = await serve({ development: false })
    try {
      await withPage(opened.browser, closed.address, { viewport: { width: 390, height: 800 }, colorScheme: 'dark' }, async (page) => {
        await page.goto(closed.address)
        expect(await page.getByRole('heading', { name: 'Hidden in production' }).isVisible()).toBe(true)
        expect(await page.getByRole('link', { name: 'GraphiQL' }).count()).toBe(0)
        expect(await scrollsSideways(page)).toBe(false)
        expect((await contrasts(page, 'body')).filter(({ ratio }) => ratio < 4.5)).toEqual([])
      })
    } finally {
      await closed.close()
    }
  })
})

async function number(page: Page, name: string): Promise<number> {
  return Number((await page.locator(`[data-number="${name}"]`).first().textContent())!.replaceAll(',', ''))
}
