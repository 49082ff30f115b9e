// The shutdown of a server on SIGTERM or SIGINT (listen.ts receives them), in order: load balancers learn of it and get a moment to send requests elsewhere; the server
// stops listening, answers the open requests, and closes everything. Work that takes too long is cut off, and the exit
// code says so.

import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../observe/log/log.ts'
import { standardErrorWritten } from '../observe/log/standard-error.ts'

/**
 * How long before the end of the drain time connections are kept alive again. Clients whose connections close at every response connect
 * anew each time, and the system resets those that are still waiting to be accepted when the server stops listening.
 */
const settleMs = 200

/** How long requests may take to arrive that were sent before the server stopped listening. Their clients would see a reset. */
const arrivalMs = 300

/** How long a slow reader of the log may take for the last lines. */
const maxLogMs = 5000

export interface ShutdownOptions {
  readonly log: Log
  /** How long to keep accepting connections. */
  readonly drainMs: number
  /** After this long the process exits, whatever is still running. */
  readonly maxMs?: number
  /** Whether every response closes its connection from now on. */
  readonly leave: (leaves: boolean) => void
  /** Answers the open requests, and closes the gateway. */
  readonly close: () => Promise<unknown>
  /** How many requests are not answered in full. */
  readonly open: () => number
  readonly exit?: (code: number) => void
}

export class Shutdown {
  readonly #server: Server
  readonly #options: ShutdownOptions
  readonly #exit: (code: number) => void
  #code: number | undefined

  constructor(server: Server, options: ShutdownOptions) {
    this.#server = server
    this.#options = options
    this.#exit = options.exit ?? ((code) => process.exit(code))
  }

  get isRunning(): boolean {
    return this.#code !== undefined
  }

  /** The first call shuts down in order; a second one, such as another Ctrl-C, exits at once. */
  begin(reason: string, code: number, codeIfRepeated = 1): void {
    if (this.isRunning) return this.#exit(codeIfRepeated)
    this.#code = code
    void this.#run(reason)
  }

  /** Shuts down after an unexpected error, or lets the current shutdown exit with 1. */
  fail(reason: string): void {
    if (this.isRunning) this.#code = 1
    else this.begin(reason, 1)
  }

  async #run(reason: string): Promise<void> {
    const { log, drainMs, maxMs = 10_000, leave, close, open } = this.#options
    log.info({ reason, requests: open() }, 'shutting down')
    const deadline = setTimeout(() => {
      log.warn({ requests: open(), afterMs: maxMs }, 'cut off: requests were still running')
      this.#exit(1)
    }, maxMs)
    leave(true)
    await pause(Math.max(0, drainMs - settleMs))
    leave(false)
    await pause(Math.min(drainMs, settleMs))
    // Not http's own close, which also cuts connections whose first request is still on its way.
    NetServer.prototype.close.call(this.#server)
    leave(true)
    await pause(arrivalMs)
    // Idle connections, and those that become idle later.
    const idle = setInterval(() => this.#server.closeIdleConnections(), 20)
    try {
      await close()
    } catch (error) {
      log.error({ err: error }, 'The gateway could not be closed.')
      this.#code = 1
    }
    clearInterval(idle)
    clearTimeout(deadline)
    await standardErrorWritten(maxLogMs)
    this.#exit(this.#code!)
  }
}
