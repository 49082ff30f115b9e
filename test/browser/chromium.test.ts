// Finds Chromium, and says clearly if there is none.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findChromium } from './chromium.ts'

const none = () => false

test('a configured path is used', () => {
  expect(findChromium({ CHROMIUM_PATH: '/opt/browser', PATH: '/usr/bin' }, (file) => ['/opt/browser', '/usr/bin/chromium'].includes(file))).toEqual({ path: '/opt/browser' })
})

test('otherwise one of its usual names on the PATH', () => {
  expect(findChromium({ PATH: `/a:/b` }, (file) => file === join('/b', 'google-chrome'))).toEqual({ path: '/b/google-chrome' })
  expect(findChromium({}, (file) => file === '/usr/bin/chromium')).toEqual({ path: '/usr/bin/chromium' })
})

test('if it is not found, the message says what to do', () => {
  expect(findChromium({ PATH: '/usr/bin' }, none)).toEqual({
    missing: 'The browser tests did not run: there is no Chromium. Install it (on Debian: apt-get install chromium), or set CHROMIUM_PATH.',
  })
  expect(findChromium({ CHROMIUM_PATH: '/nowhere' }, none)).toEqual({ missing: 'The browser tests did not run: CHROMIUM_PATH is /nowhere, and there is nothing.' })
})

test('a test run without it passes and prints the message', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--mode', 'slow', 'test/browser/landing', 'test/browser/panel'], {
    encoding: 'utf8', env: { ...process.env, CHROMIUM_PATH: '/nowhere', VITEST: undefined, NO_COLOR: '1' },
  })
  expect(`${stdout}${stderr}`).toMatch(/^The browser tests did not run: CHROMIUM_PATH is \/nowhere, and there is nothing\.$/m)
  expect(stdout).toMatch(/Tests +\d+ skipped/)
  expect(status).toBe(0)
})
