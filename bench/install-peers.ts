// The peers are not dependencies of Quire, so they are installed the first time somebody measures,
// and again when the lock file says something else than what is there.

import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

export function installPeers(): void {
  const installed = join(import.meta.dirname, 'node_modules/.package-lock.json')
  const lock = join(import.meta.dirname, 'package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return
  console.error('Installing the peers under bench/ …')
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: import.meta.dirname, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' })
  if (status !== 0) throw new Error('The peers could not be installed: "npm ci" in bench/ failed.')
}
