// Requests that may wait long for their answers, each on its own connection.

import { Connection, requestBytes } from './connection.ts'

export class WaitingRequests {
  readonly #request: Buffer
  #open: Connection[] = []
  #answers: Promise<void>[] = []

  constructor(text: string) {
    this.#request = requestBytes(JSON.stringify({ query: text }))
  }

  send(port: number, count: number): void {
    for (let sent = 0; sent < count; sent++) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      // `answered` reports a rejection; until then it must not end the process.
      promise.catch(() => {})
      const connection = new Connection(port, true, reject)
      connection.send(this.#request, ({ status, hasErrors }) => (status === 200 && !hasErrors ? resolve() : reject(new Error(`A request failed with status ${status}.`))))
      this.#open.push(connection)
      this.#answers.push(promise)
    }
  }

  async answered(): Promise<void> {
    await Promise.all(this.#answers)
    this.close()
  }

  close(): void {
    for (const connection of this.#open) connection.close()
    this.#open = []
    this.#answers = []
  }
}
