// Standard error as the log writes it: without making a request wait, and many lines at a time, because a system call for each
// line costs more than making it. A line waits for at most a tenth of a second, or until there are a few kilobytes. If the
// reader is too slow, lines beyond 16 MB are dropped. When the process exits, the rest is written.

import sonicBoom from 'sonic-boom'

/** Where lines go. */
export interface LineStream {
  write(line: string): void
}

const chunkLength = 8192
const maxWaitMs = 100

/** One for the process: several gateways in it must not mix their chunks. */
export function standardError(): LineStream {
  return (opened ??= bufferLines(openStandardError()))
}
let opened: LineStream | undefined

interface ChunkStream extends LineStream {
  flushSync(): void
}

function openStandardError(): ChunkStream {
  const stream = new sonicBoom.SonicBoom({ fd: 2, sync: false, maxLength: 16 * 1024 * 1024 })
  let isGone = false
  // Nobody reads it any more, and there is nobody to tell.
  stream.on('error', () => (isGone = true))
  return {
    write: (text) => {
      if (!isGone) stream.write(text)
    },
    flushSync: () => {
      if (!isGone) stream.flushSync()
    },
  }
}

export function bufferLines(to: ChunkStream): LineStream {
  let lines = ''
  let timer: NodeJS.Timeout | undefined
  const pass = (): void => {
    if (lines === '') return
    to.write(lines)
    lines = ''
  }
  process.once('exit', () => {
    pass()
    to.flushSync()
  })
  return {
    write(line) {
      lines += line
      if (lines.length >= chunkLength) return pass()
      // Set for the first line that waits, and not cleared when a chunk is full: one timer serves hundreds of lines.
      timer ??= setTimeout(() => {
        timer = undefined
        pass()
      }, maxWaitMs).unref()
    },
  }
}
