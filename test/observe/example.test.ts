// The file that docs/observability.md shows turns spans on.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { readFences } from '../docs/examples/fences.ts'
import { createProjects, projectOf, removeProjects } from '../docs/examples/projects.ts'

const fences = readFences('docs/observability.md')
const folder = createProjects(fences)
afterAll(() => removeProjects(folder))

test('the command of the page starts a gateway whose spans are printed', async () => {
  const [, command] = /^node (.*)$/m.exec(fences.find(({ text }) => text.includes('--import'))!.text)!
  const words = command!.replace('node_modules/.bin/quire', join(process.cwd(), 'bin/quire.js')).split(' ')
  const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...words], {
    cwd: projectOf(folder, 'docs/observability.md'),
    env: { ...process.env, NODE_ENV: 'production', PORT: '0', QUIRE_STORE: 'memory', QUIRE_LOG: 'silent' }, stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let printed = ''
    const [ready] = (await once(createInterface({ input: started.stdout }).on('line', (line) => (printed += `${line}\n`)), 'line')) as [string]
    const address = /http:\S+/.exec(ready)![0]
    await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent: '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01' },
      body: JSON.stringify({ query: 'query Names { books(first: 2) { nodes { name } } }' }),
    })
    await expect.poll(() => printed).toContain("name: 'query Names'")
    for (const part of ["name: 'query books'", "traceId: '0af7651916cd43dd8448eb211c80319c'", "'db.system.name': 'memory'"]) expect(printed).toContain(part)
  } finally {
    started.kill('SIGKILL')
  }
})
