// What is stored in a file, looked at the way a gateway that starts after a crash would find it: in a copy of the file and
// its log, which is opened, followed to the end of its change feed where copies follow, and checked.

import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkStore } from '../../src/evolve/check/check-store.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { derive } from '../../schema/library/derive.ts'
import { sampleDocuments } from '../../test/library/sample-documents.ts'
import { readSdlFolder } from '../../src/model/sdl/read-sdl.ts'
import { markFilled } from '../../src/store/own-documents.ts'
import { Propagator } from '../../src/feed/propagator.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { writeAll } from '../../src/store/write-all.ts'
import type { Body } from '../../src/model/json/json.ts'
import type { Store } from '../../src/store/store.ts'
import type { WriteLog, Stored, Value } from './write-log.ts'

export const declaration = readDeclaration(readSdlFolder(join(import.meta.dirname, '../../schema/library')), derive)

/** A new store with the sample in it. */
export async function makeStore(file: string): Promise<void> {
  const store = await openSqliteStore(file, declaration.layout)
  await writeAll(store, sampleDocuments(declaration.model))
  await markFilled(store)
  await followToEnd(store)
  await store.close()
}

/** What `WriteLog` and `Stored` call a property of a document. */
export function placeOf(container: string, id: string, property: string): string {
  return JSON.stringify([container, id, property])
}

export interface Look {
  /** Where copies of the file may be made. */
  readonly folder: string
  /** Whether copies follow through the change feed, and are as declared only when it has been followed to its end. */
  readonly follows?: boolean
  /** What is to be done to the copy first. */
  readonly before?: (copy: string) => void
}

/** Everything that is not as clients were told, or not as the schema declares it, in a file that nobody writes to. */
export async function lookAt(file: string, writeLog: WriteLog, { folder, follows = false, before }: Look): Promise<string[]> {
  const own = mkdtempSync(join(folder, 'copy-'))
  const copy = join(own, 'copy.db')
  for (const end of ['', '-wal']) if (existsSync(file + end)) copyFileSync(file + end, copy + end)
  before?.(copy)
  const store = await openSqliteStore(copy, declaration.layout)
  try {
    const wrong = writeLog.settle(await readStored(store))
    if (follows) await followToEnd(store)
    for await (const { kind, sentence } of checkStore(declaration, store)) wrong.push(`check found ${kind}: ${sentence}`)
    return wrong
  } finally {
    await store.close()
    rmSync(own, { recursive: true })
  }
}

/** Leases of those who were killed, and of the one before, would have to run out first: for this follower they have. */
async function followToEnd(store: Store): Promise<void> {
  const later = Date.now() + 60_000
  const propagator = new Propagator(declaration, { ...store, now: async () => ({ earliest: later, latest: later }) }, { owner: 'the one who looks' })
  while ((await propagator.round()) > 0);
  await propagator.stop()
}

export async function readStored(store: Store): Promise<Stored> {
  const byPlace = new Map<string, Body>()
  const elements = new Map<string, number>()
  const add = (element: string): unknown => elements.set(element, 1 + (elements.get(element) ?? 0))
  for (const container of ['books', 'authors', 'people', 'portfolios', 'trades', 'stocks']) {
    for (const { key, body } of await store.query({ container, orderBy: { path: ['id'], descending: false }, limit: 1_000_000 })) {
      byPlace.set(`${container}/${key.id}`, body)
      if (container === 'books' && body['type'] === 'book') add(`book ${String(body['name'])}`)
      if (container === 'trades') add(`trade ${String(body['price'])}`)
      for (const list of Object.values(body)) if (container === 'books' && Array.isArray(list)) for (const each of list as readonly Body[]) if (each['text'] !== undefined) add(`review ${String(each['text'])}`)
    }
  }
  return {
    value(place) {
      const [container, id, property] = JSON.parse(place) as [string, string, string]
      const body = byPlace.get(`${container}/${id}`)
      if (property === 'held') return heldIn(body)
      return body ? ((body[property] as Value | undefined) ?? 0) : null
    },
    occurrences: (element) => elements.get(element) ?? 0,
    // What the sample begins with is not anybody's.
    total: (id) => Number(byPlace.get(`stocks/${id}`)!['vol']) - volumeAtFirst,
  }
}

const volumeAtFirst = 11_970_000

function heldIn(portfolio: Body | undefined): Value {
  if (!portfolio) return null
  const holdings = (portfolio['holdings'] ?? []) as readonly { readonly numberHeld: number }[]
  return holdings[0]?.numberHeld ?? 0
}
