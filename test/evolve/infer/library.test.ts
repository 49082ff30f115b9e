// The schema that is guessed from the documents of the shipped library, against the shipped one. Everything in which the two differ is
// listed here with its reason; anything else is a mistake.

import { createHash, randomUUID } from 'node:crypto'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CosmosClient } from '@azure/cosmos'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { derive } from '../../../schema/library/derive.ts'
import { checkStore } from '../../../src/evolve/check/check-store.ts'
import { declaredStorage, type DeclaredStorage } from '../../../src/evolve/declared/declared-storage.ts'
import { exportDocuments } from '../../../src/evolve/export/export-documents.ts'
import { inferSchema } from '../../../src/evolve/infer/infer-schema.ts'
import { openExistingFolder } from '../../../src/evolve/profile/folder/existing-folder.ts'
import { profileDatabase } from '../../../src/evolve/profile/profile-database.ts'
import { readSdlFolder } from '../../../src/model/sdl/read-sdl.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { openCosmosStore } from '../../../src/store/cosmos/cosmos-store.ts'
import { openExistingCosmos } from '../../../src/store/cosmos/existing/existing-cosmos.ts'
import type { ExistingDatabase } from '../../../src/store/existing/existing-database.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { openExistingSqlite } from '../../../src/store/sqlite/existing/existing-sqlite.ts'
import type { ContainerLayout, Store } from '../../../src/store/store.ts'
import { writeAll } from '../../../src/store/write-all.ts'
import { sampleDocuments } from '../../library/sample-documents.ts'
import { account } from '../../store/cosmos/local.ts'
import { jsonLines, temporaryFolder } from './folders.ts'

const shipped = readDeclaration(readSdlFolder('schema/library'), derive)
const writes = sampleDocuments(shipped.model)

/** Documents have properties; only people know better names for them. */
const renamed: Readonly<Record<string, string>> = {
  '"vol":{': '"volume":{', '"mktCap":{': '"marketCap":{', '"person":{': '"owner":{', 'Portfolio.person': 'Portfolio.owner',
  EmailContactDetail: 'EmailContact', PhoneContactDetail: 'PhoneContact',
}

/** What the documents do not show. */
const differences: Readonly<Record<string, string>> = {
  'Person.name': 'computed by derive.ts, and copied nowhere',
  'Person.contactDetails': 'its max is a decision; the guess leaves room for twice the longest list',
  'Portfolio.holdings': 'its max is a decision, too',
  'Stock.volume': 'all values of the sample are whole numbers that an Int can hold',
  'Book.year': 'all books of the sample have one',
  'Review.text': 'all reviews of the sample have one',
  'Address.state': 'all addresses of the sample have one',
  'Address.zip': 'all addresses of the sample have one',
  'Stock.symbol': 'That a value is unique among the documents that are there is no promise: @unique is for the author of a schema to declare.',
}

interface Source {
  readonly look: (maxRequests?: number) => Promise<ExistingDatabase>
  /** The store that the documents are in, opened with other containers. */
  readonly open?: (layout: readonly ContainerLayout[]) => Promise<Store>
}

/** Each is filled once. */
const sources: Readonly<Record<string, () => Promise<Source>>> = {
  async sqlite() {
    const file = join(folder, 'library.db')
    await fill(await openSqliteStore(file, shipped.layout))
    return { look: async () => openExistingSqlite(file), open: (layout) => openSqliteStore(file, layout) }
  },
  async folder() {
    const byContainer = Map.groupBy(writes.flatMap((write) => (write.kind === 'put' ? [write] : [])), ({ container }) => container)
    const files = [...byContainer].map(([container, all]) => {
      const documents = all.map(({ body }) => body)
      return container === 'people' ? [`${container}.json`, JSON.stringify(documents, null, 2)] : [`${container}.jsonl`, jsonLines(documents)]
    })
    const data = mkdtempSync(join(folder, 'data-'))
    for (const [name, text] of files) writeFileSync(join(data, name!), text!)
    return { look: () => openExistingFolder(data) }
  },
  async export() {
    const store = await openSqliteStore(':memory:', shipped.layout)
    await writeAll(store, writes)
    const data = mkdtempSync(join(folder, 'export-'))
    await exportDocuments(shipped, store, { append: (file, text) => appendFileSync(join(data, file), text) })
    await store.close()
    return { look: () => openExistingFolder(data) }
  },
  async cosmos() {
    const setting = { ...(await account()), database: `quire-from-${randomUUID()}`, create: true, limits: { deadlineMs: 50_000 } }
    await fill(await openCosmosStore(setting, shipped.layout))
    return { look: (maxRequests = 2000) => openExistingCosmos(setting, maxRequests), open: (layout) => openCosmosStore(setting, layout) }
  },
}

const folder = mkdtempSync(join(tmpdir(), 'quire-from-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function fill(store: Store): Promise<void> {
  await writeAll(store, writes)
  await store.close()
}

const filled = new Map<string, Promise<Source>>()

function sourceOf(name: string): Promise<Source> {
  const known = filled.get(name) ?? sources[name]!()
  filled.set(name, known)
  return known
}

describe.each(Object.keys(sources))('the library on %s', (name) => {
  test('is stored as the shipped schema says, but for what documents do not show', async () => {
    const { found } = await opened(name)
    const { declaration } = inferSchema(await profileDatabase(found), [])
    const text = Object.entries(renamed).reduce((sum, [from, to]) => sum.replaceAll(from, to), JSON.stringify(declaredStorage(declaration.model)))
    expect(differing(JSON.parse(text) as DeclaredStorage, declaredStorage(shipped.model))).toEqual(Object.keys(differences).toSorted())
  })

  test('has the indexes of the shipped schema where the database tells them', async () => {
    const { found } = await opened(name)
    const { declaration } = inferSchema(await profileDatabase(found), [])
    const indexed = ({ model }: typeof shipped) => [...model.documents.values()].flatMap(({ fields, container }) => [...fields.values()].flatMap((field) => (field.indexed && 'at' in field.storage ? [`${container} ${field.storage.at}`] : [])))
    if (name === 'folder' || name === 'export') expect(indexed(declaration)).toContain('books name')
    else expect(indexed(declaration)).toEqual(expect.arrayContaining(indexed(shipped)))
  })

  test('is evidence for what was guessed', async () => {
    const { found } = await opened(name)
    const { sdl, deriveText: computed } = inferSchema(await profileDatabase(found), [])
    expect(commentAbove(sdl, 'authors: [Author!]!')).toMatch(/all 100 values .* ids in authors; name is firstName and lastName.*100 compared/)
    expect(commentAbove(sdl, 'publisher: Publisher ')).toContain('in 96 % of 400 documents')
    expect(commentAbove(sdl, 'books: [Book!]!')).toMatch(/lists those that point here, in all \d+ comparisons/)
    expect(commentAbove(sdl, 'countOfBooks: Int! @counted(relation: "books")')).toMatch(/length of books|number/)
    expect(computed).toContain('name: ({ firstName, lastName }) =>')
  })

  // Last, because Quire lays the containers out for the schema.
  test('passes a check under the guessed schema', async () => {
    const { found, open } = await opened(name)
    const { declaration } = inferSchema(await profileDatabase(found), [])
    const store = await (open ?? ((layout) => openSqliteStore(':memory:', layout)))(declaration.layout)
    onTestFinished(() => store.close())
    if (!open) await writeAll(store, writes)
    const findings = []
    for await (const finding of checkStore(declaration, store)) findings.push(finding)
    expect(findings).toEqual([])
  })
})

test('Cosmos DB tells what reading has cost, and a sample costs less', async () => {
  const { found } = await opened('cosmos')
  const before = found.spent()
  const profile = await profileDatabase(found, { sample: 50 })
  expect(profile.containers.map(({ container, read, total }) => [container.name, read, total])).toContainEqual(['books', 50, 698])
  const spent = found.spent()
  expect(spent.requests - before.requests).toBeLessThan(250)
  expect(spent.requestCharge).toBeGreaterThan(before.requestCharge!)
})

test('reading a Cosmos DB database stops at the max of requests, and what was read until then counts', async () => {
  const { found } = await opened('cosmos', 60)
  const profile = await profileDatabase(found)
  expect(found.spent().requests).toBe(60)
  expect(profile.containers.some(({ read, total }) => read < total!)).toBe(true)
  expect(() => inferSchema(profile, [])).not.toThrow()
})

test('a container is searched for ids, whatever its policy names', async () => {
  const setting = { ...(await account()), database: `quire-from-${randomUUID()}`, create: true, limits: { deadlineMs: 50_000 } }
  const store = await openCosmosStore(setting, shipped.layout)
  await writeAll(store, writes.filter(({ container }) => container === 'people' || container === 'portfolios'))
  await store.close()
  const client = new CosmosClient({ endpoint: setting.endpoint, ...(setting.key === undefined ? {} : { key: setting.key }), connectionPolicy: { enableEndpointDiscovery: false } })
  const people = client.database(setting.database).container('people')
  const { resource } = await people.read()
  await people.replace({ ...resource!, indexingPolicy: { automatic: true, indexingMode: 'consistent', includedPaths: [{ path: '/lastName/?' }], excludedPaths: [{ path: '/*' }] } })
  client.dispose()
  const found = await openExistingCosmos(setting, 2000)
  onTestFinished(() => found.close())
  // https://learn.microsoft.com/azure/cosmos-db/index-policy: id is always indexed, and no policy names it.
  expect((await profileDatabase(found)).pointers).not.toEqual([])
})

test('a SQLite file is not changed, and nothing appears beside it', async () => {
  const own = temporaryFolder()
  const file = join(own, 'library.db')
  await fill(await openSqliteStore(file, shipped.layout))
  const before = createHash('sha256').update(readFileSync(file)).digest('hex')
  const found = openExistingSqlite(file)
  await profileDatabase(found)
  expect(readdirSync(own)).toEqual(['library.db'])
  await found.close()
  expect(createHash('sha256').update(readFileSync(file)).digest('hex')).toBe(before)
  expect(readdirSync(own)).toEqual(['library.db'])
})

test('documents that are only in the write-ahead log of a running gateway are found', async () => {
  const file = join(temporaryFolder(), 'library.db')
  const store = await openSqliteStore(file, shipped.layout)
  onTestFinished(() => store.close())
  await writeAll(store, writes)
  const found = openExistingSqlite(file)
  onTestFinished(() => found.close())
  expect(found.containers.find(({ name }) => name === 'authors')?.documents).toBe(120)
})

async function opened(name: string, maxRequests?: number): Promise<{ found: ExistingDatabase; open: Source['open'] }> {
  const { look, open } = await sourceOf(name)
  const found = await look(maxRequests)
  onTestFinished(() => found.close())
  return { found, open }
}

/** The types and fields in which two schemas differ. */
function differing(one: DeclaredStorage, other: DeclaredStorage): string[] {
  const [left, right] = [flat(one), flat(other)]
  return [...new Set([...left.keys(), ...right.keys()])].filter((name) => left.get(name) !== right.get(name)).toSorted()
}

function flat({ documents, contained }: DeclaredStorage): Map<string, string> {
  return new Map(Object.entries({ ...contained, ...documents }).flatMap(([type, { fields, ...rest }]) => [
    [type, JSON.stringify(rest)] as const,
    ...Object.entries(fields).map(([name, field]) => [`${type}.${name}`, JSON.stringify(field)] as const),
  ]))
}

/** The comment above a field, in one line. */
function commentAbove(sdl: string, field: string): string {
  const lines = sdl.split('\n')
  const at = lines.findIndex((line) => line.includes(field))
  expect(at, field).toBeGreaterThan(-1)
  const above = lines.slice(0, at).toReversed()
  return above.slice(0, above.findIndex((line) => !line.trimStart().startsWith('#'))).toReversed().map((line) => line.trim().slice(2)).join(' ')
}
