// Faults of one line are put into a copy of the sources, one after the other. Each must be noticed by the test that was written for it.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mutants, type Mutant } from '../mutants/mutants.ts'
import { bulletList, progress, type Outcome } from '../scenario.ts'

/** `only` is a part of what is wrong with the mutants to try. */
export const defaults = { only: '' }

const root = join(import.meta.dirname, '../..')
/** What no test needs a copy of. */
const linked = new Set(['node_modules', '.git'])

export async function run({ only }: typeof defaults): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-mutants-'))
  const tried = mutants.filter(({ what }) => what.includes(only))
  const unnoticed: string[] = []
  try {
    for (const name of readdirSync(root)) if (!linked.has(name)) cpSync(join(root, name), join(folder, name), { recursive: true, filter: (path) => !path.endsWith('node_modules') })
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    for (const mutant of tried) {
      const noticed = isNoticed(folder, mutant)
      progress(`${noticed ? 'noticed' : 'NOT NOTICED'}: ${mutant.what}`)
      if (!noticed) unnoticed.push(mutant.what)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return { held: tried.length > 0 && unnoticed.length === 0, figures: bulletList({ 'faults of one line that were put back': tried.length, 'noticed by their tests': tried.length - unnoticed.length }) }
}

/** Whether the test passes without the fault and fails with it. */
function isNoticed(folder: string, { file, line, becomes, test, title }: Mutant): boolean {
  const path = join(folder, file)
  const source = readFileSync(path, 'utf8')
  const passes = (): boolean => spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', test, ...(title === '' ? [] : ['-t', title])], { cwd: folder, timeout: 180_000, env: { ...process.env, NO_COLOR: '1' } }).status === 0
  try {
    writeFileSync(path, source.replace(line, () => becomes))
    if (passes()) return false
  } finally {
    writeFileSync(path, source)
  }
  return passes()
}
