// A progress line at the bottom of a terminal: how far, how fast, how long to go. Without a terminal it prints nothing.

export interface ProgressBar {
  /** `what` names the items that are counted; it can change between updates. */
  update(done: number, total: number, what?: string): void
  /** Makes room for a line of output; the next update draws the bar again. */
  clear(): void
}

export type Terminal = Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean; readonly columns?: number }

/** More often than people can read. */
const drawEveryMs = 100

const cells = 24

export function createProgressBar(terminal: Terminal, what: string, now: () => number = () => performance.now()): ProgressBar {
  if (!terminal.isTTY) return { update() {}, clear() {} }
  let startMs = now()
  let lastDone = 0
  let lastCounted = what
  let drawnMs = -Infinity
  return {
    update(done, total, counted = what) {
      // A new count starts, so its speed is measured again.
      if (done < lastDone || counted !== lastCounted) startMs = now()
      lastDone = done
      lastCounted = counted
      if (now() - drawnMs < drawEveryMs) return
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
  const fraction = total === 0 ? 1 : Math.min(1, done / total)
  const bar = '█'.repeat(Math.round(fraction * cells)).padEnd(cells, '░')
  const perSecond = elapsedMs > 0 ? (done / elapsedMs) * 1000 : 0
  const left = perSecond > 0 ? `  ${Math.round(perSecond)}/s  ${durationOf(Math.max(0, total - done) / perSecond)} left` : ''
  return `${bar} ${Math.floor(fraction * 100)} %  ${done} of ${total} ${what}${left}`
}

function durationOf(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
