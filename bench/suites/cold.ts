// Measures the first run of an operation: a text that the server has never seen has to be parsed, validated and planned
// as well as answered. The server has answered many other operations before, so its own code is warm. One request at a time on one
// connection; each text is sent a few times, so the table also shows what it takes to compile it and how soon the cost is gone. Each answer is compared in full.

import { deepStrictEqual } from 'node:assert'
import { chosenParts } from '../chosen-parts.ts'
import type { Contender, Data } from '../contenders.ts'
import { cachePath, sampleLibrary, writeCached } from '../data/sample.ts'
import { signIn } from '../data/sign-in.ts'
import { interleaved } from '../interleaved.ts'
import { OneConnection } from '../load/one-connection.ts'
import type { Operation } from '../operations/operation.ts'
import { sameRequests } from '../operations/same.ts'
import { short, table, times } from '../report/table.ts'
import { startServer, type Server } from '../servers/start-server.ts'
import { median, quantile, ratio } from '../statistics.ts'
import type { Suite } from '../suite.ts'

/** How often each text is sent. */
const runs = 3

/** The row that the others are compared with. */
const baseline = 'mercurius-log'

/** Operations without variables: what differs from text to text is an alias. */
const shapes = sameRequests.filter(({ name }) => name !== 'page')

export const cold: Suite = async (options) => {
  const { operations, contenders } = chosenParts(shapes, options)
  const documents = await sampleLibrary()
  const { jwks } = await signIn()
  const data: Data = { store: 'memory', jwks, documents: writeCached('sample.json', documents), answers: '' }
  // A fixed answer knows no new text.
  const able = contenders.filter(({ kind }) => kind !== 'ceiling')
  const texts = options.rounds * (options.quick ? 10 : 60)
  const results: Result[] = []
  const servers: Omit<Started, 'connection'>[] = []
  const started: Started[] = []
  try {
    for (const contender of able) servers.push({ contender, server: await startServer({ ...contender.command(data), logFile: cachePath(`${contender.name}.log`) }) })
    // Only now: a server closes connections that send nothing while the others start.
    for (const each of servers) started.push({ ...each, connection: new OneConnection(each.server.port) })
    for (const operation of operations) {
      options.progress(`First runs: ${operation.title}`)
      const expected = operation.requests(documents)[0]!.expected as Record<string, unknown>
      // Texts are never repeated, so those of the warm-up differ from those that are measured.
      await interleaved(texts, started, (each, number) => timesOf(each, operation, expected, `w${number}`))
      const measured = await interleaved(texts, started, (each, number) => timesOf(each, operation, expected, `n${number}`))
      results.push({ operation: operation.name, title: operation.title, rows: started.map((each) => ({ name: each.contender.name, title: each.contender.title, isBold: each.contender.kind === 'quire', ms: measured.get(each)! })) })
    }
  } finally {
    for (const { connection } of started) connection.close()
    await Promise.all(servers.map(({ server }) => server.stop()))
  }
  const tables = results.map((result) => `### First run of ${result.operation}: ${result.title.toLowerCase()}\n\n${coldTable(result.rows)}`).join('\n\n')
  return { how: `${texts} texts, each ${runs} times, one request at a time, in memory`, tables, data: { runs, results } }
}

interface Started {
  readonly contender: Contender
  readonly server: Server
  readonly connection: OneConnection
}

interface Row {
  readonly name: string
  readonly title: string
  readonly isBold: boolean
  /** For each text the time of its first run, its second, and so on. */
  readonly ms: readonly (readonly number[])[]
}

interface Result {
  readonly operation: string
  readonly title: string
  readonly rows: readonly Row[]
}

async function timesOf({ contender, server, connection }: Started, operation: Operation, expected: Record<string, unknown>, alias: string): Promise<number[]> {
  const query = aliased(operation.query, alias)
  const body = JSON.stringify({ query })
  const taken: number[] = []
  for (let run = 0; run < runs; run++) taken.push(await connection.timeOf(body))
  deepStrictEqual(await server.ask(body), { data: { [alias]: Object.values(expected)[0] } }, `${contender.title} gives a wrong answer to ${query}`)
  return taken
}

/** Puts an alias before the root field, the first name in the text. */
function aliased(query: string, alias: string): string {
  return query.replace(/\w+/, (field) => `${alias}: ${field}`)
}

function coldTable(rows: readonly Row[]): string {
  const nth = (row: Row, run: number) => row.ms.map((ofText) => ofText[run]!)
  const compared = rows.find(({ name }) => name === baseline)
  const head = ['server', 'first run p50 ms', 'p99 ms', 'p99.9 ms', 'longest ms', 'second run p50 ms', 'third run p50 ms', `first run, times ${compared?.title ?? baseline}`]
  return table(head, rows.toSorted((one, other) => median(nth(one, 0)) - median(nth(other, 0))).map((row) => {
    const first = nth(row, 0)
    return [
      row.isBold ? `**${row.title}**` : row.title,
      short(median(first)),
      short(quantile(first, 0.99)),
      short(quantile(first, 0.999)),
      short(Math.max(...first)),
      short(median(nth(row, 1))),
      short(median(nth(row, 2))),
      compared ? times(ratio(first, nth(compared, 0))) : '',
    ]
  }))
}
