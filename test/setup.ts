// Runs once before all tests: builds the pages, which tests of the site and of browsers load. After them, removes the package
// that test/package/packed.ts has packed, and ends the PostgreSQL server that test/store/postgres/local.ts has started.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export default function setup(): () => void {
  execFileSync(process.execPath, ['web/build.js'], { stdio: 'inherit', env: { ...process.env, NODE_ENV: '' } })
  return () => {
    rmSync(process.env['PACKED']!, { recursive: true, force: true })
    endPostgres(process.env['POSTGRES_FOLDER']!)
  }
}

/** The first line of this file of PostgreSQL is the id of its process. */
function endPostgres(folder: string): void {
  const file = join(folder, 'server/data/postmaster.pid')
  if (existsSync(file)) process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGQUIT')
  // It removes the file when it has ended.
  for (let tries = 0; tries < 200 && existsSync(file); tries++) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  rmSync(folder, { recursive: true, force: true })
}
