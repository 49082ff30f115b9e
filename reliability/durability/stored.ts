// Inspects a SQLite file as a gateway that starts after a crash would find it: copies the file and its WAL, opens the copy,
// follows the change feed to its end where snapshots depend on it, and runs `check`.

import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkStore } from '../../src/evolve/check/check-store.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { derive } from '../../schema/library/derive.ts'
import { sampleDocuments } from '../../test/library/sample-documents.ts'
import { readSdlFolder } from '../../src/model/sdl/read-sdl.ts'
import { markSeeded } from '../../src/store/own-container.ts'
import { Propagator } from '../../src/feed/propagator.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { writeAll } from '../../src/store/write-all.ts'
import type { Body } from '../../src/model/json/json.ts'
import type { Store } from '../../src/store/store.ts'
import type { WriteLog, Stored, Value } from './write-log.ts'

export const declaration = readDeclaration(readSdlFolder(join(import.meta.dirname, '../../schema/library')), derive)

/** A new store with the sample documents. */
export async function createStore(file: string): Promise<void> {
  const store = await openSqliteStore(file, declaration.layout)
  await writeAll(store, sampleDocuments(declaration.model))
  await markSeeded(store)
  await followToEnd(store)
  await store.close()
}

/** The name of a document's property in `WriteLog` and `Stored`. */
export function propertyName(container: string, id: string, property: string): string {
  return JSON.stringify([container, id, property])
}

export interface Look {
  /** For copies of the file. */
  readonly folder: string
  /** Whether snapshots are updated through the change feed, so that they are right only at its end. */
  readonly follows?: boolean
  /** Changes the copy before it is opened. */
  readonly before?: (copy: string) => void
}

/** Everything that contradicts what clients were told, or what the schema declares. No process may write to the file. */
export async function inspectStore(file: string, writeLog: WriteLog, { folder, follows = false, before }: Look): Promise<string[]> {
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

/** Killed gateways still hold leases, so this propagator's clock is a minute ahead: for it they have expired. */
async function followToEnd(store: Store): Promise<void> {
  const later = Date.now() + 60_000
  const propagator = new Propagator(declaration, { ...store, now: async () => ({ earliest: later, latest: later }) }, { owner: 'inspection' })
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
    // No client traded the volume of the sample.
    total: (id) => Number(byPlace.get(`stocks/${id}`)!['vol']) - sampleVolume,
  }
}

const sampleVolume = 11_970_000

function heldIn(portfolio: Body | undefined): Value {
  if (!portfolio) return null
  const holdings = (portfolio['holdings'] ?? []) as readonly { readonly numberHeld: number }[]
  return holdings[0]?.numberHeld ?? 0
}
