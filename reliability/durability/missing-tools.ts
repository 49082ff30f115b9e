// Whether a program that a show needs is installed, and what to do where it is not.

import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Which Debian package has it. */
const packages = { 'strace': 'strace', 'fiu-run': 'fiu-utils', 'unshare': 'util-linux' }

export type Program = keyof typeof packages

/** Why what needs these programs cannot run; undefined when it can. */
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
