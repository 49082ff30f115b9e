// Clients that ask again as soon as they are answered or refused, each on its own connection, and count what they got.

import { Connection, requestBytes } from './connection.ts'

export class WaitingClients {
  readonly #port: number
  readonly #bodyOf: (at: number) => string
  readonly #counts = { answered: 0, refused: 0, failed: 0 }
  #open: Connection[] = []
  #next = 0
  #isOver = false

  constructor(port: number, bodyOf: (at: number) => string) {
    this.#port = port
    this.#bodyOf = bodyOf
  }

  begin(clients: number): void {
    for (let client = 0; client < clients; client++) {
      const connection = new Connection(this.#port, true, () => this.#counts.failed++)
      this.#open.push(connection)
      this.#send(connection)
    }
  }

  counts(): { readonly answered: number; readonly refused: number; readonly failed: number } {
    return { ...this.#counts }
  }

  async end(): Promise<void> {
    this.#isOver = true
    for (const connection of this.#open) connection.close()
    this.#open = []
  }

  #send(connection: Connection): void {
    if (this.#isOver) return
    connection.send(requestBytes(this.#bodyOf(this.#next++)), ({ status, hasErrors }) => {
      this.#counts[status === 503 ? 'refused' : status === 200 && !hasErrors ? 'answered' : 'failed']++
      // A refused client waits a little, as Retry-After asks.
      if (status === 503) setTimeout(() => this.#send(connection), 1000)
      else this.#send(connection)
    })
  }
}
