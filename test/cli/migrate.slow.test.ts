// `quire migrate` as a process beside gateways that run, and on Cosmos DB.

import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CosmosClient } from '@azure/cosmos'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startCosmosEmulator } from '../../src/emulator/cosmos-emulator.ts'
import { linesFrom, quire as runQuire, startQuire, type Ran } from './quire.ts'

const sdl = 'type Cage @document(container: "cages") { id: ID! label: String! places: Int }'

let folder: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quire-migrate-'))
  save(sdl)
  writeFileSync(join(folder, 'cages.csv'), 'id,label,places\nc1,One,1\nc2,Two,2\n')
  writeFileSync(join(folder, 'mapping.json'), JSON.stringify({ documents: [{ file: 'cages.csv', type: 'Cage', id: 'id', fields: { label: 'label', places: 'places' } }] }))
  expect(await quire('import', join(folder, 'mapping.json'), '--from', folder)).toMatchObject({ code: 0 })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const save = (schema: string): void => writeFileSync(join(folder, 'zoo.graphql'), schema)

function quire(...args: string[]): Promise<Ran> {
  return runQuire(args, { cwd: folder, env: { QUIRE_SCHEMA: folder, QUIRE_STORE: `sqlite:${join(folder, 'zoo.db')}`, PORT: '0' } })
}

test('undoing a migration needs the schema that it led to and no gateway, and leaves nothing by which documents would be removed', async () => {
  const moved = sdl.replace('"cages"', '"pens"')
  const file = join(folder, 'taken.jsonl')
  save(moved)
  expect(await quire('migrate', '--apply', '--save', file)).toMatchObject({ code: 0 })
  save(sdl)
  expect(await quire('check', '--undo', file)).toMatchObject({ code: 2, err: [expect.stringContaining('"pens"')] })
  save(moved)
  const started = startQuire(['start'], { cwd: folder, env: { QUIRE_SCHEMA: folder, QUIRE_STORE: `sqlite:${join(folder, 'zoo.db')}`, PORT: '0' } })
  try {
    const next = linesFrom(started)
    for (let line = ''; !line.includes('http://');) line = await next()
    expect(await quire('check', '--undo', file)).toMatchObject({ code: 2, err: [expect.stringContaining('a gateway runs')] })
  } finally {
    started.kill('SIGTERM')
    await once(started, 'close')
  }
  expect(await quire('check', '--undo', file)).toMatchObject({ code: 0 })
  expect(await quire('migrate', '--finish')).toMatchObject({ code: 0, out: [expect.stringContaining('0 old documents')] })
  save(sdl)
  expect(await quire('check')).toMatchObject({ code: 0, out: ['Checked 2 documents: no findings.'] })
  expect(await quire('migrate')).toMatchObject({ code: 0 })
}, 60_000)

test('while a gateway serves: a renamed field is migrated beside it, and the end waits for it', async () => {
  const started = startQuire(['start'], { cwd: folder, env: { QUIRE_SCHEMA: folder, QUIRE_STORE: `sqlite:${join(folder, 'zoo.db')}`, PORT: '0' } })
  const next = linesFrom(started)
  try {
    for (let line = ''; !line.includes('http://');) line = await next()
    save(sdl.replace('label', 'name'))
    expect(await quire('migrate', '--renamed', 'Cage.label=name')).toMatchObject({ code: 1, out: [expect.any(String), expect.any(String), expect.any(String), expect.stringContaining('Gateways can go on')] })
    expect(await quire('migrate', '--apply', '--renamed', 'Cage.label=name', '--save', join(folder, 'taken.jsonl'))).toMatchObject({ code: 0, out: [expect.any(String), expect.any(String), expect.any(String), expect.stringMatching(/both forms.*--finish/)] })
    expect(await quire('check', '--repair')).toMatchObject({ code: 2, err: [expect.stringContaining('--finish')] })
    expect(await quire('migrate', '--finish')).toMatchObject({ code: 2, err: [expect.stringContaining('a gateway of the old schema runs')] })
  } finally {
    started.kill('SIGTERM')
    await once(started, 'close')
  }
  expect(await quire('migrate', '--finish', '--save', join(folder, 'finished.jsonl'))).toMatchObject({ code: 0, out: [expect.stringContaining('2 old documents')] })
  expect(await quire('check')).toMatchObject({ code: 0 })
}, 60_000)

test('while a gateway serves: another form in the same container, and every command finds the documents afterwards', async () => {
  const started = [startQuire(['start'], { cwd: folder, env: { QUIRE_SCHEMA: folder, QUIRE_STORE: `sqlite:${join(folder, 'zoo.db')}`, PORT: '0' } })]
  const file = join(folder, 'taken.jsonl')
  try {
    const next = linesFrom(started[0]!)
    for (let line = ''; !line.includes('http://');) line = await next()
    save(sdl.replace('places: Int', 'places: String'))
    expect(await quire('migrate', '--apply', '--save', file)).toMatchObject({ code: 0, out: [expect.any(String), expect.any(String), expect.any(String), expect.stringMatching(/2 documents rewritten.*--finish/)] })
    const after = startQuire(['start'], { cwd: folder, env: { QUIRE_SCHEMA: folder, QUIRE_STORE: `sqlite:${join(folder, 'zoo.db')}`, PORT: '0', QUIRE_OPEN_READS: 'true' } })
    started.push(after)
    const lines = linesFrom(after)
    let address = ''
    while (!address.includes('http://')) address = await lines()
    expect(await quire('check', '--undo', file)).toMatchObject({ code: 2 })
  } finally {
    for (const each of started) {
      each.kill('SIGTERM')
      await once(each, 'close')
    }
  }
  expect(await quire('migrate', '--finish', '--save', join(folder, 'finished.jsonl'))).toMatchObject({ code: 0, out: [expect.stringContaining('2 old documents')] })
  expect(await quire('check')).toMatchObject({ code: 0, out: ['Checked 2 documents: no findings.'] })
  expect(await quire('export', '--out', join(folder, 'exported'))).toMatchObject({ code: 0, out: ['Cage.jsonl: 2 documents', expect.any(String)] })
  expect(await quire('import', join(folder, 'exported'))).toMatchObject({ code: 0, out: [expect.stringContaining('0 documents created')] })
  // And back, without a gateway, where they are now.
  save(sdl)
  expect(await quire('migrate', '--apply', '--save', join(folder, 'back.jsonl'))).toMatchObject({ code: 0 })
  expect(await quire('check')).toMatchObject({ code: 0, out: ['Checked 2 documents: no findings.'] })
}, 60_000)

test('on Cosmos DB a plan creates nothing, and --apply creates the containers and indexes that it needs', async () => {
  const server = await startCosmosEmulator({ partitions: 1 })
  const client = new CosmosClient({ endpoint: server.endpoint, key: server.key, connectionPolicy: { enableEndpointDiscovery: false } })
  const env = { QUIRE_SCHEMA: folder, QUIRE_STORE: 'cosmos', COSMOS_ENDPOINT: server.endpoint, COSMOS_KEY: server.key, COSMOS_DATABASE: 'zoo', PORT: '0' }
  const run = (...args: string[]): Promise<Ran> => runQuire(args, { cwd: folder, env })
  const containers = async (): Promise<string[]> => (await client.database('zoo').containers.readAll().fetchAll()).resources.map(({ id }) => id).toSorted()
  try {
    expect(await run('migrate')).toMatchObject({ code: 2, err: [expect.stringContaining('The database "zoo" is missing')] })
    expect(await run('import', join(folder, 'mapping.json'), '--from', folder)).toMatchObject({ code: 0 })
    expect(await containers()).toEqual(['cages', 'quire'])

    save(sdl.replace('"cages"', '"pens"').replace('label: String!', 'label: String! @indexed'))
    expect(await run('migrate')).toMatchObject({ code: 1, out: [expect.stringMatching(/"cages".*"pens".*2 documents/), expect.any(String), expect.any(String), expect.stringContaining('1 step')], err: [] })
    expect(await containers()).toEqual(['cages', 'quire'])
    expect(await run('migrate', '--apply', '--save', join(folder, 'moved.jsonl'))).toMatchObject({ code: 0, out: [expect.any(String), expect.any(String), expect.any(String), expect.stringMatching(/2 documents rewritten.*--finish/)] })
    expect(await containers()).toEqual(['cages', 'pens', 'quire'])
    expect(await run('migrate', '--finish', '--save', join(folder, 'finished.jsonl'))).toMatchObject({ code: 0, out: [expect.stringContaining('2 old documents removed')] })

    // As beside a gateway, whose documents stay where it reads them.
    save(sdl.replace('"cages"', '"pens"').replace('places: Int', 'places: String @indexed'))
    expect(await run('migrate')).toMatchObject({ code: 1, out: [expect.stringMatching(/Cage\.places was Int and is String/), expect.any(String), expect.any(String), expect.any(String)], err: [] })
    expect(await containers()).toEqual(['cages', 'pens', 'quire'])
    expect(await run('migrate', '--apply', '--online', '--save', join(folder, 'text.jsonl'))).toMatchObject({ code: 0, out: [expect.any(String), expect.any(String), expect.any(String), expect.stringMatching(/2 documents rewritten.*--finish/)] })
    expect(await containers()).toEqual(['cages', 'pens', 'pens-2', 'quire'])
    expect(await run('migrate', '--finish', '--save', join(folder, 'last.jsonl'))).toMatchObject({ code: 0, out: [expect.stringContaining('2 old documents')] })
    expect(await run('migrate')).toMatchObject({ code: 0, err: [] })
    expect(await run('check')).toMatchObject({ code: 0, out: ['Checked 2 documents: no findings.'] })
  } finally {
    client.dispose()
    await server.close()
  }
}, 180_000)
