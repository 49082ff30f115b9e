// Runs once before all tests: builds the pages, which tests of the site and of browsers load. After them, removes the package
// that test/package/packed.ts has packed.

import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'

export default function setup(): () => void {
  execFileSync(process.execPath, ['web/build.js'], { stdio: 'inherit', env: { ...process.env, NODE_ENV: '' } })
  return () => rmSync(process.env['PACKED']!, { recursive: true, force: true })
}
