// Peers are not dependencies of Quire: the first throughput run installs them, and again when the lock file changes.

import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

export function installPeers(): void {
  const installed = join(import.meta.dirname, 'node_modules/.package-lock.json')
  const lock = join(import.meta.dirname, 'package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return
  console.error('Installing the peers under bench/ …')
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: import.meta.dirname, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' })
  if (status !== 0) throw new Error('Installing the peers failed: "npm ci" in bench/ ended with an error.')
}
