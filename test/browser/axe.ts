// Runs axe-core in a page: the accessibility rules of WCAG and of good practice, as a machine can judge them.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** One place of a page that breaks a rule. */
export interface Violation {
  readonly rule: string
  readonly impact: string
  /** The selector of the element. */
  readonly at: string
  readonly html: string
}

export async function violationsIn(page: Page): Promise<Violation[]> {
  // By the debugger, which a page's Content-Security-Policy does not concern.
  await page.evaluate(source)
  const { violations } = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })') as AxeResults
  return violations.flatMap(({ id, impact, nodes }) => nodes.map(({ target, html }) => ({ rule: id, impact: impact ?? 'minor', at: target.join(' '), html: html.slice(0, 160) })))
}
