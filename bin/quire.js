#!/usr/bin/env node
// Plain JavaScript, so that a Node too old to run TypeScript can still say so.

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`Quire needs Node 22.18 or newer, and this is ${process.versions.node}. Start it with "npm start", or install a newer Node.`)
  process.exit(1)
}
// That SQLite in Node may still change is for us to know: whoever runs a command wants to read its answer.
const emitWarning = process.emitWarning.bind(process)
process.emitWarning = (warning, ...rest) => {
  if (rest[0] !== 'ExperimentalWarning') emitWarning(warning, ...rest)
}
await import('../src/cli.ts')
