// Standard error as the log writes it: without making a request wait, and many lines at a time, because a system call for each
// line costs more than making it. A line waits for at most a tenth of a second, or until a chunk is full. If the reader is
// too slow, lines beyond 16 MB are dropped. When the process exits, the rest is written.
//
// Lines wait as bytes and not as strings: a busy gateway has thousands of them waiting, and the garbage collector would move
// each of them about.

import sonicBoom from 'sonic-boom'

/** Where lines go. */
export interface LineStream {
  write(line: string): void
}

/** One for the process: several gateways in it must not mix their chunks. */
export function standardError(): LineStream {
  return (opened ??= bufferLines(openStandardError()))
}
let opened: LineStream | undefined

interface ChunkStream {
  write(chunk: Buffer): void
  flushSync(): void
}

function openStandardError(): ChunkStream {
  const stream = new sonicBoom.SonicBoom({ fd: 2, sync: false, maxLength: 16 * 1024 * 1024, contentMode: 'buffer' })
  let isGone = false
  // Nobody reads it any more, and there is nobody to tell.
  stream.on('error', () => (isGone = true))
  return {
    write: (chunk) => {
      // In this mode it takes buffers; its types know strings only.
      if (!isGone) stream.write(chunk as unknown as string)
    },
    flushSync: () => {
      if (!isGone) stream.flushSync()
    },
  }
}

const chunkBytes = 32 * 1024
const maxWaitMs = 100

export function bufferLines(to: ChunkStream): LineStream {
  let chunk = Buffer.allocUnsafeSlow(chunkBytes)
  let filled = 0
  let timer: NodeJS.Timeout | undefined
  const pass = (): void => {
    if (filled === 0) return
    to.write(chunk.subarray(0, filled))
    chunk = Buffer.allocUnsafeSlow(chunkBytes)
    filled = 0
  }
  process.once('exit', () => {
    pass()
    to.flushSync()
  })
  return {
    write(line) {
      // A character takes up to three bytes.
      if (filled + 3 * line.length > chunkBytes) pass()
      if (3 * line.length > chunkBytes) return to.write(Buffer.from(line))
      filled += chunk.write(line, filled)
      // Set for the first line that waits, and not cleared when a chunk is full: one timer serves hundreds of lines.
      timer ??= setTimeout(() => {
        timer = undefined
        pass()
      }, maxWaitMs).unref()
    },
  }
}
