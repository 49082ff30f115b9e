// How a gateway ends. Whoever sends requests here is told first, and gets a moment to send them elsewhere; then
// nobody is let in any more, everything that has begun is answered, and what was opened is closed. What has not
// ended by then is cut, and the exit code says so.

import type { Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../observe/log/log.ts'

export interface EndingOptions {
  readonly log: Log
  /** For how long new connections are still taken. */
  readonly drainMs: number
  /** After this long whatever is left is cut. */
  readonly mostMs?: number
  /** From here on every answer is the last on its connection. */
  readonly leave: () => void
  /** Answers what has begun, and closes what is open. */
  readonly close: () => Promise<unknown>
  /** How many requests have not been answered in full. */
  readonly open: () => number
  readonly exit?: (code: number) => void
}

export class Ending {
  readonly #server: Server
  readonly #options: EndingOptions
  readonly #exit: (code: number) => void
  #code: number | undefined

  constructor(server: Server, options: EndingOptions) {
    this.#server = server
    this.#options = options
    this.#exit = options.exit ?? ((code) => process.exit(code))
  }

  get isEnding(): boolean {
    return this.#code !== undefined
  }

  /** The first time in order; whoever asks again does not want to wait. */
  begin(reason: string, code: number, codeAtOnce = 1): void {
    if (this.isEnding) return this.#exit(codeAtOnce)
    this.#code = code
    void this.#run(reason)
  }

  /** Something is wrong that nobody understands. It ends all the same if it is ending already. */
  fail(reason: string): void {
    if (this.isEnding) this.#code = 1
    else this.begin(reason, 1)
  }

  async #run(reason: string): Promise<void> {
    const { log, drainMs, mostMs = 10_000, leave, close, open } = this.#options
    log.info({ reason, requests: open() }, 'ending')
    const cut = setTimeout(() => {
      log.warn({ requests: open(), afterMs: mostMs }, 'cut: this was still running')
      this.#exit(1)
    }, mostMs)
    leave()
    await pause(drainMs)
    this.#server.close()
    // Connections on which nothing is under way, now and as soon as it is so.
    const idle = setInterval(() => this.#server.closeIdleConnections(), 20)
    try {
      await close()
    } catch (error) {
      log.error({ err: error }, 'It could not be closed in order.')
      this.#code = 1
    }
    clearInterval(idle)
    clearTimeout(cut)
    this.#exit(this.#code!)
  }
}
