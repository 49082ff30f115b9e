// A schema that declares more snapshots, lists or counts than before: they are looked up until a repair has stored them.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { checkStore } from '../../src/evolve/check/check-store.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import type { Body } from '../../src/model/json/json.ts'
import type { Derive } from '../../src/relations/kind.ts'
import { withTexts } from '../../src/relations/values/function-texts.ts'
import { createLog } from '../../src/observe/log/log.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { confirmSnapshots } from '../../src/evolve/stored-snapshots.ts'
import { openCosmosTestStore } from '../store/cosmos/local.ts'
import { openGateway, type Ask } from '../harness.ts'

const directory = mkdtempSync(join(tmpdir(), 'quire-copies-'))
afterAll(() => rmSync(directory, { recursive: true }))

interface Schema {
  readonly keeper: string
  readonly keepers?: string
}

const sdl = ({ keeper, keepers = '' }: Schema) => `
  type Cage @document(container: "cages") { id: ID!  name: String!  keeper: Keeper ${keeper} }
  type Keeper @document(container: "keepers") { id: ID!  name: String!  phone: String  cages: CageConnection! @reverse(of: "Cage.keeper") ${keepers} }`

const named = '@snapshot(at: "keeper", fields: ["name"])'
const withPhone = '@snapshot(at: "keeper", fields: ["name", "phone"])'
const counting = 'countOfCages: Int! @counted(relation: "cages")'

/** The same documents under one schema after the other. */
async function open(file: string, schema: Schema, warned: string[] = []): Promise<Ask> {
  const warn = (_: object, line: string) => void warned.push(line)
  return openGateway({ typeDefs: sdl(schema), store: (layout) => openSqliteStore(file, layout), log: { ...createLog({ level: 'silent', readable: false }), warn, isLevelEnabled: () => false } })
}

async function repair(file: string, schema: Schema): Promise<void> {
  const declaration = readDeclaration(sdl(schema))
  const store: Store = await openSqliteStore(file, declaration.layout)
  await Array.fromAsync(checkStore(declaration, store, { repair: true }))
  await confirmSnapshots(declaration, store)
  await store.close()
}

async function fill(file: string, schema: Schema): Promise<void> {
  const ask = await open(file, schema)
  await ask('mutation { createKeeper(input: { id: "k1", name: "Kim", phone: "1" }) { keeper { id } } }')
  await ask('mutation { createCage(input: { id: "c1", name: "One", keeperId: "k1" }) { cage { id } } }')
  await ask.close()
}

const phone = '{ cage(id: "c1") { keeper { name phone } } }'
const count = '{ keeper(id: "k1") { countOfCages } }'

describe('a field that is added to a snapshot later', () => {
  const file = join(directory, 'field.db')

  test('is looked up until every snapshot has it, and a warning says so', async () => {
    await fill(file, { keeper: named })
    const warned: string[] = []
    const ask = await open(file, { keeper: withPhone }, warned)
    const { data, report } = await ask(phone)
    expect(data).toEqual({ cage: { keeper: { name: 'Kim', phone: '1' } } })
    expect(report.relations[0]).toMatchObject({ from: 'REFERENCE', because: 'phone is not copied' })
    expect((await ask('{ cage(id: "c1") { keeper { name } } }')).report.relations[0]!.from).toBe('SNAPSHOT')
    expect(warned).toEqual([expect.stringMatching(/^Cage\.keeper: phone .*"quire check --repair"/)])
    await ask.close()
  })

  test('is answered from the snapshots after a repair', async () => {
    await repair(file, { keeper: withPhone })
    const warned: string[] = []
    const ask = await open(file, { keeper: withPhone }, warned)
    const { data, report } = await ask(phone)
    expect([data, report.relations[0]!.from, warned]).toEqual([{ cage: { keeper: { name: 'Kim', phone: '1' } } }, 'SNAPSHOT', []])
    await ask.close()
  })

  test('is looked up again after the schema was without it for a while', async () => {
    await (await open(file, { keeper: named })).close()
    const ask = await open(file, { keeper: withPhone })
    expect((await ask(phone)).report.relations[0]!.from).toBe('REFERENCE')
    await ask.close()
  })
})

test('a count that is declared later is counted at read time until a repair has stored it', async () => {
  const file = join(directory, 'count.db')
  await fill(file, { keeper: named })
  const warned: string[] = []
  const ask = await open(file, { keeper: named, keepers: counting }, warned)
  const { data, report } = await ask(count)
  expect(data).toEqual({ keeper: { countOfCages: 1 } })
  expect(report.relations[0]).toMatchObject({ from: 'REFERENCE', because: expect.stringContaining('declared after') as string })
  expect(warned).toEqual([expect.stringMatching(/^Keeper\.countOfCages .*"quire check --repair"/)])
  await ask.close()
  await repair(file, { keeper: named, keepers: counting })
  const repaired = await open(file, { keeper: named, keepers: counting })
  const { data: stored, report: from } = await repaired(count)
  expect([stored, from.relations[0]!.from]).toEqual([{ keeper: { countOfCages: 1 } }, 'SNAPSHOT'])
  await repaired.close()
})

const short = (): Derive => ({ Keeper: { label: ({ name }: Body) => String(name).slice(0, 1) } })
const long = (): Derive => ({ Keeper: { label: ({ name }: Body) => `Keeper ${String(name)}` } })

test('a derived field whose function changes is looked up until every snapshot has it', async () => {
  const file = join(directory, 'derived.db')
  const typeDefs = `type Cage @document(container: "cages") { id: ID! keeper: Keeper @snapshot(at: "keeper", fields: ["label", "name"]) } type Keeper @document(container: "keepers") { id: ID! name: String! label: String! @derived }`
  const asked = async (derive: Derive): Promise<unknown[]> => {
    const warned: string[] = []
    const ask = await openGateway({ typeDefs, derive, store: (layout) => openSqliteStore(file, layout), log: { ...createLog({ level: 'silent', readable: false }), warn: (_: object, line: string) => void warned.push(line), isLevelEnabled: () => false } })
    await ask('mutation { createKeeper(input: { id: "k1", name: "Kim" }) { keeper { id } } }')
    await ask('mutation { createCage(input: { id: "c1", keeperId: "k1" }) { cage { id } } }')
    const { data, report } = await ask('{ cage(id: "c1") { keeper { label } } }')
    await ask.close()
    return [(data!['cage'] as { keeper: { label: string } }).keeper.label, report.relations[0]!.from, ...warned.filter((line) => line.startsWith('Cage.'))]
  }
  expect(await asked(withTexts(short()))).toEqual(['K', 'SNAPSHOT'])
  // Loaded again, it is another function with the same text.
  expect(await asked(withTexts(short()))).toEqual(['K', 'SNAPSHOT'])
  for (let start = 1; start <= 2; start++) expect(await asked(withTexts(long()))).toEqual(['Keeper Kim', 'REFERENCE', expect.stringMatching(/^Cage\.keeper: label .*its function was changed/)])
  const declaration = readDeclaration(typeDefs, withTexts(long()))
  const store = await openSqliteStore(file, declaration.layout)
  await Array.fromAsync(checkStore(declaration, store, { repair: true }))
  await confirmSnapshots(declaration, store)
  await store.close()
  expect(await asked(withTexts(long()))).toEqual(['Keeper Kim', 'SNAPSHOT'])
  // A compiled program may have another text for it, so it is not asked for one.
  expect(await asked(long())).toEqual(['Keeper Kim', 'SNAPSHOT'])
})

test('a new store has everything that is declared', async () => {
  const ask = await openGateway({
    typeDefs: sdl({ keeper: withPhone }), store: (layout) => openCosmosTestStore(layout, 1),
    documents: { Keeper: [{ id: 'k1', name: 'Kim', phone: '1' }], Cage: [{ id: 'c1', name: 'One', keeper: { id: 'k1', name: 'Kim', phone: '1' } }] },
  })
  expect((await ask(phone)).report.relations[0]!.from).toBe('SNAPSHOT')
  await ask.close()
})
