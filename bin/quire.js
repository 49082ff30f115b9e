#!/usr/bin/env node
// The `quire` executable. Plain JavaScript, so that a Node that is too old for TypeScript can still print why it fails.

import module from 'node:module'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`Quire needs Node 22.18 or newer; this is ${process.versions.node}. Install a newer Node, or use "npm start", which brings one.`)
  process.exit(1)
}
// The compile cache saves about a third of the startup time. If the folder cannot be written, Node works without it.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/quire', import.meta.url)))
// Hides Node's warning that its SQLite module is experimental: users of a command can do nothing about it.
const emitWarning = process.emitWarning.bind(process)
process.emitWarning = (warning, ...rest) => {
  if (rest[0] !== 'ExperimentalWarning') emitWarning(warning, ...rest)
}
await import('../src/cli.ts')
// A gateway may be killed, and would then never write the compile cache for the next start.
setTimeout(() => module.flushCompileCache(), 2000).unref()
