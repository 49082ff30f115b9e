// A SQLite file with one publisher and one author of many books, a second of each with few, and the rows of the same books as
// CSV with the mapping that imports them.

import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Body } from '../../src/model/json/json.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { readSdlFolder } from '../../src/model/sdl/read-sdl.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Write } from '../../src/store/store.ts'
import { cacheFolder, cachePath, removeDatabase } from './sample.ts'

export const pressFolder = join(import.meta.dirname, 'press')

/** The books of the small publisher and author. */
export const fewBooks = 100

/** `counted` is what the large publisher says of its books; the truth by default. */
export async function writePress(name: string, books: number, counted = books): Promise<string> {
  const file = cachePath(name)
  removeDatabase(file)
  const store = await openSqliteStore(file, readDeclaration(readSdlFolder(pressFolder)).layout)
  await store.write([
    put('authors', { id: 'many', name: 'Ann Many' }), put('authors', { id: 'few', name: 'Eve Few' }),
    put('publishers', { id: 'many', name: 'Many', countOfBooks: counted }), put('publishers', { id: 'few', name: 'Few', countOfBooks: fewBooks }),
  ])
  for (const [size, count] of [['few', fewBooks], ['many', books]] as const) {
    for (let from = 0; from < count; from += 1000) {
      await store.write(Array.from({ length: Math.min(1000, count - from) }, (_, at) => put('books', bookOf(size, from + at))))
    }
  }
  await store.close()
  return file
}

function bookOf(size: 'few' | 'many', at: number): Body {
  return { id: `${size}-${at}`, name: `Book ${at}`, year: 1900 + (at % 120), authors: [{ id: size, name: size === 'few' ? 'Eve Few' : 'Ann Many' }], publisherId: size }
}

function put(container: string, body: Body): Write {
  return { kind: 'put', container, key: { partition: [body['id'] as string], id: body['id'] as string }, body }
}

/** A folder with books.csv and mapping.json. An author has about eight books, and some publishers have many more than others. */
export async function writePressRows(rows: number): Promise<string> {
  const folder = join(cacheFolder, `press-${rows}`)
  mkdirSync(folder, { recursive: true })
  const [authors, publishers] = [Math.ceil(rows / 8), Math.ceil(rows / 100)]
  const csv = createWriteStream(join(folder, 'books.csv'))
  csv.write('id,name,author,year,publisher\n')
  for (let at = 0; at < rows; at++) {
    // Ids in no order, as real ones are.
    const line = `${(at * 7919) % 1_000_000_007},The title of book ${at},Author ${(at * 31) % authors},${1900 + (at % 120)},Publisher ${Math.floor(publishers * ((at * 0.618) % 1) ** 2)}\n`
    if (!csv.write(line)) await once(csv, 'drain')
  }
  csv.end()
  await once(csv, 'finish')
  writeFileSync(join(folder, 'mapping.json'), JSON.stringify(mapping))
  return folder
}

const mapping = {
  documents: [
    { type: 'Author', file: 'books.csv', id: { hash: ['author'] }, fields: { name: 'author' } },
    { type: 'Publisher', file: 'books.csv', id: { hash: ['publisher'] }, fields: { name: 'publisher' } },
    { type: 'Book', file: 'books.csv', id: 'id', fields: { name: 'name', year: 'year', authors: { id: { hash: ['author'] } }, publisher: { id: { hash: ['publisher'] } } } },
  ],
}
