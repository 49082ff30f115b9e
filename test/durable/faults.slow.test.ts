// Disks that fail at random, once, and until they work again.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFailingGateway, type FailingGateway } from '../../reliability/durability/failing-calls.ts'
import { run } from '../../reliability/scenarios/faults.ts'
import { missingTools } from '../../reliability/durability/missing-tools.ts'
import { declaration, createStore, readStored } from '../../reliability/durability/stored.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'

const missing = missingTools(['fiu-run'])

describe.skipIf(missing !== undefined)(`on a failing disk${missing ? ` (skipped: ${missing})` : ''}`, () => {
  test('exactly the acknowledged writes are stored, and clients get only STORE_UNAVAILABLE or a timeout', async () => {
    const { held, figures } = await run({ rounds: 4, writes: 120, writePercent: 1, syncPercent: 5, seed: 1 })
    expect(held, figures).toBe(true)
  }, 300_000)

  describe('that fails to sync', () => {
    const folder = mkdtempSync(join(tmpdir(), 'quire-failing-'))
    const file = join(folder, 'library.db')
    let gateway: FailingGateway
    beforeAll(async () => {
      await createStore(file)
      gateway = await startFailingGateway({ file, profile: 'production' }, folder)
      expect(await publish('Before')).toBe('acknowledged')
    })
    afterAll(async () => {
      await gateway.stop('SIGKILL')
      rmSync(folder, { recursive: true })
    })

    async function publish(name: string): Promise<string> {
      const answer = await ask('mutation ($name: String!) { publishBook(input: { name: $name, authorIds: ["a1"] }) { book { id } } }', { name })
      return answer.errors ? `${answer.errors[0]!.extensions.code}: ${answer.errors[0]!.message}` : 'acknowledged'
    }

    async function ask(query: string, variables = {}): Promise<{ data: unknown; errors?: { message: string; extensions: { code: string } }[] }> {
      const response = await fetch(gateway.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query, variables }) })
      return (await response.json()) as Awaited<ReturnType<typeof ask>>
    }

    test('always: the error says that the result is unknown, reads succeed, and writes do once the disk works again', async () => {
      await gateway.fail({ write: 0, sync: 100 })
      expect(await publish('Doubtful')).toMatch(/^STORE_UNAVAILABLE: .* not known whether this was written/)
      expect(await ask('{ book(id: "b1") { id } }')).toEqual({ data: { book: { id: 'b1' } } })
      expect((await fetch(new URL('/ready', gateway.url))).status).toBe(200)
      await gateway.heal()
      expect(await publish('Afterwards')).toBe('acknowledged')
    })

    // The whole commit is in the WAL by then, so SQLite alone would recover it after a crash.
    test('once: the write is refused, and is still absent after a crash', async () => {
      await gateway.failNextSync()
      expect(await publish('Refused')).toMatch(/^STORE_UNAVAILABLE: .* is unavailable/)
      await gateway.stop('SIGKILL')
      const store = await openSqliteStore(file, declaration.layout)
      const stored = await readStored(store)
      await store.close()
      expect(['Before', 'Doubtful', 'Afterwards', 'Refused'].map((name) => stored.occurrences(`book ${name}`))).toEqual([1, 0, 1, 0])
    })
  })
})
