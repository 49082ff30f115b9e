// Whether the programs that a scenario needs are installed, and how to install them.

import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The Debian package of each program. */
const packages = { 'strace': 'strace', 'fiu-run': 'fiu-utils', 'unshare': 'util-linux', 'faketime': 'faketime' }

export type Program = keyof typeof packages

/** The first missing program and how to install it; undefined when all are there. */
export function missingTools(programs: readonly Program[], env: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const missing = programs.find((program) => !folders.some((folder) => isExecutable(join(folder, program))))
  return missing && `there is no ${missing}. Install it (on Debian: apt-get install ${packages[missing]})`
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
