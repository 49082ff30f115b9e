// The shipped mappings, and schemas that are guessed, on real data, where that is next to the repository. The repository does not have it.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { derive } from '../../../schema/library/derive.ts'
import { readSdlFolder } from '../../../src/model/sdl/read-sdl.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { skipReason } from './skip-reason.ts'

const data = resolve('../shared/data')
const folder = mkdtempSync(join(tmpdir(), 'quire-real-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function quire(...args: string[]): { code: number | null; last: string } {
  const { status, stdout } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'bin/quire.js', ...args], {
    env: { ...process.env, QUIRE_SCHEMA: '', QUIRE_STORE: `sqlite:${join(folder, 'real.db')}` }, encoding: 'utf8',
  })
  return { code: status, last: stdout.trim().split('\n').at(-1)! }
}

const reason = skipReason(data, existsSync)

test('the skip reason names the missing file', () => {
  expect(skipReason('/somewhere/data', () => false)).toBe('there is no /somewhere/data/book-crossing/books.csv')
  expect(skipReason('/somewhere/data', () => true)).toBeUndefined()
})

describe.skipIf(reason !== undefined)(`real data${reason === undefined ? '' : ` (skipped: ${reason})`}`, () => {
  test('Book-Crossing: 18,185 books, 6,452 authors, 1,344 publishers, 204,164 reviews; a second import changes nothing, and check finds nothing', async () => {
    const first = quire('import', 'examples/import/book-crossing.json', '--from', join(data, 'book-crossing'), '--json')
    expect(first.code).toBe(0)
    expect(JSON.parse(first.last)).toMatchObject({ created: 18_185 + 6_452 + 1_344, entries: 204_164, refused: 0 })
    const again = quire('import', 'examples/import/book-crossing.json', '--from', join(data, 'book-crossing'), '--json')
    expect(JSON.parse(again.last)).toMatchObject({ created: 0, changed: 0, listsChanged: 0, followed: 0, refused: 0 })
    expect(quire('check')).toMatchObject({ code: 0 })
    const store = await openSqliteStore(join(folder, 'real.db'), readDeclaration(readSdlFolder('schema/library'), derive).layout)
    const counts = await Promise.all([store.count({ container: 'books', type: 'book' }), store.count({ container: 'authors' }), store.count({ container: 'publishers' })])
    await store.close()
    expect(counts).toEqual([18_185, 6_452, 1_344])
  }, 600_000)

  test('S&P 500: companies with a price and a market value; the others are rejected', () => {
    const { code, last } = quire('import', 'examples/import/sp500.json', '--from', join(data, 'sp500'), '--json')
    expect(code).toBe(1)
    expect(JSON.parse(last)).toMatchObject({ created: 469, refused: 34 })
  })

  test.each([
    ['book-crossing', { Book: ['bookTitle: String!', 'ratings: RatingConnection! @reverse(of: "Rating.book")'], Rating: ['user: User! @reference(at: "User-ID")', 'book: Book! @reference(at: "ISBN")', 'bookRating: Int!'], User: ['userCountry: String '] }],
    ['sp500', { Company: ['name: String!', 'marketCap: Float ', 'sector: String!'] }],
  ])('%s: init --from guesses a schema with which check finds nothing wrong', (name, guessed) => {
    const project = join(folder, name)
    expect(quire('init', project, '--from', join(data, name)).code).toBe(0)
    const sdl = readFileSync(join(project, 'schema/schema.graphql'), 'utf8')
    expect([...readDeclaration(readSdlFolder(join(project, 'schema'))).model.documents.keys()]).toEqual(Object.keys(guessed))
    for (const [type, fields] of Object.entries(guessed)) for (const field of fields) expect(sdl.split(`\ntype ${type} `)[1]!.split('\n}')[0]).toContain(`  ${field}`)
    expect(quire('check', '--schema', join(project, 'schema'), '--store', `sqlite:${join(project, '.quire/documents.db')}`)).toMatchObject({ code: 0 })
  }, 600_000)
})
