// Every cycle of the shipped schema and of a schema of interfaces, deep and wide, over dense documents, again and again and by several
// clients at once, a part of them traced: each operation is answered or refused, /health answers in time, and memory stays within a bound.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../../bench/servers/start-server.ts'
import { servedSchema } from '../../src/plan/explain/explain.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { growingSchemas } from '../../test/hostile/growing-schemas.ts'
import { canarySettings, searchOutput } from '../canaries.ts'
import { cyclesOf, goingRound, growingArguments } from '../hostile/growth.ts'
import { Probe } from '../load/probe.ts'
import { firstFew, outcome, progress, type Outcome } from '../scenario.ts'

/** `documents` of each type; the limits are those of /health in milliseconds and of resident memory in megabytes. */
export const defaults = { seconds: 60, clients: 4, documents: 60, maxP99Ms: 100, maxMb: 800 }

const shapes = [[12, 1], [8, 1], [4, 2], [3, 4]] as const
const refusals = new Set(['ANSWER_TOO_LARGE', 'QUERY_TOO_COSTLY', 'LIMIT_EXCEEDED', 'BAD_USER_INPUT', 'REQUEST_ENTITY_TOO_LARGE'])

interface Seen {
  readonly name: string
  readonly answered: number
  readonly refused: number
  readonly wrong: readonly string[]
  readonly healthMs: readonly number[]
  readonly beforeMb: number
  readonly peakMb: number
}

export async function run(options: typeof defaults): Promise<Outcome> {
  const seen: Seen[] = []
  for (const number of growingSchemas.keys()) seen.push(await attack(number, options))
  for (const { wrong } of seen) for (const line of firstFew(wrong)) console.error(line)
  return outcome({
    lines: seen.map(({ name, answered, refused, wrong, healthMs, beforeMb, peakMb }) =>
      `${name}, ${options.clients} clients for ${options.seconds} s: ${(answered + refused).toLocaleString('en-US')} operations that grow, ${refused.toLocaleString('en-US')} refused, ${wrong.length} otherwise wrong. `
        + `/health meanwhile, ${healthMs.length.toLocaleString('en-US')} times: p50 ${at(healthMs, 0.5)} ms, p99 ${at(healthMs, 0.99)} ms (limit ${options.maxP99Ms}), max ${at(healthMs, 1)} ms. Resident memory ${beforeMb.toFixed(0)} MB before, at most ${peakMb.toFixed(0)} MB (limit ${options.maxMb}).`),
    data: { schemas: seen },
    holds: seen.every(({ answered, refused, wrong, healthMs, peakMb }) => answered > 0 && refused > 0 && wrong.length === 0 && Number(at(healthMs, 0.99)) <= options.maxP99Ms && peakMb <= options.maxMb),
  })
}

async function attack(number: number, { seconds, clients, documents }: typeof defaults): Promise<Seen> {
  const [name, { typeDefs, derive }] = growingSchemas[number]!
  const folder = mkdtempSync(join(tmpdir(), 'quire-growth-'))
  const server = await startServer({
    args: [join(import.meta.dirname, '../servers/dense.ts')],
    env: { QUIRE_STORE: `sqlite:${join(folder, 'dense.db')}`, QUIRE_LOG: 'error', RELIABILITY_SCHEMA: String(number), RELIABILITY_DOCUMENTS: String(documents), ...canarySettings },
    listen: (...streams) => searchOutput('what a gateway wrote', ...streams),
  })
  const cycles = cyclesOf(servedSchema(readDeclaration(typeDefs, derive)))
  const queries = cycles.flatMap((cycle) => shapes.map(([depth, width]) => goingRound(cycle, { depth, width, argumentsOf: growingArguments('none') })))
  const probe = new Probe(server.port)
  const [beforeMb, untilMs] = [residentMb(server.pid), performance.now() + seconds * 1000]
  const wrong: string[] = []
  let [next, answered, refused, peakMb] = [0, 0, 0, 0]
  const asking = Array.from({ length: clients }, async () => {
    while (performance.now() < untilMs) {
      const query = queries[next++ % queries.length]!
      const problem = await server.ask(JSON.stringify({ query }), next % 5 === 0 ? { 'quire-trace': '1' } : {}).then((answer) => codeIn(answer), (error: unknown) => String(error))
      if (problem === undefined) answered++
      else if (refusals.has(problem)) refused++
      else wrong.push(`${problem}: ${query.slice(0, 200)}`)
      peakMb = Math.max(peakMb, residentMb(server.pid))
    }
  })
  await Promise.all(asking)
  const healthMs = (await probe.stop()).toSorted((one, other) => one - other)
  if (!server.isAlive()) wrong.push('the gateway has ended')
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
  progress(`${name}: ${queries.length} operations, ${answered + refused} asked, /health p99 ${at(healthMs, 0.99)} ms`)
  return { name, answered, refused, wrong, healthMs, beforeMb, peakMb }
}

function codeIn(answer: unknown): string | undefined {
  const { errors } = answer as { errors?: readonly { extensions?: { code?: string } }[] }
  return errors && (errors[0]?.extensions?.code ?? 'an error without a code')
}

/** Of sorted durations. */
function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Infinity).toFixed(1)
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}
