#!/usr/bin/env node
// The `quire` executable, of a checkout, which runs TypeScript, and of the package, which is compiled. Plain JavaScript, so
// that a Node that is too old can still print why it fails.

import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

const isCompiled = !existsSync(new URL('../src/cli.ts', import.meta.url))
const [major, minor] = process.versions.node.split('.').map(Number)
// node:sqlite has all that Quire calls since 22.16 and 24; Node runs TypeScript since 22.18.
const needed = isCompiled ? 16 : 18
if (major < 22 || major === 23 || (major === 22 && minor < needed)) {
  console.error(`Quire needs Node 22.${needed} or newer, or 24; this is ${process.versions.node}. Install a newer Node${isCompiled ? '' : ', or use "npm start", which brings one'}.`)
  process.exit(1)
}
// The compile cache saves about a third of the startup time. If the folder cannot be written, Node works without it. A package
// that is linked has no node_modules around it: then Node chooses a temporary folder.
const cache = !isCompiled ? '../node_modules/.cache/quire' : import.meta.url.includes('/node_modules/') ? '../../.cache/quire' : undefined
module.enableCompileCache(cache && fileURLToPath(new URL(cache, import.meta.url)))
// V8 learns while a gateway starts that many of its objects stay, and then puts objects of single requests among the old ones too.
// Each keeps its whole request alive until the next full collection, and young collections have to move all of it about. Without
// that rule of V8's, p99.9 of `npm run bench -- throughput` is a fraction of what it is with it. Other releases may not know the flag.
if (major === 22 || major === 24) setFlagsFromString('--no-allocation-site-pretenuring')
// Hides Node's warning that its SQLite module is experimental: users of a command can do nothing about it.
const emitWarning = process.emitWarning.bind(process)
process.emitWarning = (warning, ...rest) => {
  if (rest[0] !== 'ExperimentalWarning') emitWarning(warning, ...rest)
}
await import(isCompiled ? '../src/cli.js' : '../src/cli.ts')
// A gateway may be killed, and would then never write the compile cache for the next start.
setTimeout(() => module.flushCompileCache(), 2000).unref()
