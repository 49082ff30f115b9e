// Correct documents have no findings: the shipped sample, the other schemas of the tests, and everything that mutations
// write.

import { writeAll } from '../../../src/store/write-all.ts'
import { withReservations } from '../../../src/write/unique/reservations.ts'
import { describe, expect, test } from 'vitest'
import { checkStore } from '../../../src/evolve/check/check-store.ts'
import { readDeclaration, type Declaration } from '../../../src/relations/declaration.ts'
import { derive as libraryDerive } from '../../../schema/library/derive.ts'
import { resolvers } from '../../../schema/library/resolvers.ts'
import { sampleDocuments } from '../../library/sample-documents.ts'
import { readSdl, readSdlFolder } from '../../../src/model/sdl/read-sdl.ts'
import type { Store } from '../../../src/store/store.ts'
import { derive as blogDerive, documents as blogDocuments, schema as blogSchema } from '../../blog/blog.ts'
import { openGateway, unlikeStores } from '../../harness.ts'
import { everyKind } from '../../random/every-kind.ts'

const library = readDeclaration(readSdlFolder('schema/library'), libraryDerive)

async function findings(declaration: Declaration, store: Store, repair = false): Promise<string[]> {
  return Array.fromAsync(checkStore(declaration, store, { repair }), ({ sentence }) => sentence)
}

describe.each(unlikeStores)('on $name', ({ store: open }) => {
  test('the sample is clean, and repairing it writes nothing', async () => {
    const store = await open(library.layout)
    await writeAll(store, await withReservations(library.model, sampleDocuments(library.model), store))
    expect(await findings(library, { ...store, write: () => Promise.reject(new Error('It wrote.')) }, true)).toEqual([])
  })

  test('a schema with every relation kind is clean', async () => {
    const declaration = readDeclaration(readSdl(everyKind.typeDefs as string), everyKind.derive)
    const store = await open(declaration.layout)
    await writeAll(store, everyKind.seed!(declaration))
    expect(await findings(declaration, store)).toEqual([])
  })

  test('the blog is clean, with its hierarchical and synthetic keys', async () => {
    const declaration = readDeclaration(blogSchema, blogDerive)
    const store = await open(declaration.layout)
    await openGateway({ typeDefs: blogSchema, derive: blogDerive, documents: blogDocuments, store: async () => store })
    expect(await findings(declaration, store)).toEqual([])
  })

  test('documents that mutations have written are clean', async () => {
    const store = await open(library.layout)
    const ask = await openGateway({ typeDefs: readSdlFolder('schema/library'), derive: libraryDerive, resolvers, seed: ({ model }) => sampleDocuments(model), store: async () => store })
    const mutate = async (operations: string) => expect((await ask(`mutation { ${operations} }`)).errors).toBeUndefined()
    await mutate('publishBook(input: { name: "New", authorIds: ["a2", "a7"], publisherId: "mspress" }) { book { id } }')
    await mutate('updateAuthor(input: { id: "a1", lastName: "Anderson" }) { author { id } }')
    await mutate('updateBook(input: { id: "b1", authorIds: ["a2", "a3"], publisherId: null }) { book { id } }')
    await mutate('deleteBook(input: { id: "b2" }) { book { id } }')
    await mutate(Array.from({ length: 5 }, (_, nth) => `r${nth}: addReview(input: { bookId: "b${nth + 3}", rating: ${nth}, reviewer: "Me" }) { book { id } }`).join(' '))
    await mutate('recordTrade(input: { symbol: "zaza", price: 1.5, quantity: 3 }) { trade { id } }')
    await mutate('buyStock(input: { portfolioId: "f1", symbol: "xcxc", quantity: 2 }) { portfolio { id } }')
    expect(await findings(library, store)).toEqual([])
  })
})
