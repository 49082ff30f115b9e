// What an export reads at a time, and when it may say that it shows one moment.

import { describe, expect, test } from 'vitest'
import { exportDocuments } from '../../../src/evolve/export/export-documents.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import type { Query } from '../../../src/store/query.ts'
import type { Store, StoredDocument, Write } from '../../../src/store/store.ts'
import { stores } from '../../harness.ts'

const declaration = readDeclaration('type Note @document(container: "notes") { id: ID! text: String! }')

function note(number: number, length: number): Write {
  const id = `n${String(number).padStart(5, '0')}`
  return { kind: 'put', container: 'notes', key: { partition: [id], id }, body: { id, text: 'x'.repeat(length) } }
}

/** Notes how many bytes each page had. */
function watched(store: Store, pages: number[]): Store {
  return {
    ...store,
    async query(query: Query): Promise<StoredDocument[]> {
      const page = await store.query(query)
      pages.push(page.reduce((sum, { bytes }) => sum + bytes, 0))
      return page
    },
  }
}

test('a page is a few megabytes, whether documents are small or large', async () => {
  const store = await openMemoryStore(declaration.layout)
  for (let number = 0; number < 3000; number++) await store.write([note(number, number < 2500 ? 10 : 200_000)])
  const pages: number[] = []
  let exported = 0
  const { files } = await exportDocuments(declaration, watched(store, pages), { append: (_, text) => void (exported += text.length) })
  expect(files).toEqual([{ file: 'Note.jsonl', of: 'Note', documents: 3000 }])
  expect(exported).toBeGreaterThan(100_000_000)
  // The first page with large documents was planned for small ones; even then it has a hundred.
  expect(pages.filter((bytes) => bytes > 4 * 1024 * 1024).length).toBeLessThanOrEqual(1)
  expect(Math.max(...pages)).toBeLessThanOrEqual(100 * 200_100)
  // And small ones are not read one by one.
  expect(pages.length).toBeLessThan(70)
})

describe.each(stores)('on $name', ({ store: open }) => {
  test('an export says that it shows one moment only where nothing was written meanwhile, and the store can tell', async () => {
    const store = await open(declaration.layout)
    for (let number = 0; number < 20; number++) await store.write([note(number, 10)])
    const run = async (meanwhile?: Write): Promise<boolean> => {
      const { isOneMoment } = await exportDocuments(declaration, store, { append: async (_, text) => void (text !== '' && meanwhile && (await store.write([meanwhile]))) })
      return isOneMoment
    }
    expect(await run()).toBe(store.moment() !== undefined)
    expect(await run(note(3, 11))).toBe(false)
    await store.close()
  })

  test('a stopped export ends after the page, and has no manifest', async () => {
    const store = await open(declaration.layout)
    for (let number = 0; number < 30; number++) await store.write([note(number, 10)])
    const stopping = new AbortController()
    const files = new Set<string>()
    const stopped = exportDocuments(declaration, store, { signal: stopping.signal, append: (file, text) => {
      files.add(file)
      if (text !== '') stopping.abort()
    } })
    await expect(stopped).rejects.toThrow()
    expect([...files]).toEqual(['Note.jsonl'])
    await store.close()
  })
})
