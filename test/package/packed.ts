// The package as it is published, built and packed once per run of the tests: test files run side by side, and a second build
// would remove `dist/` under the first. test/setup.ts removes it.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export const repository = resolve('.')

/** The path of the tarball. */
export async function packed(): Promise<string> {
  const folder = process.env['PACKED']!
  const [done, failed] = [join(folder, 'done'), join(folder, 'failed')]
  try {
    mkdirSync(folder)
  } catch {
    while (!existsSync(done)) {
      if (existsSync(failed)) throw new Error(readFileSync(failed, 'utf8'))
      await pause(100)
    }
    return readFileSync(done, 'utf8')
  }
  try {
    run('npm', ['run', 'build'], repository)
    run('npm', ['pack', join(repository, 'dist'), '--silent'], folder)
  } catch (error) {
    writeFileSync(failed, String(error))
    throw error
  }
  const tarball = join(folder, readdirSync(folder).find((file) => file.endsWith('.tgz'))!)
  writeFileSync(done, tarball)
  return tarball
}

/** What it prints; throws with what it complains of. */
export function run(command: string, args: readonly string[], cwd: string, env: Record<string, string> = {}): string {
  return execFileSync(command, args, { cwd, env: { ...environment(), ...env }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64 * 1024 * 1024 })
}

/** The Node of these tests first, and no settings of Quire, npm or the test runner. */
export function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(QUIRE_|COSMOS_|PORT$|HOST$|NODE_ENV$|VITEST|npm_)/.test(name))
  return { ...Object.fromEntries(kept), PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}` }
}
