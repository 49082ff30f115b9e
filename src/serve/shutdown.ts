// The end of a server, in order. On SIGTERM or SIGINT load balancers learn of it and get a moment to send requests elsewhere;
// the server stops listening, answers the open requests, and closes everything. Work that takes too long is cut off, and the
// exit code says so. A server that others replace behind the same address retires instead: load balancers need not learn of it, and
// nothing is in a hurry.

import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Log } from '../observe/log/log.ts'
import { standardErrorWritten } from '../observe/log/standard-error.ts'

/**
 * How long before the end of the drain time connections are kept alive again. Clients whose connections close at every response connect
 * again each time, and the system resets those that are still waiting to be accepted when the server stops listening.
 */
const settleMs = 200

/** How long requests may take to arrive that were sent before the server stopped listening. Their clients would see a reset. */
const arrivalMs = 300

/** How long a slow reader of the log may take for the last lines. */
const maxLogMs = 5000

const defaultMaxMs = 10_000

export interface ShutdownOptions {
  readonly log: Log
  /** How long to keep accepting connections. */
  readonly drainMs: number
  /** After this long the process exits, whatever is still running. */
  readonly maxMs?: number
  /** The same for a server that retires: longer than any operation may take. */
  readonly maxRetiringMs?: number
  /** Whether every response closes its connection from now on. */
  readonly leave: (leaves: boolean) => void
  /** Answers the open requests, and closes the gateway. */
  readonly close: () => Promise<unknown>
  /** How many requests are not answered in full. */
  readonly open: () => number
  readonly exit?: (code: number) => void
}

/** How long a server that retires leaves idle connections open. One that sends a request in this time learns from its answer that it has to reconnect, so that it is never closed under a request. */
const lingerMs = 5000

/** How often to check whether connections are left. */
const pollMs = 20

export class Shutdown {
  readonly #server: Server
  readonly #options: ShutdownOptions
  readonly #exit: (code: number) => void
  #code: number | undefined
  #isRetiring = false
  #deadline: NodeJS.Timeout | undefined

  constructor(server: Server, options: ShutdownOptions) {
    this.#server = server
    this.#options = options
    this.#exit = options.exit ?? ((code) => process.exit(code))
  }

  /** Whether the address will soon be served no more. */
  get isRunning(): boolean {
    return this.#code !== undefined && !this.#isRetiring
  }

  /** The first call shuts down in order; a second one, such as another Ctrl-C, exits at once. */
  begin(reason: string, code: number, codeIfRepeated = 1): void {
    if (this.isRunning) return this.#exit(codeIfRepeated)
    const wasRetiring = this.#isRetiring
    this.#isRetiring = false
    this.#code = code
    this.#exitAfter(this.#options.maxMs ?? defaultMaxMs)
    if (!wasRetiring) void this.#run(reason)
  }

  /** Leaves the address to others that serve it, too. */
  retire(reason: string, code: number): void {
    if (this.#code !== undefined) return void (this.#code = Math.max(this.#code, code))
    this.#isRetiring = true
    this.#code = code
    this.#exitAfter(lingerMs + (this.#options.maxRetiringMs ?? defaultMaxMs))
    void this.#run(reason)
  }

  /** Shuts down after an unexpected error, or lets the current shutdown exit with 1. */
  fail(reason: string): void {
    if (this.#code === undefined) this.begin(reason, 1)
    else this.#code = 1
  }

  async #run(reason: string): Promise<void> {
    const { log, drainMs, leave, close, open } = this.#options
    log.info({ reason, requests: open() }, 'shutting down')
    leave(true)
    if (!this.#isRetiring) {
      await pause(Math.max(0, drainMs - settleMs))
      leave(false)
      await pause(Math.min(drainMs, settleMs))
    }
    // Not http's own close, which also cuts connections whose first request is still on its way.
    NetServer.prototype.close.call(this.#server)
    leave(true)
    await this.#linger()
    await pause(arrivalMs)
    // Idle connections, and those that become idle later.
    const idle = setInterval(() => this.#server.closeIdleConnections(), pollMs)
    try {
      await close()
    } catch (error) {
      log.error({ err: error }, 'The gateway could not be closed.')
      this.#code = 1
    }
    clearInterval(idle)
    clearTimeout(this.#deadline)
    await standardErrorWritten(maxLogMs)
    this.#exit(this.#code!)
  }

  /** Until every connection has closed, for a while at most. A signal ends it. */
  async #linger(): Promise<void> {
    const untilMs = performance.now() + lingerMs
    const connections = promisify(this.#server.getConnections.bind(this.#server))
    while (this.#isRetiring && performance.now() < untilMs && (await connections()) > 0) await pause(pollMs)
  }

  #exitAfter(maxMs: number): void {
    const { log, open } = this.#options
    clearTimeout(this.#deadline)
    this.#deadline = setTimeout(() => {
      log.warn({ requests: open(), afterMs: maxMs }, 'cut off: requests were still running')
      this.#exit(1)
    }, maxMs)
  }
}
