// A process with a gateway survives promises that GraphQL.js abandons, and no other unhandled rejection.

import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Runs a script in a process of its own, as there can be no other listener in it. */
function run(script: string): { readonly status: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script], { encoding: 'utf8', cwd: process.cwd() })
  return { status, said: stdout + stderr }
}

const open = `
  import { createGateway } from './src/gateway.ts'
  import { openMemoryStore } from './src/store/memory/memory-store.ts'
  const put = (container, body) => ({ kind: 'put', container, key: { partition: [body.id], id: body.id }, body })
  const gateway = await createGateway({
    typeDefs: 'type Cage @document(container: "cages") { id: ID! name: String! keeper: Keeper! @reference(at: "keeperId") } type Keeper @document(container: "keepers") { id: ID! name: String! }',
    store: openMemoryStore, cursorSecret: 'tests', compiles: false,
    seed: () => [put('cages', { id: 'a', name: 'A', keeperId: 'lost' }), put('cages', { id: 'b', keeperId: 'lost' })],
  })
  const ask = async (query) => (await gateway.fetch('http://quire/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) })).json()`

test('a row that fails after its list was nulled does not end the process', () => {
  const { status, said } = run(`${open}
    console.log(JSON.stringify(await ask('{ cages { nodes { name keeper { name } } } }')))
    await new Promise((resolve) => setImmediate(resolve))
    console.log('still here')`)
  expect(said).toContain('"errors"')
  expect(said).toContain('still here')
  expect(status).toBe(0)
})

test('any other unhandled rejection ends the process, as without a gateway', () => {
  const { status, said } = run(`${open}
    void Promise.reject(new Error('a mistake elsewhere'))
    await new Promise((resolve) => setTimeout(resolve, 1000))
    console.log('still here')`)
  expect(said).toContain('a mistake elsewhere')
  expect(said).not.toContain('still here')
  expect(status).not.toBe(0)
})
