// The browser tests where there is no browser.

import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('a test run without it passes and prints the message', () => {
  // With a package and a server of its own: what it has when it ends, it removes.
  const { status, stdout, stderr } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--mode', 'slow', 'test/browser/landing', 'test/browser/panel'], {
    encoding: 'utf8', env: { ...process.env, CHROMIUM_PATH: '/nowhere', VITEST: undefined, PACKED: undefined, POSTGRES_FOLDER: undefined, NO_COLOR: '1' },
  })
  expect(`${stdout}${stderr}`).toMatch(/^The browser tests did not run: CHROMIUM_PATH is \/nowhere, and there is nothing\.$/m)
  expect(stdout).toMatch(/Tests +\d+ skipped/)
  expect(status).toBe(0)
})
