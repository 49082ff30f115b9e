// Fills the disk under a gateway again and again. Writes are refused with STORE_UNAVAILABLE, reads keep working, and once
// there is space again the same process writes. At the end exactly the acknowledged writes are stored.
//
// The disk is a small tmpfs in a mount namespace of its own. Where mounting is not permitted, libfiu reports a full disk.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillDisk } from '../durability/full-disk.ts'
import { missingTools } from '../durability/missing-tools.ts'
import type { Scenario, Outcome } from '../scenario.ts'

export const defaults = { rounds: 5, seed: 1 }
export const run: Scenario<typeof defaults>['run'] = fullDisk

/** Enough for the sample and its log, and a little more. */
const sizeMb = 16

/** What is missing for both ways of a full disk; undefined when one of them is possible. */
export function missingForDisk(): string | undefined {
  return mayMount() ? undefined : missingTools(['fiu-run'])
}

export async function fullDisk(options: typeof defaults): Promise<Outcome> {
  const missing = missingForDisk()
  if (missing) throw new Error(`The scenario cannot run: mounting is not permitted here, and ${missing}.`)
  const folder = mkdtempSync(join(tmpdir(), 'quire-disk-'))
  try {
    if (!mayMount()) return await fillDisk({ ...options, folder })
    const program = [process.execPath, '--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../durability/full-disk-process.ts'), folder, JSON.stringify(options)]
    const { stdout, stderr } = spawnSync('unshare', mounting(folder, program), { encoding: 'utf8' })
    if (stderr) console.error(stderr)
    return JSON.parse(stdout) as Outcome
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Arguments of `unshare` that run a program where the folder is a small disk. */
export function mounting(folder: string, program: readonly string[]): string[] {
  return ['--map-root-user', '--mount', 'sh', '-c', `mount -t tmpfs -o size=${sizeMb}m tmpfs "$0" && exec "$@"`, folder, ...program]
}

export function mayMount(): boolean {
  return missingTools(['unshare']) === undefined && spawnSync('unshare', mounting(tmpdir(), ['true'])).status === 0
}
