// Ten thousand imported books, and a schema that names another container for their authors. Every command that once emptied the lists of
// authors says what to do and writes nothing; with the old schema everything is as it was.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linesFrom, quire as runQuire, startQuire, type Ran } from '../../cli/quire.ts'

const sdl = (authors: string): string => `
  type Book @document(container: "books") { id: ID! title: String! @indexed authors: [Author!]! @snapshot(at: "authors", fields: ["name"]) }
  type Author @document(container: "${authors}") {
    id: ID! name: String!
    books: [Book!]! @reference(at: "books", inverseOf: "Book.authors")
    countOfBooks: Int! @counted(relation: "books") @indexed
  }
`
const books = 10_000
const authors = 5_833

const mapping = {
  documents: [
    { type: 'Author', file: 'books.csv', split: { column: 'authors', by: ',' }, id: { slug: ['authors'] }, fields: { name: 'authors' } },
    { type: 'Book', file: 'books.csv', id: 'isbn', fields: { title: 'title', authors: { id: { slug: ['authors'] }, split: ',' } } },
  ],
}

let folder: string
let stored: Record<string, string>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quire-moved-'))
  save('authors')
  const rows = Array.from({ length: books }, (_, number) => `b${number},Title ${number},"Author ${number % authors}, Author ${(number * 7 + 1) % authors}"`)
  writeFileSync(join(folder, 'books.csv'), `isbn,title,authors\n${rows.join('\n')}\n`)
  writeFileSync(join(folder, 'mapping.json'), JSON.stringify(mapping))
  expect(await quire('import', 'mapping.json')).toMatchObject({ code: 0, out: [expect.stringContaining(`${books + authors} documents created`)] })
  stored = await exported('before')
}, 600_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('check, repair, start and dev write nothing and say what to do; the old schema finds everything as it was', async () => {
  save('writers')
  const why: unknown = expect.stringMatching(/Author .*"authors".*"writers"/)
  const advice: unknown = expect.stringContaining('quire migrate')
  for (const command of [['check', '--repair'], ['check', '--repair', '--accept-loss'], ['start'], ['export', '--out', 'never']]) {
    expect(await quire(...command), command.join(' ')).toMatchObject({ code: 2, out: [], err: expect.arrayContaining([why, advice]) })
  }
  const { code, out } = await quire('check')
  expect({ code, migration: out.filter((line) => line.startsWith('migration: ')) }).toEqual({ code: 1, migration: [expect.stringMatching(/Author .*"authors".*"writers".*quire migrate/)] })
  expect(await quire('migrate')).toMatchObject({ code: 1, out: expect.arrayContaining([why]) })

  save('authors')
  const dev = startQuire(['dev', '--port', '0'], surroundings())
  const line = linesFrom(dev)
  for (let printed = ''; !printed.startsWith('Quire is ready'); printed = await line());
  save('writers')
  const lines: string[] = []
  for (let printed = ''; !printed.includes('quire migrate'); printed = await line()) lines.push(printed)
  expect(lines).toEqual(expect.arrayContaining([expect.stringContaining('Not reloaded'), why]))
  const closed = once(dev, 'close')
  dev.kill('SIGTERM')
  await closed

  save('authors')
  expect(await quire('check', '--repair')).toMatchObject({ code: 0, out: [`Checked ${books + authors} documents: no findings.`] })
  expect(await exported('after')).toEqual(stored)
  // Nothing was taken out, so there is nothing to put back.
  expect(readdirSync(folder).filter((name) => name.startsWith('quire-repair-'))).toEqual([])
}, 600_000)

function save(container: string): void {
  writeFileSync(join(folder, 'schema.graphql'), sdl(container))
}

function surroundings(): { cwd: string; env: Record<string, string> } {
  return { cwd: folder, env: { QUIRE_SCHEMA: folder, QUIRE_STORE: 'sqlite:books.db', PORT: '0' } }
}

function quire(...args: string[]): Promise<Ran> {
  return runQuire(args, surroundings())
}

/** A hash of each file of an export, which has every byte of every document. */
async function exported(name: string): Promise<Record<string, string>> {
  expect(await quire('export', '--out', name)).toMatchObject({ code: 0 })
  return Object.fromEntries(readdirSync(join(folder, name)).map((file) => [file, createHash('sha256').update(readFileSync(join(folder, name, file))).digest('hex')]))
}
