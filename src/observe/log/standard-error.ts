// Standard error as the log writes it: many lines at a time, because a system call for each line costs more than making it. A
// line waits for at most a tenth of a second, or until a chunk is full.
//
// A file takes a chunk at once. A pipe may block its writer until its reader reads, so chunks for it are written one after
// the other without making a request wait; if its reader is too slow, chunks beyond 16 MB are dropped. A process that ends in
// order waits for them for a moment. One that ends suddenly, while a chunk is under way, loses those behind it: written at
// once, they would come out in the middle of it.
//
// Lines wait as bytes and not as strings: a busy gateway has thousands of them waiting, and the garbage collector would move
// each of them about.

import cluster from 'node:cluster'
import { fstatSync, write, writeSync } from 'node:fs'

/** Where lines go. */
export interface LineStream {
  write(line: string): void
}

/** One for the process: several gateways in it must not mix their chunks. */
export function standardError(): LineStream {
  return (lines ??= bufferLines((chunk) => chunks.add(chunk)))
}
let lines: BufferedLines | undefined

/** Resolves when all lines are written, but not later than after so many milliseconds. */
export function standardErrorWritten(maxMs: number): Promise<void> {
  lines?.pass()
  return chunks.written(maxMs)
}

const maxWaiting = 16 * 1024 * 1024
const retryMs = 10

/** Writes chunks to a file descriptor in their order. */
class ChunkWriter {
  readonly #fd: number
  readonly #isFile: boolean
  #waiting: Buffer[] = []
  #bytes = 0
  #isWriting = false
  #whenWritten: (() => void)[] = []

  constructor(fd: number) {
    this.#fd = fd
    this.#isFile = isFile(fd)
  }

  add(chunk: Buffer): void {
    if (this.#bytes + chunk.length > maxWaiting) return
    this.#waiting.push(chunk)
    this.#bytes += chunk.length
    if (this.#isFile) this.writeAtOnce()
    else this.#writeNext()
  }

  /** Writes what waits, unless a chunk is under way. */
  writeAtOnce(): void {
    if (this.#isWriting) return
    try {
      for (let chunk = this.#waiting[0]; chunk; chunk = this.#waiting[0]) this.#advance(writeSync(this.#fd, chunk))
    } catch {
      // The reader has closed the pipe, or the disk is full, and there is no other place to report it.
      this.#forget()
    }
  }

  async written(maxMs: number): Promise<void> {
    if (this.#waiting.length === 0) return
    await new Promise<void>((resolve) => {
      this.#whenWritten.push(resolve)
      setTimeout(resolve, maxMs)
    })
  }

  #writeNext(): void {
    const [chunk] = this.#waiting
    if (!chunk || this.#isWriting) return
    this.#isWriting = true
    write(this.#fd, chunk, (error, written) => {
      this.#isWriting = false
      // A pipe that is full, and does not wait.
      if (error?.code === 'EAGAIN') return void setTimeout(() => this.#writeNext(), retryMs).unref()
      if (error) this.#forget()
      else this.#advance(written)
      this.#writeNext()
      if (this.#waiting.length === 0) for (const resolve of this.#whenWritten.splice(0)) resolve()
    })
  }

  #advance(written: number): void {
    const [chunk] = this.#waiting
    this.#bytes -= written
    if (written < chunk!.length) this.#waiting[0] = chunk!.subarray(written)
    else this.#waiting.shift()
  }

  #forget(): void {
    this.#waiting = []
    this.#bytes = 0
  }
}

function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile()
  } catch {
    return false
  }
}

const chunks = new ChunkWriter(2)
process.once('exit', () => {
  lines?.pass()
  chunks.writeAtOnce()
})

interface BufferedLines extends LineStream {
  /** Passes on the lines that wait. */
  pass(): void
}

/** A pipe keeps a write of up to 4 kB in one piece, which matters when several processes write to it. */
const chunkBytes = cluster.isWorker ? 4096 : 32 * 1024
const maxWaitMs = 100

function bufferLines(to: (chunk: Buffer) => void): BufferedLines {
  let chunk = Buffer.allocUnsafeSlow(chunkBytes)
  let filled = 0
  let timer: NodeJS.Timeout | undefined
  const pass = (): void => {
    if (filled === 0) return
    to(chunk.subarray(0, filled))
    chunk = Buffer.allocUnsafeSlow(chunkBytes)
    filled = 0
  }
  return {
    pass,
    write(line) {
      // A character takes up to three bytes.
      if (filled + 3 * line.length > chunkBytes) pass()
      if (3 * line.length > chunkBytes) return to(Buffer.from(line))
      filled += chunk.write(line, filled)
      // Set for the first line that waits, and not cleared when a chunk is full: one timer serves hundreds of lines.
      timer ??= setTimeout(() => {
        timer = undefined
        pass()
      }, maxWaitMs).unref()
    },
  }
}
