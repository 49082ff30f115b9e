// How long a gateway with many document types takes to start, on a new store and again. growth-writes.ts runs it.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cachePath, removeDatabase } from '../data/sample.ts'
import { short, table, whole } from '../report/table.ts'
import { startServer } from '../servers/start-server.ts'
import { median } from '../statistics.ts'
import type { Options } from '../suite.ts'
import type { Result } from './growth-writes.ts'

interface TypesRow {
  readonly types: number
  readonly newSeconds: number
  readonly againSeconds: number
}

export async function measureTypes(counts: readonly number[], options: Options): Promise<Result> {
  const rows: TypesRow[] = []
  for (const types of counts) {
    options.progress(`Growth of writes: ${whole(types)} types`)
    const folder = cachePath(`types-${types}`)
    const file = cachePath('growth-types.db')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'types.graphql'), Array.from({ length: types }, (_, at) => typeNumber(at)).join('\n'))
    try {
      const rounds = []
      for (let round = 0; round < options.rounds; round++) {
        removeDatabase(file)
        rounds.push({ newSeconds: await secondsToStart(folder, file), againSeconds: await secondsToStart(folder, file) })
      }
      rows.push({ types, newSeconds: median(rounds.map(({ newSeconds }) => newSeconds)), againSeconds: median(rounds.map(({ againSeconds }) => againSeconds)) })
    } finally {
      removeDatabase(file)
      rmSync(folder, { recursive: true })
    }
  }
  return {
    name: 'types', title: 'starting with many types', rows,
    table: table(['types', 's, a new store', 'ms per type', 's, again'], rows.map((row) => [whole(row.types), short(row.newSeconds), short((row.newSeconds * 1000) / row.types), short(row.againSeconds)])),
  }
}

/** Each points at the one before it, and has fields to filter and order by. */
function typeNumber(at: number): string {
  return `type Thing${at} @document(container: "things${at}") {
  id: ID!
  name: String! @indexed
  size: Int @indexed
  color: String @indexed
  before: Thing${Math.max(0, at - 1)} @reference(at: "beforeId")
}`
}

async function secondsToStart(schema: string, file: string): Promise<number> {
  const startMs = performance.now()
  const server = await startServer({ args: [join(import.meta.dirname, '../../bin/quire.js'), 'start'], env: { QUIRE_STORE: `sqlite:${file}`, QUIRE_SCHEMA: schema } })
  const seconds = (performance.now() - startMs) / 1000
  await server.stop('SIGTERM')
  return seconds
}
