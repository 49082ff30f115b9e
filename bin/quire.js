#!/usr/bin/env node
// Plain JavaScript, so that a Node too old to run TypeScript can still say so.

import module from 'node:module'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`Quire needs Node 22.18 or newer, and this is ${process.versions.node}. Start it with "npm start", or install a newer Node.`)
  process.exit(1)
}
// What Node has compiled once it need not compile again: that is a good third of what a start takes. Where the
// folder cannot be written, it does.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/quire', import.meta.url)))
// That SQLite in Node may still change is for us to know: whoever runs a command wants to read its answer.
const emitWarning = process.emitWarning.bind(process)
process.emitWarning = (warning, ...rest) => {
  if (rest[0] !== 'ExperimentalWarning') emitWarning(warning, ...rest)
}
await import('../src/cli.ts')
// A gateway may run until it is killed, which would leave nothing behind for the next one.
setTimeout(() => module.flushCompileCache(), 2000).unref()
