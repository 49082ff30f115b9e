// Measures the time from process start to the first answer, with the command of `npm start`: on a store that already has the
// sample documents, and on a new one, which the start seeds. The baseline is a plain node:http server, the share of Node itself.

import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { contenders, startCommand } from '../contenders.ts'
import { cachePath, removeDatabase, writeCached, writeSampleDatabase } from '../data/sample.ts'
import { interleaved } from '../interleaved.ts'
import { table, times, whole } from '../report/table.ts'
import { startServer, type ServerCommand } from '../servers/start-server.ts'
import { median, ratio, spread } from '../statistics.ts'
import { chosen, type Suite } from '../suite.ts'

const body = JSON.stringify({ query: '{ book(id: "b1") { name } }' })

interface Start {
  readonly name: string
  readonly title: string
  readonly command: ServerCommand
  readonly before?: () => void
}

export const startup: Suite = async (options) => {
  const answers = writeCached('startup-answers.json', { [body]: '{"data":{}}' })
  const filled = await writeSampleDatabase('startup-filled.db')
  const fresh = cachePath('startup-new/library.db')
  const fixed = contenders.find(({ kind }) => kind === 'ceiling')!
  const starts = chosen<Start>([
    { name: 'fixed', title: fixed.title, command: fixed.command({ store: 'memory', jwks: '', documents: '', answers }) },
    { name: 'filled', title: 'Quire, a store filled before', command: quire(`sqlite:${filled}`) },
    { name: 'production', title: 'Quire, the same in production', command: quire(`sqlite:${filled}`, { NODE_ENV: 'production' }) },
    { name: 'new', title: 'Quire, a new store', command: quire(`sqlite:${fresh}`), before: () => rmSync(dirname(fresh), { recursive: true, force: true }) },
  ], options)
  const repeats = options.rounds * (options.quick ? 2 : 4)
  options.progress(`Starting each of ${starts.length} ${repeats} times`)
  // The first start is not counted. It ends with SIGTERM, because Node writes its compile cache only on a normal exit.
  await interleaved(1, starts, (start) => timeToAnswer(start, 'SIGTERM'))
  const measured = await interleaved(repeats, starts, (start) => timeToAnswer(start))
  removeDatabase(filled)
  rmSync(dirname(fresh), { recursive: true, force: true })
  const rows = starts.map((start) => ({ name: start.name, title: start.title, ms: measured.get(start)! }))
  return {
    how: `each ${repeats} times, after a first one that is not counted`,
    tables: table(['start', 'ms to the first answer', 'min–max', `times ${rows[0]!.title}`], rows.map(({ title, ms }) => {
      const { min, max } = spread(ms)
      return [title, whole(median(ms)), `${whole(min)}–${whole(max)}`, times(ratio(ms, rows[0]!.ms))]
    })),
    data: { rows },
  }
}

function quire(store: string, env: Record<string, string> = {}): ServerCommand {
  return { ...startCommand(), env: { QUIRE_STORE: store, NODE_ENV: '', ...env } }
}

async function timeToAnswer({ command, before }: Start, end?: 'SIGTERM'): Promise<number> {
  before?.()
  const started = performance.now()
  const server = await startServer(command)
  const answer = await server.ask(body)
  const ms = performance.now() - started
  await server.stop(end)
  if (!answer.data) throw new Error(`The first answer has no data: ${JSON.stringify(answer)}`)
  return ms
}
