// Finds Chromium, and says clearly if there is none.

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
