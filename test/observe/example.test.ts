// Runs examples/opentelemetry.ts with the command that its comment gives.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'

test('the command in the example starts a gateway whose spans are printed', async () => {
  const [, command] = /^\/\/ {3}node (.*)$/m.exec(readFileSync('examples/opentelemetry.ts', 'utf8'))!
  const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...command!.split(' ')], {
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
