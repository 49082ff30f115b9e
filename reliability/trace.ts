// What a process asked of the system, as `strace` wrote it down: whether the disk had confirmed each write before it was
// acknowledged. Every write is known by a word of its own, which is in its request, in the page of the log that holds its
// document, and in its answer.

/** Pages of the log are shown whole. `-D` leaves the number of the process to the one that is traced. */
export function straceOf(output: string): string[] {
  return ['strace', '-D', '-f', '-y', '-s', '5000', '-e', 'trace=read,write,writev,pwrite64,fsync,fdatasync', '-o', output]
}

export interface Traced {
  /** Words that were read from a socket, written to the log, confirmed by a sync of it and only then written to a socket. */
  readonly inOrder: string[]
  /** What went on otherwise, word by word: each would be lost if the power failed at that moment. */
  readonly tooEarly: string[]
  /** How often the log was synced with something new in it. */
  readonly commits: number
}

type Step = 'asked' | 'written' | 'synced'

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
    if (call === 'read' && isSocket) step(line, undefined, 'asked')
    if (call === 'pwrite64' && target === log) step(line, 'asked', 'written')
    if ((call === 'fsync' || call === 'fdatasync') && target === log) {
      const confirmed = words.filter((word) => steps.get(word) === 'written')
      for (const word of confirmed) steps.set(word, 'synced')
      if (confirmed.length > 0) commits++
    }
    if ((call === 'write' || call === 'writev') && isSocket) {
      for (const word of words.filter((each) => line.includes(each))) {
        if (steps.get(word) === 'synced') inOrder.push(word)
        else tooEarly.push(`${word} was answered when it was only ${steps.get(word) ?? 'not even asked'}`)
      }
    }
  }
  return { inOrder, tooEarly, commits }
}

/** A call during which another thread had its turn is in two lines; it counts when it ended. */
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
