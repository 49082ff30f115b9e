// Reads a system call trace of `strace`: whether the disk had confirmed each write before the gateway acknowledged it. Every
// write contains a unique word, which appears in its request, in the WAL page of its document, and in its answer.

/** `-s` prints whole WAL pages. `-D` makes the traced process keep the process id. */
export function straceOf(output: string): string[] {
  return ['strace', '-D', '-f', '-y', '-s', '5000', '-e', 'trace=read,write,writev,pwrite64,fsync,fdatasync', '-o', output]
}

export interface Traced {
  /** Words that were read from a socket, written to the WAL, synced, and only then written to a socket. */
  readonly inOrder: string[]
  /** Words in any other order: a power failure at the moment of the answer would lose each of them. */
  readonly tooEarly: string[]
  /** Syncs of the WAL that confirmed at least one word. */
  readonly commits: number
}

type Step = 'received' | 'written' | 'synced'

export function readTrace(trace: string, file: string, words: readonly string[]): Traced {
  const [inOrder, tooEarly]: [string[], string[]] = [[], []]
  const steps = new Map<string, Step>()
  const log = `${file}-wal`
  let commits = 0
  const step = (line: string, from: Step | undefined, to: Step): void => {
    for (const word of words) if (steps.get(word) === from && line.includes(word)) steps.set(word, to)
  }
  for (const line of wholeLines(trace)) {
    const [, call, target] = /^\d+ +(\w+)\(\d+<(.+?)>[,)].* = \d+$/s.exec(line) ?? []
    const isSocket = target?.startsWith('socket:') || target?.startsWith('TCP')
    if (call === 'read' && isSocket) step(line, undefined, 'received')
    if (call === 'pwrite64' && target === log) step(line, 'received', 'written')
    if ((call === 'fsync' || call === 'fdatasync') && target === log) {
      const confirmed = words.filter((word) => steps.get(word) === 'written')
      for (const word of confirmed) steps.set(word, 'synced')
      if (confirmed.length > 0) commits++
    }
    if ((call === 'write' || call === 'writev') && isSocket) {
      for (const word of words.filter((each) => line.includes(each))) {
        if (steps.get(word) === 'synced') inOrder.push(word)
        else tooEarly.push(`${word} was answered when it was only ${steps.get(word) ?? 'unknown'}`)
      }
    }
  }
  return { inOrder, tooEarly, commits }
}

/** strace splits a call into two lines when another thread runs in between; it counts when it ends. */
function* wholeLines(trace: string): Generator<string> {
  const begun = new Map<string, string>()
  for (const line of trace.split('\n')) {
    const thread = line.slice(0, line.indexOf(' '))
    const unfinished = line.indexOf(' <unfinished ...>')
    const resumed = / resumed>/.exec(line.slice(0, 60))
    if (unfinished !== -1) begun.set(thread, line.slice(0, unfinished))
    else yield resumed ? `${begun.get(thread) ?? ''}${line.slice(resumed.index + resumed[0].length)}` : line
  }
}
