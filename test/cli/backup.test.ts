// `quire backup` and `quire restore` beside a gateway that serves: what they refuse, what they keep, and what clients see afterwards.

import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readLeases } from '../../src/feed/lease-document.ts'
import { registeredIn } from '../../src/feed/mode/registered-gateways.ts'
import { ownLayout } from '../../src/store/own-container.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { quire, startQuire, type Surroundings } from './quire.ts'

const sdl = `
  type Writer @document(container: "writers") { id: ID! name: String! }
  type Post @document(container: "posts") { id: ID! writer: Writer @snapshot(at: "writer", fields: ["name"]) }
`

let folder: string
let settings: Surroundings
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-backup-'))
  writeFileSync(join(folder, 'schema.graphql'), sdl)
  settings = { cwd: folder, env: { QUIRE_SCHEMA: folder, QUIRE_STORE: 'sqlite:store.db', QUIRE_EFFECTS: 'feed', PORT: '0', QUIRE_LOG: 'silent' } }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Asked {
  readonly data: { readonly post?: { readonly writer: { readonly name: string } }; readonly posts?: { readonly totalCount: number } }
  readonly from: string | undefined
  readonly session: string | null
}

interface Served {
  readonly ask: (query: string, headers?: Record<string, string>) => Promise<Asked>
  readonly stop: () => Promise<void>
}

async function serve(): Promise<Served> {
  const started = startQuire(['start', '--development'], settings)
  const [line] = (await once(createInterface(started.stdout!), 'line')) as [string]
  const url = /http:\/\/\S+?:\d+/.exec(line)![0]
  return {
    async ask(query, headers = {}) {
      const response = await fetch(`${url}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json', 'quire-trace': '1', ...headers }, body: JSON.stringify({ query }) })
      const { data, errors, extensions } = (await response.json()) as { data: Asked['data']; errors?: unknown; extensions: { quire: { relations: { from: string }[] } } }
      expect(errors).toBeUndefined()
      return { data, from: extensions.quire.relations[0]?.from, session: response.headers.get('quire-session') }
    },
    async stop() {
      const closed = once(started, 'close')
      started.kill('SIGTERM')
      await closed
    },
  }
}

const name = '{ post(id: "p1") { writer { name } } }'
const rename = (to: string): string => `mutation { updateWriter(input: { id: "w1", name: "${to}" }) { writer { id } } }`

test('a backup of a store that serves is restored when nobody serves it, and no session waits for lost writes', async () => {
  const first = await serve()
  await first.ask('mutation { createWriter(input: { id: "w1", name: "Ann" }) { writer { id } } }')
  await first.ask('mutation { createPost(input: { id: "p1", writerId: "w1" }) { post { id } } }')
  expect(await quire(['backup', 'saved/monday.db'], settings)).toMatchObject({ code: 0, out: [expect.stringMatching(/^Backed up to saved\/monday\.db: \d+ bytes, checked/)] })
  expect(await quire(['backup', 'saved/monday.db'], settings)).toMatchObject({ code: 2, err: [expect.stringContaining('saved/monday.db exists')] })
  let session: string | null = null
  for (const to of ['Bea', 'Cleo', 'Dora', 'Eva']) ({ session } = await first.ask(rename(to)))
  expect(await quire(['restore', 'saved/monday.db', '--replace'], settings)).toMatchObject({ code: 2, err: [expect.stringContaining('another process')] })
  expect((await first.ask(name, { 'quire-session': session! })).data.post!.writer.name).toBe('Eva')
  await first.stop()

  expect(await quire(['restore', 'saved/monday.db'], settings)).toMatchObject({ code: 2, err: [expect.stringContaining('--replace')] })
  const restored = await quire(['restore', 'saved/monday.db', '--replace', '--json'], settings)
  expect(restored).toMatchObject({ code: 0, err: [] })
  const { kept } = JSON.parse(restored.out[0]!) as { kept: string }
  expect(readdirSync(folder).filter((each) => each.startsWith('store.db')).toSorted()).toEqual(['store.db', basename(kept)])

  // Nothing of the gateway that ran when the backup was made: it is not registered, and holds no part of the feed.
  const store = await openSqliteStore(join(folder, 'store.db'), [ownLayout])
  expect(await registeredIn(store, 'feed')).toEqual([])
  expect((await readLeases(store)).filter(({ lease }) => lease !== undefined && lease.owner !== '')).toEqual([])
  await store.close()

  const second = await serve()
  expect((await second.ask(name, { 'quire-max-stale-ms': '0' })).data.post!.writer.name).toBe('Ann')
  // As soon as any snapshot is proved, it is enough for the session, too: what that session wrote is gone.
  while ((await second.ask(name, { 'quire-max-stale-ms': '60000' })).from !== 'SNAPSHOT');
  expect(await second.ask(name, { 'quire-session': session! })).toMatchObject({ data: { post: { writer: { name: 'Ann' } } }, from: 'SNAPSHOT' })
  // A new write is seen in its own session, and its position is beyond all that are lost.
  const after = await second.ask(rename('Fay'))
  expect(parseInt(after.session!, 36)).toBeGreaterThan(parseInt(session!, 36))
  expect((await second.ask(name, { 'quire-session': after.session! })).data.post!.writer.name).toBe('Fay')
  await second.stop()
  expect(await quire(['check'], { ...settings, env: { ...settings.env, QUIRE_STORE: `sqlite:${kept}` } })).toMatchObject({ code: 0 })
})

test('only for an embedded store that is there', async () => {
  expect(await quire(['backup', 'copy.db'], settings)).toMatchObject({ code: 2, err: [expect.stringContaining('no store at')] })
  expect(await quire(['backup', 'copy.db'], { ...settings, env: { ...settings.env, QUIRE_STORE: 'memory' } })).toMatchObject({ code: 2, err: [expect.stringContaining('sqlite:PATH')] })
  expect(await quire(['restore', 'copy.db'], { ...settings, env: { ...settings.env, QUIRE_STORE: 'cosmos', COSMOS_ENDPOINT: 'https://x.test' } })).toMatchObject({ code: 2, err: [expect.stringContaining('quire export')] })
  expect(existsSync(join(folder, 'store.db'))).toBe(false)
})
