// Every page of Quire's own in a real browser, by the rules of axe, on light and dark screens: nothing that it calls moderate or worse.
// GraphiQL's and Monaco's markup is corrected from our page, where it has to be (web/graphiql/).

import { globSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { violationsIn, type Violation } from './axe.ts'
import { noBrowser, openGraphiql, run, withPage } from './browser.ts'
import { openedForAll } from './for-all-tests.ts'

const docs = globSync('docs/*.md').map((file) => file.slice('docs/'.length, -'.md'.length)).filter((name) => name !== 'README').toSorted()
const schemes = ['light', 'dark'] as const

describe.skipIf(noBrowser).each(schemes)('on a %s screen', { timeout: 300_000 }, (colorScheme) => {
  const opened = openedForAll()

  const found = async (use: (page: Page) => Promise<void>, width = 1440): Promise<Violation[]> => {
    let violations: Violation[] = []
    await withPage(opened.browser, opened.served.address, { colorScheme, viewport: { width, height: 900 } }, async (page) => {
      await use(page)
      violations = await violationsIn(page)
    })
    return violations.filter(({ impact }) => impact !== 'minor')
  }

  test.each([1440, 390])('the landing page with the storage map, %i pixels wide', async (width) => {
    expect(await found(async (page) => {
      await page.goto(opened.served.address)
      await expect.poll(() => page.locator('[data-since]').textContent()).toContain('Up since')
      await page.getByText('As text').click()
    }, width)).toEqual([])
  })

  test.each(['', ...docs])('the documentation: %s', async (name) => {
    expect(await found(async (page) => {
      await page.goto(`${opened.served.address}/docs/${name}`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
    })).toEqual([])
  })

  test('the search of the documentation', async () => {
    expect(await found(async (page) => {
      await page.goto(`${opened.served.address}/docs`)
      await page.getByRole('searchbox').fill('filter')
      await page.getByRole('link', { name: 'Query: Every filter operator' }).waitFor()
    })).toEqual([])
  })

  test.each([['as it opens', false], ['after a run', true]])('GraphiQL with the round trips panel, %s', async (_, runs) => {
    expect(await found(async (page) => {
      await openGraphiql(page, opened.served.address)
      // Once it is coloured.
      await page.locator('.view-line .mtk8').first().waitFor()
      if (runs) await run(page)
    })).toEqual([])
  })

  test('GraphiQL says which of its tabs is the current one', async () => {
    await withPage(opened.browser, opened.served.address, { colorScheme }, async (page) => {
      await openGraphiql(page, opened.served.address)
      const current = () => page.locator('.graphiql-tab-button[aria-current="true"]').allTextContents()
      const names = await page.locator('.graphiql-tab-button').allTextContents()
      expect(await current()).toEqual([names[0]])
      await page.locator('.graphiql-tab-button').nth(1).click()
      await expect.poll(current).toEqual([names[1]])
    })
  })
})
