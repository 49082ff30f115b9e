// Runs a command that takes a while: a progress bar, Ctrl-C, a line or a JSON object per item as it is found, and the
// totals at the end. What the command does, and what its exit code means, is the command's own.

import { printError } from './print-error.ts'
import { createProgressBar } from './progress-bar.ts'

export interface LongRun {
  /** Aborted by the first Ctrl-C, so that the command ends after the current batch. The second one ends the process. */
  readonly signal: AbortSignal
  progress(done: number, total: number, what?: string): void
  /** Prints one item: its JSON with --json, otherwise its line. A person gets the first `maxLines`. */
  item(item: object, line: string): void
  /** Ends the command as Ctrl-C does. */
  stop(): void
}

export interface LongResult {
  /** Printed with --json. */
  readonly totals: object
  readonly summary: string
  readonly exitCode: number
}

/** Returns the exit code: that of the result, or 2 after an error. `resultOf` learns whether the work ended or was stopped. */
export async function runLongCommand({ json, counts, maxLines = 100 }: { json: boolean; counts: string; maxLines?: number }, work: (run: LongRun) => Promise<void>, resultOf: (ended: boolean) => LongResult): Promise<number> {
  const bar = createProgressBar(process.stderr, counts)
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  process.once('SIGINT', stop)
  const print = (line: string): void => {
    bar.clear()
    console.log(line)
  }
  let items = 0
  const item = (each: object, line: string): void => {
    items++
    if (json) print(JSON.stringify(each))
    else if (items <= maxLines) print(line)
  }
  let ended = true
  try {
    await work({ signal: stopping.signal, stop, item, progress: (done, total, what) => bar.update(done, total, what) })
  } catch (error) {
    bar.clear()
    if (!stopping.signal.aborted) return printError(error)
    ended = false
  }
  const { totals, summary, exitCode } = resultOf(ended)
  if (json) print(JSON.stringify({ ...totals, ended }))
  else {
    if (items > maxLines) print(`… and ${items - maxLines} more.`)
    print(summary)
  }
  return exitCode
}
