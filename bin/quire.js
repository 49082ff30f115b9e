#!/usr/bin/env node
// Plain JavaScript, so that a Node too old to run TypeScript can still say so.

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`Quire needs Node 22.18 or newer, and this is ${process.versions.node}. Start it with "npm start", or install a newer Node.`)
  process.exit(1)
}
await import('../src/cli.ts')
