// Fills the disk under a gateway, again and again. Writes are refused with STORE_UNAVAILABLE, reads go on, and as soon as
// there is room, the same process writes again. In the end exactly what was acknowledged is there.
//
// The disk is a small one in memory, mounted where only this show sees it. Where nobody may mount anything, libfiu tells the
// gateway that the disk is full.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillDisk } from '../durability/full-disk.ts'
import { missingTools } from '../durability/missing-tools.ts'
import type { Scenario, Outcome } from '../scenario.ts'

export const defaults = { rounds: 5, seed: 1 }
export const run: Scenario<typeof defaults>['run'] = showFullDisk

/** The sample, its log and some more. */
const sizeMb = 16

/** Why neither a disk can be mounted here nor one be said to be full; undefined when either can. */
export function whyNoDisk(): string | undefined {
  return mayMount() ? undefined : missingTools(['fiu-run'])
}

export async function showFullDisk(options: typeof defaults): Promise<Outcome> {
  const missing = whyNoDisk()
  if (missing) throw new Error(`This cannot be shown: nothing can be mounted here, and ${missing}.`)
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

/** In a world of its own, in which the folder is a small disk. */
function mounting(folder: string, program: readonly string[]): string[] {
  return ['--map-root-user', '--mount', 'sh', '-c', `mount -t tmpfs -o size=${sizeMb}m tmpfs "$0" && exec "$@"`, folder, ...program]
}

function mayMount(): boolean {
  return missingTools(['unshare']) === undefined && spawnSync('unshare', mounting(tmpdir(), ['true'])).status === 0
}
