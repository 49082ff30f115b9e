// The round trips panel in a real browser: it shows the numbers of the cost report, and its switches change the operation.

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Cost } from '../../src/store/cost-model.ts'
import type { CostReport } from '../../src/observe/cost-report.ts'
import { readExamples } from '../../src/serve/schema-folder/examples.ts'
import { openingTabs } from '../../web/graphiql/tabs.ts'
import { noBrowser, openGraphiql, run, scrollsSideways, serve, settled, withPage } from './browser.ts'
import { openedForAll } from './for-all-tests.ts'
import { contrasts } from './contrast.ts'

const examples = openingTabs(readExamples('schema/library'), null).defaultTabs.map(({ query }) => query)

describe.skipIf(noBrowser)('the Round trips panel', { timeout: 120_000 }, () => {
  const opened = openedForAll()

  const open = (options: Parameters<typeof withPage>[2], use: (page: Page) => Promise<void>, at = opened.served) =>
    withPage(opened.browser, at.address, options, async (page) => {
      await openGraphiql(page, at.address)
      await use(page)
    })

  test('shows the cost report of a plain request, and measures what batching alone costs', async () => {
    await open({}, async (page) => {
      await run(page)
      const costReport = await opened.served.costReport(examples[0]!)
      const batched = await opened.served.costReport(examples[0]!.replace('query SnapshotCovers', 'query SnapshotCovers @read(from: REFERENCE)'))
      expect(await shown(page)).toEqual(figures(costReport))
      expect(costReport.made.roundTrips).toBe(1)
      expect(await page.locator('.rt-headline').innerText()).toMatch(/1\s+round trip\s+instead of 69\s+8\.1 RU\s+instead of 76\.1\s*estimated/)
      await expect.poll(() => bars(page)).toEqual({ naive: cost(costReport.naive), batched: cost(batched.made), chosen: cost(costReport.made) })
      expect(await page.locator('.rt-section', { hasText: 'Comparison' }).innerText()).toContain('@read(from: REFERENCE)')
    })
  })

  test('is part of the one main region of a page with a heading, which screen readers need', async () => {
    await open({}, async (page) => {
      expect(await page.locator('main').count()).toBe(1)
      expect(await page.locator('h1').allTextContents()).toEqual(['GraphiQL'])
      expect(await page.locator('main .rt-panel').getAttribute('aria-label')).toBe('Round trips')
      expect(await page.locator('main aside, main main').count()).toBe(0)
    })
  })

  test('shows every store call, wave by wave, and every relation with its reason', async () => {
    await open({}, async (page) => {
      await tab(page, 3)
      await run(page)
      const { calls, relations } = await opened.served.costReport(examples[3]!)
      expect(await page.locator('.rt-waves h4').allTextContents()).toEqual([...new Set(calls.map(({ wave }) => `Wave ${wave}`))])
      const rows = await page.locator('.rt-call').allInnerTexts()
      expect(rows).toHaveLength(calls.length)
      for (const [index, call] of calls.entries()) {
        for (const part of [call.operation, call.container, `${call.documents} document`, `${call.requestCharge} RU`, `for ${call.for.join(', ')}`]) expect(rows[index]).toContain(part)
      }
      const reasons = await page.locator('[data-relation]').allInnerTexts()
      expect(reasons).toHaveLength(new Set(relations.map(({ field }) => field)).size)
      for (const { field, because, resolved } of relations) expect(reasons.find((text) => text.includes(field) && text.includes(because) && text.includes(`${resolved} row`))).toBeDefined()
    })
  })

  test('switches the read mode of a relation in the operation, and back', async () => {
    await open({}, async (page) => {
      await run(page)
      const before = await operation(page)
      for (const [label, written] of [['REFERENCE', ' @read(from: REFERENCE)'], ['maxStaleMs: 0', ' @read(maxStaleMs: 0)'], ['AUTO', '']] as const) {
        await page.locator('[data-relation="Book.authors"] label', { hasText: label }).click()
        const asked = before.replace('authors {', `authors${written} {`)
        await expect.poll(() => operation(page)).toBe(asked)
        const costReport = await opened.served.costReport(asked)
        await expect.poll(() => shown(page)).toEqual(figures(costReport))
        expect(costReport.made.roundTrips).toBe(label === 'REFERENCE' ? 2 : 1)
        expect(await page.locator('[data-relation="Book.authors"] input:checked').getAttribute('value')).toBe({ REFERENCE: 'REFERENCE', 'maxStaleMs: 0': 'FRESH', AUTO: 'AUTO' }[label])
      }
      expect(await operation(page)).toBe(before)
    })
  })

  test('shows every example, tab by tab', async () => {
    await open({}, async (page) => {
      for (const [index, text] of examples.entries()) {
        if (index > 0) await page.getByRole('button', { name: /^Next: / }).click()
        await expect.poll(() => operation(page)).toBe(text)
        await run(page)
        expect(await shown(page)).toEqual(figures(await opened.served.costReport(text)))
      }
      expect(await page.getByRole('button', { name: /^Next: / }).count()).toBe(0)
      await tab(page, 0)
      expect(await shown(page)).toEqual(figures(await opened.served.costReport(examples[0]!)))
    })
  })

  test('can be used with the keyboard only', async () => {
    await open({}, async (page) => {
      await tabTo(page, 'Run this operation')
      await page.keyboard.press('Enter')
      await settled(page)
      await tabTo(page, 'AUTO', true)
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => shown(page)).toEqual(figures(await opened.served.costReport(examples[0]!.replace('authors {', 'authors @read(from: REFERENCE) {'))))
      expect(await page.evaluate('document.activeElement.value')).toBe('REFERENCE')
    })
    await open({}, async (page) => {
      const visited = await tabTo(page, 'Hide')
      expect(visited).toEqual(expect.arrayContaining(['SnapshotCovers', 'Execute query (Ctrl-Enter)', 'Show Documentation Explorer', 'Variables', 'Quire']))
      await page.keyboard.press('Enter')
      expect(await page.getByText('Run an operation').count()).toBe(0)
      await page.locator('.graphiql-query-editor .view-line').first().click()
      await page.keyboard.press('Control+Enter')
      await page.locator('.rt-panel[data-state="answered"]').waitFor()
    })
  })

  test.each([[360, 'light'], [390, 'dark'], [1024, 'light']] as const)('fits a screen of %i pixels (%s)', async (width, colorScheme) => {
    await open({ viewport: { width, height: 800 }, colorScheme }, async (page) => {
      await run(page)
      expect(await scrollsSideways(page)).toBe(false)
      for (const part of ['.graphiql-query-editor .view-line', '.rt-big', '.rt-switch', '.rt-call']) {
        // The editor redraws its lines at times, and then there is none for a moment.
        await expect.poll(() => page.locator(part).first().boundingBox().then((box) => box !== null && box.x >= 0 && box.x + box.width <= width && box.height > 8)).toBe(true)
      }
    })
  })

  test.each(['light', 'dark'] as const)('has enough contrast in the %s theme', async (colorScheme) => {
    await open({ colorScheme }, async (page) => {
      const empty = await contrasts(page, '.rt-panel')
      await tab(page, 2)
      await run(page)
      const texts = [...empty, ...(await contrasts(page, '.rt-panel'))]
      expect(texts.length).toBeGreaterThan(50)
      expect(texts.filter(({ ratio }) => ratio < 4.5)).toEqual([])
    })
  })

  test('follows the theme that is chosen in GraphiQL, not only the system', async () => {
    await open({ colorScheme: 'light' }, async (page) => {
      await page.evaluate('localStorage.setItem("graphiql:theme", "dark")')
      await openGraphiql(page, opened.served.address)
      await run(page)
      expect(await page.evaluate('getComputedStyle(document.querySelector(".rt-panel")).backgroundColor')).toBe('rgb(18, 22, 30)')
      expect((await contrasts(page, '.rt-panel')).filter(({ ratio }) => ratio < 4.5)).toEqual([])
    })
  })

  test('shows errors of an operation, and that the gateway does not answer', async () => {
    await open({}, async (page) => {
      await write(page, '{ lions }')
      await page.locator('.graphiql-execute-button').click()
      await expect.poll(() => page.locator('.rt-problems').innerText()).toContain('GRAPHQL_VALIDATION_FAILED')
      expect(await page.locator('.rt-panel').innerText()).toContain('no cost report')
      expect((await contrasts(page, '.rt-panel')).filter(({ ratio }) => ratio < 4.5)).toEqual([])
      await page.route('**/graphql', (route) => route.abort())
      await page.locator('.graphiql-execute-button').click()
      await expect.poll(() => page.locator('.rt-problems').innerText()).toContain('No answer from the gateway')
    })
  })

  test('shows the cost of a mutation, and does not run it twice', async () => {
    await open({}, async (page) => {
      await write(page, 'mutation { updateStock(input: { id: "1", pe: 6 }) { stock { pe } } }')
      await run(page)
      expect(await page.locator('.rt-panel').innerText()).toContain('was not measured')
      expect(await page.locator('.rt-waves').innerText()).toContain('write')
    })
  })

  test('of another schema opens with an operation that fits it', async () => {
    const other = await serve({ typeDefs: 'type Cage @document(container: "cages") { id: ID! }' })
    try {
      await open({}, async (page) => {
        expect(await operation(page)).toContain('query Welcome')
        await run(page)
        expect(await page.locator('.rt-big').innerText()).toMatch(/1\s+round trip\s+same as naive/)
      }, other)
    } finally {
      await other.close()
    }
  })

  test('of a naive gateway shows what naive means', async () => {
    const naive = await serve({ strategy: 'naive' })
    try {
      await open({}, async (page) => {
        await run(page)
        expect((await shown(page)).made).toEqual(cost((await opened.served.costReport(examples[0]!)).naive))
        expect(await page.locator('.rt-call').count()).toBe(40)
        await page.getByRole('button', { name: 'Show all 69 calls' }).click()
        expect(await page.locator('.rt-call').count()).toBe(69)
      }, naive)
    } finally {
      await naive.close()
    }
  })
})

async function tab(page: Page, index: number): Promise<void> {
  await page.locator(`#graphiql-session-tab-${index}`).click()
}

/** The text in the editor. */
async function operation(page: Page): Promise<string> {
  return page.evaluate('__MONACO.editor.getModels().find((model) => model.getLanguageId() === "graphql").getValue()')
}

async function write(page: Page, text: string): Promise<void> {
  await page.evaluate(`__MONACO.editor.getModels().find((model) => model.getLanguageId() === "graphql").setValue(${JSON.stringify(text)})`)
}

interface Figures {
  readonly made: Partial<Cost>
  readonly naive: Partial<Cost>
}

function cost({ roundTrips, requestCharge }: Cost): Partial<Cost> {
  return { roundTrips, requestCharge }
}

function figures({ made, naive }: CostReport): Figures {
  return { made: cost(made), naive: cost(naive) }
}

/** The numbers of the headline; a number that it omits equals the other. */
async function shown(page: Page): Promise<Figures> {
  const [made = 0, charge = 0] = await numbers(page, '.rt-big strong, .rt-charge strong')
  const [naive = made] = await numbers(page, '.rt-instead b')
  const [naiveCharge = charge] = await numbers(page, '.rt-charge b')
  return { made: { roundTrips: made, requestCharge: charge }, naive: { roundTrips: naive, requestCharge: naiveCharge } }
}

async function bars(page: Page): Promise<Record<string, Partial<Cost>>> {
  const values = await numbers(page, '.rt-value')
  return Object.fromEntries(['naive', 'batched', 'chosen'].map((name, index) => [name, { roundTrips: values[index]!, requestCharge: values[index + 3]! }]))
}

async function numbers(page: Page, selector: string): Promise<number[]> {
  return (await page.locator(selector).allTextContents()).map((text) => Number(text.replaceAll(',', '')))
}

/** Presses Tab until an element of that name has the focus; returns the names on the way. */
async function tabTo(page: Page, name: string, byValue = false): Promise<string[]> {
  const visited: string[] = []
  for (let step = 0; step < 80; step++) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate<{ name: string; value: string }>(
      '({ name: (document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent).trim(), value: document.activeElement.value ?? "" })')
    visited.push(at.name)
    if ((byValue ? at.value : at.name) === name) return visited
  }
  throw new Error(`Tab never came to ${name}, only to ${visited.join(', ')}.`)
}
