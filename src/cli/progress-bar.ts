// A line at the bottom of a terminal that says how far something has come, how fast it goes and how
// long it will take. Where there is no terminal there is no line.

export interface ProgressBar {
  /** What is counted can change on the way. */
  update(done: number, total: number, what?: string): void
  /** Makes room for a line of output; the next update draws the bar again. */
  clear(): void
}

export type Terminal = Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean; readonly columns?: number }

/** Drawing more often is more than eyes can use. */
const drawnEveryMs = 100

const cells = 24

export function createProgressBar(terminal: Terminal, what: string, now: () => number = () => performance.now()): ProgressBar {
  if (!terminal.isTTY) return { update() {}, clear() {} }
  let startMs = now()
  let lastDone = 0
  let lastCounted = what
  let drawnMs = -Infinity
  return {
    update(done, total, counted = what) {
      // It has begun again from the start, so what was measured before is of no use.
      if (done < lastDone || counted !== lastCounted) startMs = now()
      lastDone = done
      lastCounted = counted
      if (now() - drawnMs < drawnEveryMs) return
      drawnMs = now()
      terminal.write(`\r${lineOf(done, total, counted, now() - startMs).slice(0, (terminal.columns || 80) - 1)}\u001B[K`)
    },
    clear() {
      if (drawnMs === -Infinity) return
      drawnMs = -Infinity
      terminal.write('\r\u001B[K')
    },
  }
}

function lineOf(done: number, total: number, what: string, elapsedMs: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total)
  const bar = '█'.repeat(Math.round(share * cells)).padEnd(cells, '░')
  const perSecond = elapsedMs > 0 ? (done / elapsedMs) * 1000 : 0
  const left = perSecond > 0 ? `  ${Math.round(perSecond)}/s  ${durationOf(Math.max(0, total - done) / perSecond)} left` : ''
  return `${bar} ${Math.floor(share * 100)} %  ${done} of ${total} ${what}${left}`
}

function durationOf(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
