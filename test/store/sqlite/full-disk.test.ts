// A start on a disk that has filled up since the last process was killed says so, and what to do.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { mayMount, mounting } from '../../../reliability/scenarios/disk.ts'

test.skipIf(!mayMount())('a store that cannot be opened because the disk is full says so, and to keep the log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quire-full-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const program = [process.execPath, '--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'full-disk-process.ts'), folder]
  const { stdout, stderr } = spawnSync('unshare', mounting(folder, program), { encoding: 'utf8' })
  expect(stdout, stderr).toMatch(/^Cannot prepare the SQLite store .*shelf\.db: the disk is full .* Free some disk space .*-wal/)
})
