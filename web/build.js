// `npm run pages`: builds GraphiQL's page and the documentation, each if it is missing or its sources have changed. `npm start` runs it
// with `--if-possible` and starts also without the pages. Plain JavaScript, so that an old Node can run it.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const web = dirname(fileURLToPath(import.meta.url))

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const tooOld = major < 22 || (major === 22 && minor < 18)
// Production has no GraphiQL, and its build tools are not installed. For a Node that is too old, the gateway itself reports that.
if (process.env['NODE_ENV'] !== 'production' && !tooOld) {
  await buildGraphiql().catch((error) => report('GraphiQL', error))
  await buildDocs().catch((error) => report('the documentation', error))
}

/**
 * @param {string} what
 * @param {NodeJS.ErrnoException} error
 */
function report(what, error) {
  const why = error.code === 'ERR_MODULE_NOT_FOUND' ? 'its packages are not installed. Run "npm ci --include=dev".' : error.message
  console.error(`Cannot build ${what}: ${why} Everything else works without it.`)
  if (!process.argv.includes('--if-possible')) process.exitCode = 1
}

async function buildGraphiql() {
  const stamp = stampOf(filesIn(web, /^[^/\\]+\.(css|js|ts)$|^graphiql[/\\].*\./))
  if (stamp === builtStamp('stamp')) return
  const { bundle } = await import('./bundle.ts')
  console.error('Building GraphiQL …')
  const { seconds, kilobytes } = await bundle(stamp)
  console.error(`GraphiQL is built: ${kilobytes} KB to load, in ${seconds} s.`)
}

/** After GraphiQL, whose build empties the folder. */
async function buildDocs() {
  const stamp = stampOf([...filesIn(web, /^docs[/\\].*\.ts$/), ...filesIn(join(web, '../docs'), /\.md$/), ...filesIn(join(web, '../bench/results'), /\.svg$/)])
  if (stamp === builtStamp('docs.stamp')) return
  const { writeDocs } = await import('./docs/render.ts')
  const { pages, kilobytes } = writeDocs(join(web, 'dist'))
  writeFileSync(join(web, 'dist/docs.stamp'), stamp)
  console.error(`The documentation is built: ${pages} pages, ${kilobytes} KB.`)
}

/**
 * @param {string} folder
 * @param {RegExp} names
 */
function filesIn(folder, names) {
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => names.test(file)).toSorted().map((file) => join(folder, file)) : []
}

/**
 * A hash of sources; the lock file stands for the packages.
 * @param {string[]} files
 */
function stampOf(files) {
  const hash = createHash('sha256')
  for (const file of [...files, join(web, '../package-lock.json')]) hash.update(`${relative(web, file)}\n`).update(readFileSync(file)).update('\n')
  return hash.digest('hex')
}

/** @param {string} name */
function builtStamp(name) {
  try {
    return readFileSync(join(web, 'dist', name), 'utf8')
  } catch {
    return undefined
  }
}
