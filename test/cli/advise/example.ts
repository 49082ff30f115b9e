// The example of docs/advise.md: an invented day at the shipped library and brokerage, as a recording and as the
// advice that follows from it. `node test/cli/advise/example.ts` generates both.

import { readFileSync, writeFileSync } from 'node:fs'
import { proveAdvice } from '../../../src/cli/advise/prove-advice.ts'
import { adviceLines } from '../../../src/cli/advise/advice-text.ts'
import { measureOperation } from '../../../src/cli/report/measure-operation.ts'
import { readConfig } from '../../../src/config/config.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { readSchemaFolder } from '../../../src/serve/schema-folder.ts'
import { createGateway } from '../../../src/gateway.ts'
import { readSdl } from '../../../src/model/sdl/read-sdl.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { writeAll } from '../../../src/store/write-all.ts'
import { Recorder } from '../../../src/observe/workload/recorder.ts'
import { Tally } from '../../../src/observe/workload/tally.ts'
import type { Workload } from '../../../src/observe/workload/workload.ts'
import { writeWorkload } from '../../../src/observe/workload/workload-file.ts'

export const files = { record: 'examples/advise/workload.json', docs: 'docs/advise.md' }

/** Operations, and how often they are sent per day. */
const day: readonly (readonly [times: number, operation: string])[] = [
  [2000, '{ books(first: 20) { nodes { name authors { name } } } }'],
  [1500, '{ book(id: "b1") { name authors { name thumbnailUrl images { large } } publisher { name } reviews(first: 3) { nodes { rating text } } } }'],
  [600, '{ portfolios(first: 10) { nodes { name owner { name } holdings { numberHeld stock { symbol high low } } } } }'],
  [200, '{ publisher(id: "mspress") { name books(first: 10) { totalCount nodes { name } } } }'],
  // Each of ten prices, every hour.
  ...Array.from({ length: 10 }, (_, index) => [24, `mutation { recordTrade(input: { symbol: "$SYMBOL${index}", price: ${900 + index}.5, quantity: 3 }) { trade { id } } }`] as const),
  [2, 'mutation { updateAuthor(input: { id: "a1", firstName: "Tomas" }) { author { name } } }'],
  [100, 'mutation { addReview(input: { bookId: "b1", rating: 5, reviewer: "Reader", text: "Good." }) { review { id } } }'],
]

async function openSample() {
  const { typeDefs, derive = {}, resolvers = {}, seed } = await readSchemaFolder(readConfig({}).schemaFolder)
  const declaration = readDeclaration(typeDefs, derive)
  const store = await openMemoryStore(declaration.layout)
  await writeAll(store, seed!(declaration))
  return { typeDefs: typeof typeDefs === 'string' ? readSdl(typeDefs) : typeDefs, derive, resolvers, declaration, store }
}

export async function exampleRecord(): Promise<Workload> {
  const { store, typeDefs, derive, resolvers } = await openSample()
  const record = new Recorder()
  const gateway = await createGateway({ typeDefs, derive, resolvers, store: async () => store, openReads: true, openWrites: true, cursorSecret: 'example', record })
  const symbols = (await store.query({ container: 'stocks', orderBy: { path: ['id'], descending: false }, limit: 10 })).map(({ body }) => String(body['symbol']))
  const tally = new Tally()
  for (const [times, operation] of day) {
    const query = operation.replace(/\$SYMBOL(\d)/, (_, index: string) => symbols[Number(index)]!)
    const { errors } = await measureOperation(gateway, { query })
    if (errors.length > 0) throw new Error(errors.join(' '))
    tally.add(record.take(), times)
  }
  await gateway.dispose()
  return tally.workload({ runs: 1, startedAt: '2026-08-09T00:00:00.000Z', endedAt: '2026-08-10T00:00:00.000Z', recordedMs: 24 * 3_600_000 })
}

export async function exampleAdvice(workload: Workload) {
  const sample = await openSample()
  return proveAdvice({ ...sample, workload, sample: 1000 })
}

export function withExample(docs: string, lines: readonly string[]): string {
  return docs.replace(/(<!-- advice -->\n)[\s\S]*?(<!-- \/advice -->)/, (_, begin: string, end: string) => `${begin}\`\`\`\n${lines.join('\n')}\n\`\`\`\n${end}`)
}

if (process.argv[1] === import.meta.filename) {
  const workload = await exampleRecord()
  await writeWorkload(files.record, workload)
  writeFileSync(files.docs, withExample(readFileSync(files.docs, 'utf8'), adviceLines(await exampleAdvice(workload))))
}
