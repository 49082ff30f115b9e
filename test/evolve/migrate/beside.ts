// Migrations beside gateways, whatever changes: gateways of the old schema go on serving and writing, and what they write arrives. Those of
// the new schema wait until the documents are handed over, and from then on the old ones answer nothing.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Clock } from '../../../src/clock.ts'
import { checkStore } from '../../../src/evolve/check/check-store.ts'
import { MigrationNeededError, MigrationUnderWayError } from '../../../src/evolve/declared/migration-errors.ts'
import { applyMigration, finishMigration, type ApplyOptions } from '../../../src/evolve/migrate/apply-migration.ts'
import { planMigration, type Answers } from '../../../src/evolve/migrate/plan-migration.ts'
import { readRecord } from '../../../src/evolve/migrate/run/migration-record.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { readLocations } from '../../../src/store/migration/container-locations.ts'
import type { Store } from '../../../src/store/store.ts'
import { fastClock } from '../../fast-clock.ts'
import { openGateway, type Ask, type stores } from '../../harness.ts'
import { documentsIn, keptStore, noAnswers } from './migrating.ts'

const author = 'type Author @document(container: "authors") { id: ID! name: String! books: BookConnection! @reverse(of: "Book.authors") count: Int! @counted(relation: "books") }'
const book = (fields: string, at = 'container: "books"'): string => `type Book @document(${at}) { id: ID! title: String! @indexed ${fields} }`
const old = `${book('year: Int authors: [Author!]! @snapshot(at: "authors", fields: ["name"]) notes: [Note!]! @contained(max: 20)')} ${author} type Note { id: ID! text: String! }`
const joining = 'type Writing @document(container: "writings") { id: ID! book: Book! @reference(at: "bookId") author: Author! @reference(at: "authorId") }'

export const classes: Readonly<Record<string, { sdl: string; ask?: string; answers?: Answers }>> = {
  'another container': { sdl: old.replace('"books"', '"volumes"') },
  'another type': { sdl: old.replace('"books"', '"books", type: "book"') },
  'another type of a field': { sdl: old.replace('year: Int', 'year: String') },
  'a function': { sdl: old.replace('year: Int', 'year: Int price: Float!'), answers: { ...noAnswers, defaults: new Map([['Book.price', ({ year }) => Number(year ?? 1) / 2]]) } },
  'ids on the other side': { sdl: `${book('year: Int authors: AuthorConnection! @reverse(of: "Author.books") notes: [Note!]! @contained(max: 20)')} type Author @document(container: "authors") { id: ID! name: String! books: [Book!]! @reference(at: "bookIds") } type Note { id: ID! text: String! }` },
  'joining documents': { sdl: `${book('year: Int authors: AuthorConnection! @joined(through: "Writing") notes: [Note!]! @contained(max: 20)')} ${author.replace('@reverse(of: "Book.authors")', '@joined(through: "Writing")')} ${joining} type Note { id: ID! text: String! }` },
  'objects that become documents': { sdl: old.replace('@contained(max: 20)', '@reference(at: "noteIds")').replace('type Note {', 'type Note @document(container: "notes") {') },
}

const documents = {
  Book: Array.from({ length: 24 }, (_, index) => ({ id: `b${index}`, title: `Book ${index}`, year: 2000 + index, authors: [{ id: `a${index % 2}`, name: `Author ${index % 2}` }], notes: [{ id: `n${index}`, text: `Note ${index}` }], unknown: { deep: index } })),
  Author: [{ id: 'a0', name: 'Author 0', count: 12 }, { id: 'a1', name: 'Author 1', count: 12 }],
}

export async function migrateBeside({ name, store: open }: (typeof stores)[number], change: string): Promise<void> {
  const { sdl, answers = noAnswers } = classes[change]!
  const [store, clock] = [await keptStore(open, [old, sdl]), fastClock(name)]
  const before = await gatewayOf(store, clock, old, true)
  const over = new AbortController()
  const writing = write(before, over.signal)
  // The new gateway says how far it is, and does not begin.
  let early: Promise<unknown> | undefined
  await migrate(store, clock, sdl, answers, { onProgress: () => void (early ??= gatewayOf(store, clock, sdl).catch((error: unknown) => error)) })
  expect(await early).toBeInstanceOf(MigrationUnderWayError)
  over.abort()
  const { written } = await writing
  expect(written).toBeGreaterThan(0)
  // From here on the old one is of no use, and says so.
  await expect.poll(async () => (await before('{ books { totalCount } }')).errors?.[0]?.extensions?.code).toBe('STORE_MIGRATING')
  expect((await before('mutation { updateBook(input: { id: "b1", title: "Late" }) { book { id } } }')).errors?.[0]?.extensions?.code).toBe('STORE_MIGRATING')
  await before.close()
  const after = await gatewayOf(store, clock, sdl)
  expect(await shown(after, sdl)).toEqual(expected(written))
  expect((await after('mutation { updateBook(input: { id: "b1", title: "New" }) { book { title } } }')).data).toEqual({ updateBook: { book: { title: 'New' } } })
  // A field more is nothing to a schema that does not declare it.
  if (change !== 'a function') await expect(gatewayOf(store, clock, old)).rejects.toThrow(MigrationNeededError)
  await finish(store, clock, sdl)
  expect(await readRecord(store)).toBeUndefined()
  expect((await after('{ book(id: "b1") { title } }')).data).toEqual({ book: { title: 'New' } })
  await after.close()
  const declaration = readDeclaration(sdl).at(await readLocations(store))
  expect(await Array.fromAsync(checkStore(declaration, store))).toEqual([])
  const stored = Object.values(await documentsIn(store, [old, sdl]))
  expect(stored.filter(({ unknown }) => unknown !== undefined)).toHaveLength(24)
  expect(await planMigration(declaration, store, noAnswers)).toEqual([])
}

/** Changes titles, links and objects, one after the other, until it is told to stop or the documents are gone. */
async function write(ask: Ask, signal: AbortSignal): Promise<{ written: number }> {
  let written = 0
  while (!signal.aborted) {
    await nextTurn()
    const id = `b${written % 24}`
    const { errors } = await ask(`mutation { updateBook(input: { id: "${id}", title: "Round ${written}", authorIds: ["a${Math.floor(written / 24 + 1) % 2}"], notes: [{ id: "n${id}", text: "Again ${written}" }] }) { book { id } } }`)
    if (!errors) written++
    else if (errors[0]!.extensions?.code !== 'STORE_MIGRATING') throw new Error(errors[0]!.message)
  }
  return { written }
}

/** What all acknowledged writes have left. */
function expected(written: number): unknown {
  return Array.from({ length: 24 }, (_, index) => {
    const last = written <= index ? undefined : index + 24 * Math.floor((written - 1 - index) / 24)
    return last === undefined
      ? { id: `b${index}`, title: `Book ${index}`, year: String(2000 + index), authors: [{ id: `a${index % 2}`, name: `Author ${index % 2}` }], notes: [{ text: `Note ${index}` }] }
      : { id: `b${index}`, title: `Round ${last}`, year: String(2000 + index), authors: [{ id: `a${Math.floor(last / 24 + 1) % 2}`, name: `Author ${Math.floor(last / 24 + 1) % 2}` }], notes: [{ text: `Again ${last}` }] }
  }).toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

async function shown(ask: Ask, sdl: string): Promise<unknown> {
  const authors = sdl.includes('AuthorConnection') ? '{ nodes { id name } }' : '{ id name }'
  const { data, errors } = await ask(`{ books(first: 100) { nodes { id title year authors ${authors} notes { text } } } }`)
  expect(errors).toBeUndefined()
  const { nodes } = data!['books'] as { nodes: { id: string; year: number; authors: unknown }[] }
  return nodes.map((each) => ({ ...each, year: String(each.year), authors: Array.isArray(each.authors) ? each.authors as unknown[] : (each.authors as { nodes: unknown[] }).nodes })).toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

async function migrate(store: Store, clock: Clock, sdl: string, answers: Answers, options: Partial<ApplyOptions>): Promise<void> {
  const declaration = readDeclaration(sdl).at(await readLocations(store))
  await applyMigration(declaration, store, await planMigration(declaration, store, answers), answers, { keep: () => {}, silenceMs: 0, clock, online: true, ...options })
}

async function finish(store: Store, clock: Clock, sdl: string): Promise<void> {
  await finishMigration(readDeclaration(sdl).at(await readLocations(store)), store, { keep: () => {}, silenceMs: 0, clock })
}

function gatewayOf(store: Store, clock: Clock, typeDefs: string, isFilled = false): Promise<Ask> {
  return openGateway({ typeDefs, store: () => Promise.resolve(store), clock, ...(isFilled ? { documents } : {}) })
}
