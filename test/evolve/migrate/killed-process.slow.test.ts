// `quire migrate --apply` as processes that are really killed, while documents are prepared and while they are replaced, and begun again: in the
// end all is as if no process had been killed. killed.slow.test.ts kills at every write, within one process.

import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkStore } from '../../../src/evolve/check/check-store.ts'
import { readRecord } from '../../../src/evolve/migrate/run/migration-record.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { linesOf, quire, startQuire } from '../../cli/quire.ts'
import { openGateway } from '../../harness.ts'
import { temporaryFolder } from '../infer/folders.ts'

const author = 'type Author @document(container: "authors") { id: ID! name: String! books: BookConnection! @reverse(of: "Book.authors") count: Int! @counted(relation: "books") }'
const old = `type Book @document(container: "books") { id: ID! title: String! authors: [Author!]! @reference(at: "authorIds") notes: [Note!]! @contained(max: 9) } ${author} type Note { id: ID! text: String! }`
const edited = `type Book @document(container: "volumes") { id: ID! title: String! authors: [Author!]! @snapshot(at: "authors", fields: ["name"]) notes: [Note!]! @reference(at: "noteIds") } ${author} type Note @document(container: "notes") { id: ID! text: String! }`
const books = 5000
const authors = 20

test(`a migration of ${books} books that is killed twice`, async () => {
  const folder = temporaryFolder()
  const [schema, file] = [join(folder, 'schema'), join(folder, 'store.db')]
  mkdirSync(schema)
  const begin = await openGateway({ typeDefs: old, store: (layout) => openSqliteStore(file, layout), documents: {
    Book: Array.from({ length: books }, (_, at) => ({ id: `b${at}`, title: `Book ${at}`, authorIds: [`a${at % authors}`], notes: [{ id: `n${at}`, text: `Note ${at}` }], unknown: at })),
    Author: Array.from({ length: authors }, (_, at) => ({ id: `a${at}`, name: `Author ${at}`, count: books / authors })),
  } })
  await begin.close()
  writeFileSync(join(schema, 'schema.graphql'), edited)
  const surroundings = { cwd: folder, env: { QUIRE_SCHEMA: schema, QUIRE_STORE: `sqlite:${file}` } }
  const watching = await openSqliteStore(file, readDeclaration(old).layout)
  onTestFinished(() => watching.close())
  for (const phase of ['prepare', 'switch']) {
    const started = startQuire(['migrate', '--apply'], surroundings)
    const ended = once(started, 'close')
    // As soon as something of the phase is done. A migration that believes another one alive waits for it first.
    await expect.poll(async () => {
      const record = await readRecord(watching)
      return record?.phase === phase && record.checkpoint !== null
    }, { interval: 5, timeout: 40_000 }).toBe(true)
    started.kill('SIGKILL')
    expect((await ended)[1]).toBe('SIGKILL')
    expect(await readRecord(watching)).toMatchObject({ phase })
  }
  const last = await quire(['migrate', '--apply'], surroundings)
  expect([last.code, last.err]).toEqual([0, []])
  expect(linesOf(last.out.join('\n')).at(-1)).toContain('The stored documents fit the schema.')
  const declaration = readDeclaration(edited)
  const ask = await openGateway({ typeDefs: edited, store: (layout) => openSqliteStore(file, layout) })
  onTestFinished(() => ask.close())
  expect((await ask('{ books { totalCount } notes { totalCount } author(id: "a3") { count } book(id: "b983") { title authors { name } notes { text } } }')).data).toEqual({
    books: { totalCount: books }, notes: { totalCount: books }, author: { count: books / authors }, book: { title: 'Book 983', authors: [{ name: 'Author 3' }], notes: [{ text: 'Note 983' }] },
  })
  expect(await quire(['migrate', '--finish'], surroundings)).toMatchObject({ code: 0 })
  const store = await openSqliteStore(file, declaration.layout)
  onTestFinished(() => store.close())
  expect(await Array.fromAsync(checkStore(declaration, store))).toEqual([])
  const kept = await store.query({ container: 'volumes', orderBy: { path: ['id'], descending: false }, limit: books })
  expect(kept.map(({ body }) => body['unknown']).toSorted((one, other) => Number(one) - Number(other))).toEqual(Array.from({ length: books }, (_, at) => at))
}, 120_000)
