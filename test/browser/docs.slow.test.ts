// The documentation in a real browser: the search and its keys, every page on a phone, and on paper.

import { globSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { noBrowser, scrollsSideways, withPage } from './browser.ts'
import { openedForAll } from './for-all-tests.ts'
import { contrasts } from './contrast.ts'

const names = globSync('docs/*.md').map((file) => file.slice('docs/'.length, -'.md'.length)).filter((name) => name !== 'README').toSorted()

describe.skipIf(noBrowser)('the documentation', { timeout: 120_000 }, () => {
  const opened = openedForAll({ development: false })

  const open = (path: string, options: Parameters<typeof withPage>[2], use: (page: Page) => Promise<void>) =>
    withPage(opened.browser, opened.served.address, options, async (page) => {
      await page.goto(opened.served.address + path)
      await use(page)
    })

  test('finds a section by its words, and leads there', async () => {
    await open('/docs', {}, async (page) => {
      await page.getByRole('searchbox').fill('filter operator')
      await page.getByRole('link', { name: 'Query: Every filter operator' }).click()
      await page.waitForURL('**/docs/query#every-filter-operator')
      expect(await page.getByRole('heading', { name: 'Every filter operator' }).isVisible()).toBe(true)
      expect(await page.locator('.contents [aria-current="page"]').textContent()).toBe('Query')
    })
  })

  test.each([['REFERENCE_MISSING', /mutate#/], ['ifMatch', /mutate#/], ['backup', /operate#/], ['QUIRE_JWKS', /auth#|settings/], ['@snapshot', /directives#snapshot/]])('has %s among the first results', async (words, where) => {
    await open('/docs', {}, async (page) => {
      await page.getByRole('searchbox').fill(words)
      await page.locator('.found a').first().waitFor()
      const links = await page.locator('.found a').evaluateAll((found) => found.slice(0, 4).map((link) => (link as unknown as { href: string }).href))
      expect(links.some((link) => where.test(link))).toBe(true)
    })
  })

  test('says when it finds nothing', async () => {
    await open('/docs', {}, async (page) => {
      await page.getByRole('searchbox').fill('zyzzyva')
      await expect.poll(() => page.getByRole('status').textContent()).toBe('Nothing found.')
      await page.getByRole('searchbox').fill('')
      await expect.poll(() => page.getByRole('status').textContent()).toBe('')
    })
  })

  test('can be searched with the keyboard only', async () => {
    await open('/docs/query', {}, async (page) => {
      await page.keyboard.press('/')
      await page.keyboard.type('tombstone')
      await page.locator('.found a').first().waitFor()
      await page.keyboard.press('ArrowDown')
      const first = await page.evaluate('document.activeElement.href')
      await page.keyboard.press('ArrowUp')
      expect(await page.evaluate('document.activeElement.id')).toBe('search')
      await page.keyboard.press('Escape')
      expect(await page.locator('.found a').count()).toBe(0)
      await page.keyboard.type('tombstone')
      await page.locator('.found a').first().waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(String(first))
    })
  })

  test.each(['', ...names])('fits a phone of 375 pixels: /docs/%s', async (name) => {
    await open(`/docs/${name}`, { viewport: { width: 375, height: 800 } }, async (page) => {
      expect(await scrollsSideways(page)).toBe(false)
      // Nothing but code has more than its box shows.
      expect(await page.locator('article *:not(pre, pre *, svg *)').evaluateAll((all) => (all as unknown as { scrollWidth: number; clientWidth: number; outerHTML: string }[]).filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1).map(({ outerHTML }) => outerHTML.slice(0, 80)))).toEqual([])
    })
  })

  test('shows results on a phone without scrolling sideways, and leads to the contents', async () => {
    await open('/docs/settings', { viewport: { width: 375, height: 800 } }, async (page) => {
      await page.getByRole('searchbox').fill('QUIRE_BUDGET_ROUND_TRIPS')
      await page.locator('.found a').first().waitFor()
      expect(await scrollsSideways(page)).toBe(false)
      await page.getByRole('link', { name: 'Contents', exact: true }).click()
      await page.locator('.contents').getByRole('link', { name: 'Glossary' }).click()
      await page.waitForURL('**/docs/glossary')
    })
  })

  test('prints the text and nothing around it', async () => {
    await open('/docs/mutate', {}, async (page) => {
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      for (const hidden of ['.bar', '.contents', '.search', '.anchor']) expect(await page.locator(hidden).first().isVisible()).toBe(false)
      expect(await page.getByRole('heading', { name: 'Error codes' }).isVisible()).toBe(true)
      expect(await page.locator('pre').evaluateAll((all) => (all as unknown as { scrollWidth: number; clientWidth: number }[]).filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).length)).toBe(0)
      expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000)
    })
  })

  test.each(['light', 'dark'] as const)('has enough contrast in the %s theme, also in results', async (colorScheme) => {
    await open('/docs/mutate', { colorScheme }, async (page) => {
      await page.getByRole('searchbox').fill('conflict')
      await page.locator('.found a').first().waitFor()
      const texts = await contrasts(page, 'body')
      expect(texts.length).toBeGreaterThan(200)
      expect(texts.filter(({ ratio }) => ratio < 4.5)).toEqual([])
    })
  })
})
