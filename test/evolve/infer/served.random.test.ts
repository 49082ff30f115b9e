// Whatever documents there are, the schema that is guessed from them can be served: every query answers, and shows what is stored.

import { expect, test } from 'vitest'
import { copyDocuments } from '../../../src/evolve/infer/copy-documents.ts'
import { inferSchema } from '../../../src/evolve/infer/infer-schema.ts'
import { openExistingFolder } from '../../../src/evolve/profile/folder/existing-folder.ts'
import { profileDatabase } from '../../../src/evolve/profile/profile-database.ts'
import type { Body, Json } from '../../../src/model/json/json.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import fc, { runs } from '../../fast-check.ts'
import { openGateway } from '../../harness.ts'
import { folderOf, jsonLines } from './folders.ts'
import { expectedNode, onlyExpected, queryFor } from './served-values.ts'

const names = ['name', 'Name', 'first-name', 'FIRST_NAME', '52 weeks', 'type', 'kind', 'nodeId', 'etag', 'and', 'clientMutationId', 'ttl', '_ts', '_v', '__typename', 'constructor', '', '*',
  'Ä', 'tags', 'roomId', 'room', 'roomIds', 'guestIds', 'countOfTags', 'partitionKey', 'pk', 'entries', 'connection', 'date', 'a.b', 'x$y', 'number', 'query', 'id2']
const containers = ['rooms', 'guests', 'news', 'Order Lines', '2020', 'query', 'connections']

const leaf = fc.oneof(fc.constant(null), fc.boolean(), fc.integer({ min: -5, max: 20 }), fc.constant(3_000_000_000), fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }).map((number) => number + 0),
  fc.string({ maxLength: 8 }), fc.constantFrom('OPEN', 'CLOSED', '2026-08-09', '2026-08-09T14:30:00Z', 'https://example.com/a', 'r1', 'r2', 'g1'))

const name = fc.constantFrom(...names)
const object = (inner: fc.Arbitrary<Json>): fc.Arbitrary<Json> => fc.uniqueArray(name, { maxLength: 4 }).chain((keys) => fc.tuple(...keys.map(() => inner)).map((values) => Object.fromEntries(keys.map((key, at) => [key, values[at]!]))))
const anything: fc.Arbitrary<Json> = fc.oneof({ weight: 4, arbitrary: leaf }, { weight: 1, arbitrary: fc.array(leaf, { maxLength: 3 }) }, { weight: 1, arbitrary: object(leaf) }, { weight: 1, arbitrary: fc.array(object(leaf), { maxLength: 3 }) }, { weight: 1, arbitrary: object(object(leaf)) })

const ids = fc.constantFrom('r1', 'r2', 'r3', 'g1', 'g2', 'missing')
/** All values of a property are of one kind, most of the time. */
const column: fc.Arbitrary<fc.Arbitrary<Json | undefined>> = fc.constantFrom<fc.Arbitrary<Json | undefined>>(
  fc.string({ maxLength: 6 }), fc.integer({ min: 0, max: 5 }), fc.boolean(), fc.double({ noNaN: true, min: 0, max: 10, noDefaultInfinity: true }).map((number) => number + 0), ids, fc.array(ids, { maxLength: 3 }),
  ids.map((id) => ({ id, name: `name of ${id}` })), fc.array(ids.map((id) => ({ id, name: `name of ${id}` })), { maxLength: 3 }), fc.array(fc.oneof(fc.record({ mail: fc.string() }), fc.record({ phone: fc.string(), extension: fc.integer() })), { maxLength: 3 }),
  fc.constantFrom('OPEN', 'CLOSED', null), fc.constantFrom('a', undefined), fc.array(fc.oneof(fc.string(), fc.constant(null)), { maxLength: 3 }), anything, object(leaf),
)

/** Documents with ids of their own. */
const collection = fc.tuple(fc.uniqueArray(name, { maxLength: 6 }).chain((keys) => fc.tuple(fc.constant(keys), fc.tuple(...keys.map(() => column)))), fc.integer({ min: 1, max: 8 }), fc.constantFrom('r', 'g', 'x')).chain(([[keys, columns], length, letter]) =>
  fc.tuple(...Array.from({ length }, () => fc.tuple(...columns))).map((rows) => rows.map((row, at): Body => ({ id: `${letter}${at + 1}`, ...(row.length === 0 ? {} : Object.fromEntries(keys.flatMap((key, place) => (row[place] === undefined ? [] : [[key, row[place]]])))) }))))

const database = fc.uniqueArray(fc.constantFrom(...containers), { minLength: 1, maxLength: 3 }).chain((chosen) => fc.tuple(...chosen.map(() => collection)).map((all) => new Map(chosen.map((container, at) => [container, all[at]!]))))

test('the guessed schema shows every document as it is stored', async () => {
  await fc.assert(fc.asyncProperty(database, async (all) => {
    const found = await openExistingFolder(folderOf(Object.fromEntries([...all].map(([container, documents]) => [`${container}.jsonl`, jsonLines(documents)]))))
    const { sdl, derive, declaration: { model }, declaration } = inferSchema(await profileDatabase(found), [])
    const ask = await openGateway({
      typeDefs: sdl, derive,
      store: async (layout) => {
        const store = await openSqliteStore(':memory:', layout)
        await copyDocuments(found, declaration, store)
        return store
      },
    })
    for (const type of model.documents.values()) {
      const stored = all.get(type.container)!.filter((document) => type.discriminator === undefined || document['type'] === type.discriminator)
      const { data, errors } = await ask(queryFor(model, type))
      expect(errors, sdl).toBeUndefined()
      const nodes = (data![type.plural] as { nodes: Record<string, unknown>[] }).nodes
      const expected = stored.map((document) => expectedNode(model, type, document, (target, id) => all.get(target.container)!.some((each) => each['id'] === id && (target.discriminator === undefined || each['type'] === target.discriminator))))
      expect(nodes.map((node, at) => onlyExpected(node, expected[at]!)), sdl).toEqual(expected)
    }
    await ask.close()
  }), { numRuns: runs(150) })
})
