// Runs once before all tests: builds the pages, which tests of the site and of browsers load.

import { execFileSync } from 'node:child_process'

export default function setup(): void {
  execFileSync(process.execPath, ['web/build.js'], { stdio: 'inherit', env: { ...process.env, NODE_ENV: '' } })
}
