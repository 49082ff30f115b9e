// `quire migrate` as a process beside gateways that run, and on Cosmos DB.

import { once } from 'node:events'
import { join } from 'node:path'
import { CosmosClient } from '@azure/cosmos'
import { expect, test } from 'vitest'
import { startCosmosEmulator } from '../../src/emulator/cosmos-emulator.ts'
import { migratedZoo, sdl } from './migrated-zoo.ts'
import { linesFrom, quire as runQuire, startQuire, type Ran } from './quire.ts'

const zoo = migratedZoo()

test('undoing a migration needs the schema that it led to and no gateway, and leaves nothing by which documents would be removed', async () => {
  const moved = sdl.replace('"cages"', '"pens"')
  const file = join(zoo.folder, 'taken.jsonl')
  zoo.save(moved)
  expect(await zoo.quire('migrate', '--apply', '--save', file)).toMatchObject({ code: 0 })
  zoo.save(sdl)
  expect(await zoo.quire('check', '--undo', file)).toMatchObject({ code: 2, err: [expect.stringContaining('"pens"')] })
  zoo.save(moved)
  const started = startQuire(['start'], { cwd: zoo.folder, env: { QUIRE_SCHEMA: zoo.folder, QUIRE_STORE: `sqlite:${join(zoo.folder, 'zoo.db')}`, PORT: '0' } })
  try {
    const next = linesFrom(started)
    for (let line = ''; !line.includes('http://');) line = await next()
    expect(await zoo.quire('check', '--undo', file)).toMatchObject({ code: 2, err: [expect.stringContaining('a gateway runs')] })
  } finally {
    started.kill('SIGTERM')
    await once(started, 'close')
  }
  expect(await zoo.quire('check', '--undo', file)).toMatchObject({ code: 0 })
  expect(await zoo.quire('migrate', '--finish')).toMatchObject({ code: 0, out: [expect.stringContaining('0 old documents')] })
  zoo.save(sdl)
  expect(await zoo.quire('check')).toMatchObject({ code: 0, out: ['Checked 2 documents: no findings.'] })
  expect(await zoo.quire('migrate')).toMatchObject({ code: 0 })
}, 60_000)

test('while a gateway serves: a renamed field is migrated beside it, and the end waits for it', async () => {
  const started = startQuire(['start'], { cwd: zoo.folder, env: { QUIRE_SCHEMA: zoo.folder, QUIRE_STORE: `sqlite:${join(zoo.folder, 'zoo.db')}`, PORT: '0' } })
  const next = linesFrom(started)
  try {
    for (let line = ''; !line.includes('http://');) line = await next()
    zoo.save(sdl.replace('label', 'name'))
    expect(await zoo.quire('migrate', '--renamed', 'Cage.label=name')).toMatchObject({ code: 1, out: [expect.any(String), expect.any(String), expect.any(String), expect.stringContaining('Gateways can go on')] })
    expect(await zoo.quire('migrate', '--apply', '--renamed', 'Cage.label=name', '--save', join(zoo.folder, 'taken.jsonl'))).toMatchObject({ code: 0, out: [expect.any(String), expect.any(String), expect.any(String), expect.stringMatching(/both forms.*--finish/)] })
    expect(await zoo.quire('check', '--repair')).toMatchObject({ code: 2, err: [expect.stringContaining('--finish')] })
    expect(await zoo.quire('migrate', '--finish')).toMatchObject({ code: 2, err: [expect.stringContaining('a gateway of the old schema runs')] })
  } finally {
    started.kill('SIGTERM')
    await once(started, 'close')
  }
  expect(await zoo.quire('migrate', '--finish', '--save', join(zoo.folder, 'finished.jsonl'))).toMatchObject({ code: 0, out: [expect.stringContaining('2 old documents')] })
  expect(await zoo.quire('check')).toMatchObject({ code: 0 })
}, 60_000)

test('while a gateway serves: another form in the same container, and every command finds the documents afterwards', async () => {
  const started = [startQuire(['start'], { cwd: zoo.folder, env: { QUIRE_SCHEMA: zoo.folder, QUIRE_STORE: `sqlite:${join(zoo.folder, 'zoo.db')}`, PORT: '0' } })]
  const file = join(zoo.folder, 'taken.jsonl')
  try {
    const next = linesFrom(started[0]!)
    for (let line = ''; !line.includes('http://');) line = await next()
    zoo.save(sdl.replace('places: Int', 'places: String'))
    expect(await zoo.quire('migrate', '--apply', '--save', file)).toMatchObject({ code: 0, out: [expect.any(String), expect.any(String), expect.any(String), expect.stringMatching(/2 documents rewritten.*--finish/)] })
    const after = startQuire(['start'], { cwd: zoo.folder, env: { QUIRE_SCHEMA: zoo.folder, QUIRE_STORE: `sqlite:${join(zoo.folder, 'zoo.db')}`, PORT: '0', QUIRE_OPEN_READS: 'true' } })
    started.push(after)
    const lines = linesFrom(after)
    let address = ''
    while (!address.includes('http://')) address = await lines()
    expect(await zoo.quire('check', '--undo', file)).toMatchObject({ code: 2 })
  } finally {
    for (const each of started) {
      each.kill('SIGTERM')
      await once(each, 'close')
    }
  }
  expect(await zoo.quire('migrate', '--finish', '--save', join(zoo.folder, 'finished.jsonl'))).toMatchObject({ code: 0, out: [expect.stringContaining('2 old documents')] })
  expect(await zoo.quire('check')).toMatchObject({ code: 0, out: ['Checked 2 documents: no findings.'] })
  expect(await zoo.quire('export', '--out', join(zoo.folder, 'exported'))).toMatchObject({ code: 0, out: ['Cage.jsonl: 2 documents', expect.any(String)] })
  expect(await zoo.quire('import', join(zoo.folder, 'exported'))).toMatchObject({ code: 0, out: [expect.stringContaining('0 documents created')] })
  // And back, without a gateway, where they are now.
  zoo.save(sdl)
  expect(await zoo.quire('migrate', '--apply', '--save', join(zoo.folder, 'back.jsonl'))).toMatchObject({ code: 0 })
  expect(await zoo.quire('check')).toMatchObject({ code: 0, out: ['Checked 2 documents: no findings.'] })
}, 60_000)

test('on Cosmos DB a plan creates nothing, and --apply creates the containers and indexes that it needs', async () => {
  const server = await startCosmosEmulator({ partitions: 1 })
  const client = new CosmosClient({ endpoint: server.endpoint, key: server.key, connectionPolicy: { enableEndpointDiscovery: false } })
  const env = { QUIRE_SCHEMA: zoo.folder, QUIRE_STORE: 'cosmos', COSMOS_ENDPOINT: server.endpoint, COSMOS_KEY: server.key, COSMOS_DATABASE: 'zoo', PORT: '0' }
  const run = (...args: string[]): Promise<Ran> => runQuire(args, { cwd: zoo.folder, env })
  const containers = async (): Promise<string[]> => (await client.database('zoo').containers.readAll().fetchAll()).resources.map(({ id }) => id).toSorted()
  try {
    expect(await run('migrate')).toMatchObject({ code: 2, err: [expect.stringContaining('The database "zoo" is missing')] })
    expect(await run('import', join(zoo.folder, 'mapping.json'), '--from', zoo.folder)).toMatchObject({ code: 0 })
    expect(await containers()).toEqual(['cages', 'quire'])

    zoo.save(sdl.replace('"cages"', '"pens"').replace('label: String!', 'label: String! @indexed'))
    expect(await run('migrate')).toMatchObject({ code: 1, out: [expect.stringMatching(/"cages".*"pens".*2 documents/), expect.any(String), expect.any(String), expect.stringContaining('1 step')], err: [] })
    expect(await containers()).toEqual(['cages', 'quire'])
    expect(await run('migrate', '--apply', '--save', join(zoo.folder, 'moved.jsonl'))).toMatchObject({ code: 0, out: [expect.any(String), expect.any(String), expect.any(String), expect.stringMatching(/2 documents rewritten.*--finish/)] })
    expect(await containers()).toEqual(['cages', 'pens', 'quire'])
    expect(await run('migrate', '--finish', '--save', join(zoo.folder, 'finished.jsonl'))).toMatchObject({ code: 0, out: [expect.stringContaining('2 old documents removed')] })

    // As beside a gateway, whose documents stay where it reads them.
    zoo.save(sdl.replace('"cages"', '"pens"').replace('places: Int', 'places: String @indexed'))
    expect(await run('migrate')).toMatchObject({ code: 1, out: [expect.stringMatching(/Cage\.places was Int and is String/), expect.any(String), expect.any(String), expect.any(String)], err: [] })
    expect(await containers()).toEqual(['cages', 'pens', 'quire'])
    expect(await run('migrate', '--apply', '--online', '--save', join(zoo.folder, 'text.jsonl'))).toMatchObject({ code: 0, out: [expect.any(String), expect.any(String), expect.any(String), expect.stringMatching(/2 documents rewritten.*--finish/)] })
    expect(await containers()).toEqual(['cages', 'pens', 'pens-2', 'quire'])
    expect(await run('migrate', '--finish', '--save', join(zoo.folder, 'last.jsonl'))).toMatchObject({ code: 0, out: [expect.stringContaining('2 old documents')] })
    expect(await run('migrate')).toMatchObject({ code: 0, err: [] })
    expect(await run('check')).toMatchObject({ code: 0, out: ['Checked 2 documents: no findings.'] })
  } finally {
    client.dispose()
    await server.close()
  }
}, 180_000)
