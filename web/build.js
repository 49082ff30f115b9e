// `npm run pages`: builds GraphiQL's page when it is missing or older than what it is made of, and
// otherwise takes no time. `npm start` says `--if-possible`: without the page it starts all the same.
// Plain JavaScript, so that a Node too old for the rest does not trip over it.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const web = dirname(fileURLToPath(import.meta.url))

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const tooOld = major < 22 || (major === 22 && minor < 18)
// In production there is no GraphiQL, and what builds it is not installed. A Node that is too old is told by whoever needs a newer one.
if (process.env['NODE_ENV'] !== 'production' && !tooOld) {
  await buildIfNeeded().catch((error) => {
    const why = error.code === 'ERR_MODULE_NOT_FOUND' ? 'the packages it is built from are not installed. Run "npm ci --include=dev".' : error.message
    console.error(`GraphiQL cannot be built: ${why} Everything else works without it.`)
    if (!process.argv.includes('--if-possible')) process.exitCode = 1
  })
}

async function buildIfNeeded() {
  const stamp = sourcesStamp()
  if (stamp === builtStamp()) return
  const { bundle } = await import('./bundle.ts')
  console.error('Building GraphiQL, once …')
  const { seconds, kilobytes } = await bundle(stamp)
  console.error(`GraphiQL is built: ${kilobytes} KB to load, in ${seconds} s.`)
}

/** Of everything that the page is made of; the lock file stands for the packages. */
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
