// Makes the writes of one call in an open transaction: all of them or none. The state of every document is read first and each condition is
// checked against it, so that a write that is refused has written nothing and the transaction goes on for others.

import { partitionText } from '../../../model/keys/key.ts'
import { partOf } from '../../in-process/feed-parts.ts'
import { newEtag, type JsonWrite, type Written } from '../../in-process/prepare-write.ts'
import { checkCondition, containerNamed } from '../../write-condition.ts'
import type { PostgresContainer } from '../open/prepare-layout.ts'
import type { FeedStatements, NewEntry } from '../sql/feed-sql.ts'
import { portable, portableJson } from '../sql/portable-text.ts'
import { findSql, putSql, type NewRow } from '../sql/write-sql.ts'
import type { WriteTransaction } from './write-transaction.ts'

/** The most that one statement writes. */
const maxPerStatement = { documents: 500, bytes: 4 * 1024 * 1024 }

interface Found {
  readonly etag: string
  readonly bytes: number
}

/** What becomes of a document after all writes of the call. */
interface Final {
  readonly container: PostgresContainer
  readonly write: JsonWrite
  readonly etag: string
  readonly existed: boolean
}

export async function writeDocuments(transaction: WriteTransaction, containers: ReadonlyMap<string, PostgresContainer>, feed: FeedStatements, writes: readonly JsonWrite[]): Promise<Written[]> {
  const { written, finals } = settle(writes, containers, await findAll(transaction, containers, writes))
  // In the order of the feed.
  for (const run of runsOf(finals)) {
    const { container } = run[0]!
    const entries = run.map((final) => entryOf(transaction, final))
    if (run[0]!.write.json === undefined) {
      await transaction.write(feed.remove(container, entries, transaction.at))
      continue
    }
    // Sent together: both are answered before the next.
    const put = transaction.write(putSql(container, run.map(rowOf)))
    await (container.followed ? Promise.all([put, transaction.write(feed.put(entries, transaction.at))]) : put)
  }
  return written
}

async function findAll(transaction: WriteTransaction, containers: ReadonlyMap<string, PostgresContainer>, writes: readonly JsonWrite[]): Promise<Map<string, Found>> {
  const found = new Map<string, Found>()
  const byContainer = Map.groupBy(writes, ({ write }) => write.container)
  const targets = [...byContainer].map(([name, some]) => [containerNamed(containers, name), some] as const)
  await Promise.all(targets.map(async ([container, some]) => {
    const rows = await transaction.read(findSql(container, [...new Set(some.map(({ key }) => key))]))
    for (const [key, etag, bytes] of rows as [string, string, number][]) found.set(nameOf(container.name, key), { etag, bytes })
  }))
  return found
}

/** Goes through the writes in their order. Each sees the earlier ones. */
function settle(writes: readonly JsonWrite[], containers: ReadonlyMap<string, PostgresContainer>, found: Map<string, Found>): { written: Written[]; finals: Final[] } {
  const finals = new Map<string, Final>()
  const stored = new Set(found.keys())
  const written = writes.map((each): Written => {
    const { write, key, json } = each
    const container = containers.get(write.container)!
    const name = nameOf(write.container, key)
    const before = found.get(name)
    checkCondition(write, before)
    const etag = json === undefined ? '' : newEtag()
    if (json === undefined) found.delete(name)
    else found.set(name, { etag, bytes: json.bytes })
    // Deleted first, so that it moves to the end of the map.
    finals.delete(name)
    if (json !== undefined || stored.has(name)) finals.set(name, { container, write: each, etag, existed: stored.has(name) })
    return { etag, bytes: json?.bytes, replacedBytes: before?.bytes }
  })
  return { written, finals: [...finals.values()] }
}

/** Neighbours of one container and kind, which one statement can write. */
function* runsOf(finals: readonly Final[]): Generator<Final[]> {
  let run: Final[] = []
  let bytes = 0
  for (const final of finals) {
    const size = final.write.json?.bytes ?? 0
    const [first] = run
    const fits = first && run.length < maxPerStatement.documents && bytes + size <= maxPerStatement.bytes
    if (first && !(fits && first.container === final.container && (first.write.json === undefined) === (final.write.json === undefined) && settledOf(first) === settledOf(final))) {
      yield run
      run = []
      bytes = 0
    }
    run.push(final)
    bytes += size
  }
  if (run.length > 0) yield run
}

function settledOf({ write: { write } }: Final): number | undefined {
  return write.kind === 'put' ? write.settled : undefined
}

function entryOf(transaction: WriteTransaction, final: Final): NewEntry {
  const { container, write: { key, write } } = final
  return { container: container.name, key, part: container.followed ? partOf(write.key.partition) : '', sequence: container.followed ? transaction.nextSequence() : 0, settled: settledOf(final) }
}

function rowOf({ write: { write, key, json }, etag }: Final): NewRow {
  const type = write.kind === 'put' ? write.body['type'] : undefined
  return { key, partition: partitionText(write.key.partition), id: portable(write.key.id), type: typeof type === 'string' ? portable(type) : null, etag, bytes: json!.bytes, body: portableJson(json!.text) }
}

function nameOf(container: string, key: string): string {
  return `${container} ${key}`
}
