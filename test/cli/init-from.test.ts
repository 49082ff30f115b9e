// `quire init --from` as a process: the project that it writes serves the documents that were there, and the source stays as it is.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { settledEnvironment } from '../../src/config/config-file.ts'
import { openGateway } from '../../src/serve/open-gateway.ts'
import { openLog } from '../../src/serve/open-log.ts'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import { jsonLines, temporaryFolder } from '../evolve/infer/folders.ts'
import { startCosmosEmulator } from '../../src/emulator/cosmos-emulator.ts'
import { openCosmosStore } from '../../src/store/cosmos/cosmos-store.ts'
import { linkPackage } from './link-package.ts'
import { quire } from './quire.ts'

let folder: string
let project: string
beforeEach(() => {
  folder = temporaryFolder()
  project = join(folder, 'project')
})

function data(files: Readonly<Record<string, string>>): string {
  const path = join(folder, 'data')
  mkdirSync(path)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text)
  return path
}

/** Asks the written project, with its own settings. */
async function ask(query: string, env: Record<string, string> = {}): Promise<unknown> {
  if (!existsSync(join(project, 'node_modules'))) linkPackage(project)
  const config = readConfig(await settledEnvironment({ NODE_ENV: 'development', ...env }, {}, project))
  const gateway = await openGateway(config, await readSchemaFolder(config.schemaFolder), openLog(config))
  const response = await gateway.fetch('http://quire/graphql', { method: 'POST', headers: { 'content-type': 'application/json', 'quire-trace': '0' }, body: JSON.stringify({ query }) })
  const answer: unknown = await response.json()
  await gateway.dispose()
  return answer
}

const rooms = Array.from({ length: 12 }, (_, at) => ({ id: `r${at}`, name: `Room ${at}`, hotelId: `h${at % 3}`, guest: { id: `g${at % 4}`, name: `Guest ${at % 4}` } }))
const guests = Array.from({ length: 4 }, (_, at) => ({ id: `g${at}`, name: `Guest ${at}`, born: '1990-01-02' }))
const hotels = Array.from({ length: 3 }, (_, at) => ({ id: `h${at}`, name: `Hotel ${at}`, countOfRooms: 4 }))
const hotelFiles = { 'rooms.jsonl': jsonLines(rooms), 'guests.json': JSON.stringify(guests), 'hotels.json': JSON.stringify(hotels, null, 2) }

describe('from a folder', () => {
  test('of JSON: the project serves copies of the documents, and a check finds nothing', async () => {
    const from = data(hotelFiles)
    const { code, out, err } = await quire(['init', project, '--from', from, '--port', '4321'])
    expect([code, err]).toEqual([0, []])
    expect(out.slice(0, 3)).toEqual([
      'Read 19 documents of 3 containers.',
      'Found 3 document types: 1 reference, 1 snapshot, 2 reverses, 1 count.',
      'Copied 19 documents into sqlite:.quire/documents.db.',
    ])
    expect(await ask('{ rooms(first: 1) { nodes { name hotel { name countOfRooms rooms { totalCount } } guest { name born } } } }')).toEqual({ data: { rooms: { nodes: [{ name: 'Room 0', hotel: { name: 'Hotel 0', countOfRooms: 4, rooms: { totalCount: 4 } }, guest: { name: 'Guest 0', born: '1990-01-02' } }] } } })
    expect(await ask(readFileSync(join(project, 'schema/operations/first-steps.graphql'), 'utf8'))).toHaveProperty('data.rooms')
    expect(await quire(['check'], { cwd: project })).toMatchObject({ code: 0, out: ['Checked 19 documents: no findings.'] })
    expect(await quire(['codegen', '--check'], { cwd: project })).toEqual({ code: 0, out: [], err: [] })
    expect(await quire(['migrate'], { cwd: project })).toMatchObject({ code: 0 })
  })

  test('of CSV, with names, empty cells, codes and ids as real tables have them', async () => {
    const items = Array.from({ length: 60 }, (_, at) => `${isbn(at)},"Title, ""${at}""",${1950 + at},${at % 5 === 0 ? '' : `Maker ${at % 7}`}`)
    const users = Array.from({ length: 40 }, (_, at) => `${1000 + at},city ${at % 9},${at % 3 === 0 ? '' : 20 + at}`)
    const ratings = Array.from({ length: 200 }, (_, at) => `${1000 + (at % 40)},${isbn((at * 13) % 60)},${at % 11}`)
    const from = data({ 'items.csv': ['ISBN,Item-Title,Year-Made,Item-Maker', ...items].join('\r\n'), 'users.csv': ['User-ID,User-City,User-Age', ...users].join('\n'), 'ratings.csv': ['User-ID,ISBN,Item-Rating', ...ratings].join('\n') })
    expect(await quire(['init', project, '--from', from])).toMatchObject({ code: 0, err: [] })
    const sdl = readFileSync(join(project, 'schema/schema.graphql'), 'utf8')
    expect(sdl).toContain('itemTitle: String! @stored(at: "Item-Title")')
    expect(sdl).toContain('yearMade: Int! @stored(at: "Year-Made")')
    expect(sdl).toContain('itemMaker: String @stored(at: "Item-Maker")')
    expect(sdl).toContain('user: User! @reference(at: "User-ID")')
    expect(sdl).toContain('item: Item! @reference(at: "ISBN")')
    expect(sdl).toContain('itemRating: Int! @stored(at: "Item-Rating")')
    expect(await ask(`{ item(id: "${isbn(0)}") { itemTitle ratings(first: 1) { totalCount nodes { user { userCity userAge } } } } users { totalCount } }`)).toEqual({ data: { item: { itemTitle: 'Title, "0"', ratings: { totalCount: 4, nodes: [{ user: { userCity: 'city 0', userAge: null } }] } }, users: { totalCount: 40 } } })
    expect(await quire(['check'], { cwd: project })).toMatchObject({ code: 0 })
  })

  test('unreadable documents are counted, and the others are served', async () => {
    const from = data({ 'rooms.jsonl': '{"id":"r1","beds":1}\n{"id":"r2","beds":\n{"id":"r3","beds":3}\n' })
    const { code, out } = await quire(['init', project, '--from', from])
    expect([code, out[2]]).toEqual([0, 'rooms.jsonl: 1 document cannot be read and is left out.'])
    expect(await ask('{ rooms { nodes { id beds } } }')).toEqual({ data: { rooms: { nodes: [{ id: 'r1', beds: 1 }, { id: 'r3', beds: 3 }] } } })
  })
})

describe('from SQLite', () => {
  test('a file of Quire is served where it is', async () => {
    const from = data(hotelFiles)
    expect(await quire(['init', join(folder, 'first'), '--from', from])).toMatchObject({ code: 0 })
    const file = join(folder, 'first/.quire/documents.db')
    const before = hashOf(file)
    const { code, out } = await quire(['init', project, '--from', `sqlite:${file}`])
    expect([code, out.some((line) => line.startsWith('Copied'))]).toEqual([0, false])
    expect(hashOf(file)).toBe(before)
    expect(readFileSync(join(project, 'quire.config.ts'), 'utf8')).toContain("store: 'sqlite:../first/.quire/documents.db'")
    expect(await ask('{ hotels { nodes { name rooms { totalCount } } } }')).toMatchObject({ data: { hotels: { nodes: [{ name: 'Hotel 0', rooms: { totalCount: 4 } }, {}, {}] } } })
    expect(await quire(['check'], { cwd: project })).toMatchObject({ code: 0 })
  })

  test('tables of others are copied: a column of JSON, or whole rows', async () => {
    const file = join(folder, 'other.db')
    const other = new DatabaseSync(file)
    other.exec('CREATE TABLE guests (key INTEGER PRIMARY KEY, data TEXT); CREATE TABLE rooms (id INTEGER PRIMARY KEY, guest_id TEXT, price REAL, big INTEGER, picture BLOB) ; CREATE INDEX by_price ON rooms (price)')
    for (const guest of guests) other.prepare('INSERT INTO guests (data) VALUES (?)').run(JSON.stringify(guest))
    for (let room = 1; room <= 8; room++) other.prepare('INSERT INTO rooms VALUES (?, ?, ?, 9007199254740993, x\'0102\')').run(room, `g${room % 4}`, room + 0.5)
    other.close()
    const before = hashOf(file)
    expect(await quire(['init', project, '--from', `sqlite:${file}`])).toMatchObject({ code: 0, err: [] })
    expect(hashOf(file)).toBe(before)
    expect(await ask('{ rooms(first: 2, orderBy: { field: PRICE, direction: DESC }) { nodes { id price big guest { name } } } }')).toEqual({ data: { rooms: { nodes: [{ id: '8', price: 8.5, big: '9007199254740993', guest: { name: 'Guest 0' } }, { id: '7', price: 7.5, big: '9007199254740993', guest: { name: 'Guest 3' } }] } } })
    expect(await quire(['check'], { cwd: project })).toMatchObject({ code: 0 })
  })
})

test('from Cosmos DB: a sample is read, and its cost is told', async () => {
  const server = await startCosmosEmulator({ partitions: 3 })
  const env = { COSMOS_ENDPOINT: server.endpoint, COSMOS_KEY: server.key, COSMOS_DATABASE: 'hotel' }
  const store = await openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'hotel', create: true }, [{ name: 'rooms', partitionKey: [['hotelId']], indexes: [{ orderBy: ['name'] }] }, { name: 'hotels', partitionKey: [['id']], indexes: [] }])
  await Promise.all([...rooms.map((body) => store.write([{ kind: 'put', container: 'rooms', key: { partition: [body.hotelId], id: body.id }, body }])), ...hotels.map((body) => store.write([{ kind: 'put', container: 'hotels', key: { partition: [body.id], id: body.id }, body }]))])
  await store.close()
  const { code, out, err } = await quire(['init', project, '--from', 'cosmos', '--sample', '6'], { env })
  expect([code, err]).toEqual([0, []])
  expect(out[0]).toMatch(/^Read 9 documents of 2 containers, a sample of rooms \(6 of 12\)\. It took \d+ requests and \d+ RU\.$/)
  expect(readFileSync(join(project, 'schema/schema.graphql'), 'utf8')).toContain('type Room @document(container: "rooms", partitionKey: "/hotelId")')
  expect(readFileSync(join(project, 'quire.config.ts'), 'utf8')).toContain("cosmosDatabase: 'hotel'")
  // The first start adds the indexes that the schema needs.
  expect(await ask('{ rooms(first: 1, filter: { hotelId: { eq: "h1" } }, orderBy: { field: NAME }) { nodes { name hotel { name } } } }', env)).toEqual({ data: { rooms: { nodes: [{ name: 'Room 1', hotel: { name: 'Hotel 1' } }] } } })
  expect(await quire(['check'], { cwd: project, env })).toMatchObject({ code: 0, out: ['Checked 15 documents: no findings.'] })
  await server.close()
})

describe('what it refuses writes nothing', () => {
  test.each([
    [['--from', 'nowhere'], 'There is no folder nowhere.'],
    [['--from', 'sqlite:nowhere.db'], 'There is no file nowhere.db.'],
    [['--from', 'cosmos'], 'COSMOS_ENDPOINT is not set'],
    [['--from', 'data', '--types', 'A,B'], '--types cannot be combined with --from'],
    [['--from', 'data', '--sample', 'some'], '--sample is "some"'],
    [['--from', 'data', '--store', 'memory'], '--store is memory'],
    [['--sample', '5'], '--sample belongs to --from'],
  ])('%s', async (args, says) => {
    data(hotelFiles)
    const { code, err } = await quire(['init', 'project', ...args], { cwd: folder })
    expect([code, err.join(' ')]).toEqual([2, expect.stringContaining(says)])
    expect(existsSync(project)).toBe(false)
  })

  test('a schema that exists is kept, unless --force says otherwise', async () => {
    data(hotelFiles)
    expect(await quire(['init', '--from', 'data', '--out', 'schema'], { cwd: folder })).toMatchObject({ code: 0 })
    writeFileSync(join(folder, 'schema/schema.graphql'), '# mine')
    expect(await quire(['init', '--from', 'data', '--out', 'schema'], { cwd: folder })).toMatchObject({ code: 2 })
    expect(readFileSync(join(folder, 'schema/schema.graphql'), 'utf8')).toBe('# mine')
    expect(await quire(['init', '--from', 'data', '--out', 'schema', '--force'], { cwd: folder })).toMatchObject({ code: 0 })
    expect(readFileSync(join(folder, 'schema/schema.graphql'), 'utf8')).toContain('type Hotel @document')
  })
})

/** A code of ten characters, some of which end in a letter. */
function isbn(at: number): string {
  return `00${(1_000_000 + at * 7919) % 99_999_999}`.padEnd(9, '3') + (at % 4 === 0 ? 'X' : '1')
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
