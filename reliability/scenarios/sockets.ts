// A thousand sockets send their requests byte by byte; ordinary clients beside them wait at most twice as long.

import { interleaved } from '../../bench/interleaved.ts'
import { ratio, spread } from '../../bench/statistics.ts'
import { fourLevels } from '../load/bodies.ts'
import { LoadProcess } from '../../bench/load/load-process.ts'
import { SlowSockets } from '../load/slow-sockets.ts'
import { progress, outcome, type Outcome } from '../scenario.ts'
import { startLibrary } from '../servers/start-library.ts'

const maxRatio = 2

export const defaults = { quick: false }

export async function run({ quick }: typeof defaults): Promise<Outcome> {
  const [many, seconds, rounds] = quick ? [200, 2, 3] : [1000, 10, 5]
  const server = await startLibrary()
  const load = new LoadProcess()
  const { port } = server
  // Half of the peak rate: this measures waiting, not throughput.
  const peak = await load.peak({ port, bodies: [fourLevels], connections: 10, seconds })
  const perSecond = peak.goodPerSecond / 2
  let cut = 0
  const measured = await interleaved(rounds, ['without', 'with'] as const, async (which, round) => {
    progress(`round ${round + 1} of ${rounds}, ${which} slow sockets`)
    const slow = new SlowSockets(port)
    if (which === 'with') await slow.open(many)
    const result = await load.runPaced({ port, bodies: [fourLevels], connections: 1000, seconds, perSecond })
    cut += slow.cut
    slow.close()
    return result
  })
  load.stop()
  await server.stop()
  const p99 = (which: 'with' | 'without'): number[] => measured.get(which)!.map(({ p99Ms }) => p99Ms)
  const unanswered = (which: 'with' | 'without'): number => measured.get(which)!.reduce((sum, { failed, refused }) => sum + failed + refused, 0)
  const due = measured.get('with')!.reduce((sum, result) => sum + result.due, 0)
  const grown = ratio(p99('with'), p99('without'))
  return outcome({
    lines: [`${many} slow sockets beside ${Math.round(perSecond)} requests per second: p99 ${spread(p99('with')).median.toFixed(1)} ms against ${spread(p99('without')).median.toFixed(1)} ms without them, ${grown.median.toFixed(2)} times as long (at most ${maxRatio}; ${rounds} rounds, from ${grown.min.toFixed(2)} to ${grown.max.toFixed(2)}). ${cut} slow sockets were closed meanwhile; ${unanswered('with')} of ${due} requests were refused or failed, ${unanswered('without')} without them.`],
    data: { many, perSecond, cut, with: measured.get('with'), without: measured.get('without') },
    holds: grown.median <= maxRatio && unanswered('with') <= Math.max(due / 100, 2 * unanswered('without')),
  })
}
