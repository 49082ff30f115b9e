// SIGTERM with a hundred requests in flight over a slow store: all of them are answered before the process ends.

import { WaitingRequests } from '../../bench/load/waiting-requests.ts'
import { fourLevels } from '../load/bodies.ts'
import { progress, outcome, type Outcome } from '../scenario.ts'
import { startLibrary } from '../servers/start-library.ts'

const inFlight = 100

export const defaults = { quick: false }

export async function run({ quick }: typeof defaults): Promise<Outcome> {
  const rounds = quick ? 1 : 5
  const seen: { answered: number; dropped: number; exitCode: number | null; tookMs: number }[] = []
  for (let round = 0; round < rounds; round++) {
    progress(`round ${round + 1} of ${rounds}`)
    const server = await startLibrary({ lateMs: 200 })
    await server.ask(fourLevels)
    const clients = Array.from({ length: inFlight }, () => new WaitingRequests((JSON.parse(fourLevels) as { query: string }).query))
    for (const client of clients) client.send(server.port, 1)
    const answers = clients.map((client) => client.answered().then(() => true, () => false))
    // By now every request waits for the first of its four store calls.
    await new Promise((resolve) => setTimeout(resolve, 100))
    const startedMs = performance.now()
    process.kill(server.pid, 'SIGTERM')
    const answered = (await Promise.all(answers)).filter(Boolean).length
    const exitCode = await server.exited
    seen.push({ answered, dropped: inFlight - answered, exitCode, tookMs: performance.now() - startedMs })
    await server.stop()
  }
  return outcome({
    lines: [`${inFlight} requests in flight, ${rounds} times: ${seen.reduce((sum, { dropped }) => sum + dropped, 0)} dropped, exit codes ${[...new Set(seen.map(({ exitCode }) => exitCode))].join(', ')}, ended after at most ${Math.round(Math.max(...seen.map(({ tookMs }) => tookMs)))} ms.`],
    data: { rounds: seen },
    holds: seen.every(({ dropped, exitCode, tookMs }) => dropped === 0 && exitCode === 0 && tookMs < 11_000),
  })
}
