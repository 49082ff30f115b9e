// Sends one request at a time on one connection and says how long each answer took.

import { Connection, requestBytes } from './connection.ts'

export class OneConnection {
  readonly #connection: Connection
  #failed: (error: Error) => void = () => {}
  /** A server may close a connection that is idle for long. */
  #error: Error | undefined

  constructor(port: number) {
    this.#connection = new Connection(port, true, (error) => {
      this.#error = error
      this.#failed(error)
    })
  }

  timeOf(body: string): Promise<number> {
    const request = requestBytes(body)
    return new Promise((resolve, reject) => {
      if (this.#error) return reject(this.#error)
      this.#failed = reject
      const started = performance.now()
      this.#connection.send(request, ({ status, hasErrors }) => {
        const ms = performance.now() - started
        if (status === 200 && !hasErrors) resolve(ms)
        else reject(new Error(`An operation failed with status ${status}${hasErrors ? ' and errors' : ''}: ${body}`))
      })
    })
  }

  close(): void {
    this.#connection.close()
  }
}
