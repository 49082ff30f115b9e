// `npm run pages`: builds GraphiQL's page if it is missing or its sources have changed. `npm start` runs it with
// `--if-possible` and starts also without the page. Plain JavaScript, so that an old Node can run it.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const web = dirname(fileURLToPath(import.meta.url))

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const tooOld = major < 22 || (major === 22 && minor < 18)
// Production has no GraphiQL, and its build tools are not installed. For a Node that is too old, the gateway itself reports that.
if (process.env['NODE_ENV'] !== 'production' && !tooOld) {
  await buildIfNeeded().catch((error) => {
    const why = error.code === 'ERR_MODULE_NOT_FOUND' ? 'its packages are not installed. Run "npm ci --include=dev".' : error.message
    console.error(`Cannot build GraphiQL: ${why} Everything else works without it.`)
    if (!process.argv.includes('--if-possible')) process.exitCode = 1
  })
}

async function buildIfNeeded() {
  const stamp = sourcesStamp()
  if (stamp === builtStamp()) return
  const { bundle } = await import('./bundle.ts')
  console.error('Building GraphiQL …')
  const { seconds, kilobytes } = await bundle(stamp)
  console.error(`GraphiQL is built: ${kilobytes} KB to load, in ${seconds} s.`)
}

/** A hash of all sources of the page; the lock file stands for the packages. */
function sourcesStamp() {
  const sources = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) => /^[^/\\]+\.(css|js|ts)$|^graphiql[/\\].*\./.test(file)).toSorted()
  const hash = createHash('sha256')
  for (const file of [...sources, '../package-lock.json']) hash.update(`${file}\n`).update(readFileSync(join(web, file))).update('\n')
  return hash.digest('hex')
}

function builtStamp() {
  try {
    return readFileSync(join(web, 'dist/stamp'), 'utf8')
  } catch {
    return undefined
  }
}
