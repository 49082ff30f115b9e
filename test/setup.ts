// Before any test: the pages are built, and it is said whether the browser tests will run.

import { execFileSync } from 'node:child_process'
import { findChromium } from './browser/chromium.ts'

export default function setup(): void {
  execFileSync(process.execPath, ['web/build.js'], { stdio: 'inherit', env: { ...process.env, NODE_ENV: '' } })
  const chromium = findChromium(process.env)
  if ('missing' in chromium) console.warn(`\n${chromium.missing}\n`)
}
