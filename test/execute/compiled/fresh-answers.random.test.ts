// Whatever is written, by this gateway or by another on the same file, the next answer with all caches equals that of a
// gateway whose store caches nothing.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openSqliteStore, type SqliteOptions } from '../../../src/store/sqlite/sqlite-store.ts'
import fc, { runs } from '../../fast-check.ts'
import { openGateway } from '../../harness.ts'

const directory = mkdtempSync(join(tmpdir(), 'quire-fresh-'))
afterAll(() => rmSync(directory, { recursive: true }))

const typeDefs = `
  type Cage @document(container: "cages") { id: ID!  name: String!  keeper: Keeper @reference(at: "keeperId") }
  type Keeper @document(container: "keepers") { id: ID!  name: String!  cages: CageConnection! @reverse(of: "Cage.keeper") }
  type Ticket @document(container: "tickets") { id: ID!  price: Int! }`

const documents = {
  Cage: [{ id: 'c1', name: 'One', keeperId: 'k1' }, { id: 'c2', name: 'Two', keeperId: 'k1' }],
  Keeper: [{ id: 'k1', name: 'Kim' }, { id: 'k2', name: 'Kai' }],
  Ticket: [{ id: 't1', price: 3 }],
}

async function openZoo(options?: SqliteOptions) {
  const change = await openGateway({ typeDefs, documents, store: (layout) => openSqliteStore(join(directory, 'zoo.db'), layout, options) })
  const ask = async (query: string): Promise<unknown> => {
    const { data, errors } = await change(query, { headers: { 'quire-trace': '0' } })
    return errors ?? data
  }
  return { change, ask }
}

test('after any writes by anyone, an answer equals one that was made without caches', async () => {
  const [zoo, other, uncached] = [await openZoo(), await openZoo(), await openZoo({ cacheBytes: 0 })]
  const step = fc.record({
    who: fc.constantFrom(zoo, other),
    what: fc.constantFrom(
      'createCage(input: { id: "c9", name: "New", keeperId: "k2" }) { cage { id } }', 'deleteCage(input: { id: "c9" }) { cage { id } }',
      'updateKeeper(input: { id: "k1", name: "Ann" }) { keeper { id } }', 'updateKeeper(input: { id: "k1", name: "Bea" }) { keeper { id } }',
      'updateCage(input: { id: "c1", keeperId: "k2" }) { cage { id } }', 'updateCage(input: { id: "c1", keeperId: "k1" }) { cage { id } }',
      'createTicket(input: { price: 1 }) { ticket { id } }',
    ),
    asked: fc.constantFrom(
      '{ cages { nodes { name keeper { name } } } }', '{ keepers { nodes { name cages { totalCount nodes { name } } } } }',
      '{ cage(id: "c1") { name keeper { name } } }', '{ cage(id: "c9") { name keeper { name } } }', '{ tickets { totalCount } }',
    ),
  })
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
    for (const { who, what, asked } of steps) {
      await who.change(`mutation { ${what} }`)
      const expected = await uncached.ask(asked)
      for (const each of [zoo, other, zoo, other]) expect(await each.ask(asked)).toEqual(expected)
    }
  }), { numRuns: runs(40) })
  for (const { change } of [zoo, other, uncached]) await change.close()
})
