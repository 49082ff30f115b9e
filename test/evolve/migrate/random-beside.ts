// A random declaration becomes another one beside gateways: one of the old schema writes all along, the migration is killed at random points and
// run again, and one of the new schema begins as soon as it can and writes before it ends. What clients have been told was
// written is exactly what the new schema answers.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Clock } from '../../../src/clock.ts'
import { checkStore } from '../../../src/evolve/check/check-store.ts'
import { MigrationNeededError } from '../../../src/evolve/declared/migration-errors.ts'
import { applyMigration, finishMigration } from '../../../src/evolve/migrate/apply-migration.ts'
import { planMigration } from '../../../src/evolve/migrate/plan-migration.ts'
import { readRecord } from '../../../src/evolve/migrate/run/migration-record.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { readLocations } from '../../../src/store/migration/container-locations.ts'
import { SetupError } from '../../../src/store/store-errors.ts'
import type { Store } from '../../../src/store/store.ts'
import { fastClock } from '../../fast-clock.ts'
import { openGateway, type Ask, type Documents, type stores } from '../../harness.ts'
import { keptStore, killedAt, noAnswers } from './migrating.ts'
import { answerOf, declared, documentsFrom, plain, randomFrom, type Random } from './random-declarations.ts'

interface Book {
  title: string
  edition: string
  year: number | null
  authors: string[]
  reviews: { id: string; text: string }[]
}

/** As many as one page answers, and as many as it answers where there are many. */
const mostBooks = { few: 100, many: 1000 }

/** What was acknowledged. */
interface Told {
  readonly books: Map<string, Book>
  readonly authors: Map<string, string>
}

export async function randomBeside(open: (typeof stores)[number]['store'], name: string, seed: number, kills: number, many?: number): Promise<{ written: number; byNew: number }> {
  const random = randomFrom(seed * 104_729 + name.length)
  const [before, after] = [declared(random, true), declared(random, false)]
  const [store, clock] = [await keptStore(open, [before.sdl, after.sdl]), fastClock(name)]
  const documents = documentsFrom(random, many)
  const most = many === undefined ? mostBooks.few : mostBooks.many
  const told = toldBy(documents)
  const old = await gatewayOf(store, clock, before.sdl, documents)
  const [stopOld, stopNew] = [new AbortController(), new AbortController()]
  const writing = writeOld(old, told, random, most, stopOld.signal)
  for (let kill = 0; kill < kills; kill++) await killedAt(store, 1 + random(40), (dying) => migrateOnline(dying, clock, after.sdl))
  const migrating = migrateOnline(store, clock, after.sdl)
  const next = beginNew(store, clock, after.sdl, migrating)
  const byNew = next.then((ask) => writeNew(ask, told, stopNew.signal))
  await migrating
  stopOld.abort()
  const written = await writing
  stopNew.abort()
  const [ask, newWrites] = [await next, await byNew]
  await old.close()
  const label = `seed ${seed}: ${before.sdl}\n→ ${after.sdl}`
  expect(await answerOf(ask, after, most), label).toEqual(expected(told))
  const declaration = readDeclaration(after.sdl).at(await readLocations(store))
  await finishMigration(declaration, store, { keep: () => {}, silenceMs: 0, clock })
  expect(await readRecord(store)).toBeUndefined()
  expect(await answerOf(ask, after, most), label).toEqual(expected(told))
  await ask.close()
  expect(await Array.fromAsync(checkStore(declaration, store)), label).toEqual([])
  return { written, byNew: newWrites }
}

async function migrateOnline(store: Store, clock: Clock, sdl: string): Promise<void> {
  const declaration = readDeclaration(sdl).at(await readLocations(store))
  await applyMigration(declaration, store, await planMigration(declaration, store, noAnswers), noAnswers, { keep: () => {}, silenceMs: 0, clock, online: true })
}

/** As `quire start` does: it waits. */
async function beginNew(store: Store, clock: Clock, sdl: string, migrating: Promise<void>): Promise<Ask> {
  let isOver = false
  void migrating.finally(() => (isOver = true)).catch(() => undefined)
  for (;;) {
    try {
      return await gatewayOf(store, clock, sdl)
    } catch (error) {
      if (isOver || !(error instanceof MigrationNeededError || error instanceof SetupError)) throw error
      await clock.pause(300)
    }
  }
}

async function writeOld(ask: Ask, { books, authors }: Told, random: Random, most: number, signal: AbortSignal): Promise<number> {
  let written = 0
  for (let round = 0; !signal.aborted; round++) {
    await nextTurn()
    const ids = [...books.keys()]
    const id = ids[random(ids.length)] ?? 'b0'
    const links = [...authors.keys()].filter(() => random(2) === 0)
    const book: Book = { title: `Title ${round}`, edition: 'e1', year: 1900 + (round % 100), authors: links, reviews: [] }
    switch (ids.length === 0 ? 1 : ids.length === most ? 2 : random(5)) {
      case 0: await acknowledged(ask, `createBook(input: { id: "n${round}", title: "${book.title}", edition: "e1", year: ${book.year}, authorIds: ${JSON.stringify(links)}, reviews: [] }) { book { id } }`, () => books.set(`n${round}`, book)); break
      case 1: await acknowledged(ask, `updateAuthor(input: { id: "a0", name: "Name ${round}" }) { author { id } }`, () => authors.set('a0', `Name ${round}`)); break
      case 2: await acknowledged(ask, `deleteBook(input: { id: "${id}" }) { book { id } }`, () => books.delete(id)); break
      default: await acknowledged(ask, `updateBook(input: { id: "${id}", title: "${book.title}", authorIds: ${JSON.stringify(links)} }) { book { id } }`, () => books.set(id, { ...books.get(id)!, title: book.title, authors: links }))
    }
    written++
  }
  return written
}

async function writeNew(ask: Ask, { books }: Told, signal: AbortSignal): Promise<number> {
  let written = 0
  do {
    await nextTurn()
    for (const [id, book] of books) if (await acknowledged(ask, `updateBook(input: { id: "${id}", title: "By the new ${written}" }) { book { id } }`, () => books.set(id, { ...book, title: `By the new ${written}` }))) written++
  } while (!signal.aborted)
  return written
}

/** A write that is refused meanwhile has not happened. Any other error is one too many. */
async function acknowledged(ask: Ask, mutation: string, note: () => unknown): Promise<boolean> {
  const { errors } = await ask(`mutation { ${mutation} }`)
  if (errors && errors[0]!.extensions?.code !== 'STORE_MIGRATING') throw new Error(`${mutation}: ${errors[0]!.message}`)
  if (!errors) note()
  return !errors
}

function toldBy(documents: Documents): Told {
  const all = documents as unknown as { Book: ({ id: string; authorIds: string[] } & Omit<Book, 'authors'>)[]; Author: { id: string; name: string }[] }
  return {
    books: new Map(all.Book.map(({ id, title, edition, year, authorIds, reviews }) => [id, { title, edition, year: year ?? null, authors: authorIds, reviews }])),
    authors: new Map(all.Author.map(({ id, name }) => [id, name])),
  }
}

function expected({ books, authors }: Told): unknown {
  return plain({
    books: { nodes: [...books].map(([id, { authors: links, reviews, ...book }]) => ({ id, ...book, authors: links.map((author) => ({ id: author, name: authors.get(author)! })), reviews: reviews.map(({ id: review, text }) => ({ id: review, text })) })) },
    authors: { nodes: [...authors].map(([id, name]) => ({ id, name, books: [...books].filter(([, book]) => book.authors.includes(id)).map(([book]) => ({ id: book })) })) },
  })
}

function gatewayOf(store: Store, clock: Clock, typeDefs: string, documents?: Documents): Promise<Ask> {
  return openGateway({ typeDefs, store: () => Promise.resolve(store), clock, pageSizes: { max: mostBooks.many }, ...(documents ? { documents } : {}) })
}

