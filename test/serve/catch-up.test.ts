// `quire start` over documents that lack what the schema declares since: answers are right at once, and when every document has it, they
// come from it, without a restart.

import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestGateway } from '../../src/entries/testing.ts'
import { createLog } from '../../src/observe/log/log.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { startQuire } from '../cli/quire.ts'

const cages = 'type Cage @document(container: "cages") { id: ID! keeper: Keeper @reference(at: "keeperId") }'
const keepers = (fields = ''): string => `type Keeper @document(container: "keepers") { id: ID! cages: CageConnection! @reverse(of: "Cage.keeper") ${fields} }`

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'quire-catch-up-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a new count is counted, then computed in the background, then filtered and ordered by', async () => {
  const file = join(folder, 'zoo.db')
  const documents = {
    Keeper: Array.from({ length: 50 }, (_, number) => ({ id: `k${number}` })),
    Cage: Array.from({ length: 100 }, (_, number) => ({ id: `c${number}`, keeperId: `k${number % 7}` })),
  }
  const filled = await openTestGateway({ typeDefs: cages + keepers(), documents, store: (layout) => openSqliteStore(file, layout), log: createLog({ level: 'silent', readable: false }) })
  await filled.close()
  writeFileSync(join(folder, 'zoo.graphql'), cages + keepers('count: Int! @counted(relation: "cages") @indexed'))
  const started = startQuire(['start', '--development'], { env: { QUIRE_SCHEMA: folder, QUIRE_STORE: `sqlite:${file}`, PORT: '0', QUIRE_LOG: 'info' } })
  const lines: string[] = []
  const caughtUp = Promise.withResolvers<undefined>()
  createInterface(started.stderr!).on('line', (line) => {
    lines.push(line)
    if (line.includes('Caught up')) caughtUp.resolve(undefined)
  })
  const [first] = (await once(createInterface(started.stdout!), 'line')) as [string]
  const url = /http:\/\/\S+?:\d+/.exec(first)![0]
  const ask = async (query: string): Promise<{ data?: { keepers: { nodes: { count: number }[] } }; errors?: { extensions: { code: string } }[] }> =>
    (await (await fetch(`${url}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) })).json()) as never
  const counts = (await ask('{ keepers(first: 50) { nodes { count } } }')).data!.keepers.nodes.map(({ count }) => count)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(100)
  // By the truth before, and by what is stored after the line.
  const ordered = async (): Promise<unknown> => (await ask('{ keepers(first: 2, orderBy: { field: COUNT, direction: DESC }) { nodes { count } } }')).data
  expect(await ordered()).toEqual({ keepers: { nodes: [{ count: 15 }, { count: 15 }] } })
  await caughtUp.promise
  expect(await ordered()).toEqual({ keepers: { nodes: [{ count: 15 }, { count: 15 }] } })
  expect(lines.some((line) => line.includes('Catching up'))).toBe(true)
  const closed = once(started, 'close')
  started.kill('SIGTERM')
  expect(await closed).toEqual([0, null])
})
