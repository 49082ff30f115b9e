// Runs once before the slow tests: warns when there is no Chromium, because the browser tests are then skipped.

import { findChromium } from './chromium.ts'

export default function setup(): void {
  const chromium = findChromium(process.env)
  if ('missing' in chromium) console.warn(`\n${chromium.missing}\n`)
}
