// Subscriptions to stock prices over server-sent events, each on a socket of its own: those that read note when they are told of a
// price, those that do not leave their sockets alone.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface SubscribersOptions {
  readonly port: number
  readonly reads: boolean
  /** Called when one of them is told of a price for the first time. */
  readonly onTold?: (subscriber: number, price: number) => void
}

const query = 'subscription { stockPriceChanged { symbol high low volume trades { nodes { price quantity } } } }'

export class Subscribers {
  readonly #options: SubscribersOptions
  readonly #sockets: Socket[] = []
  #cut = 0

  constructor(options: SubscribersOptions) {
    this.#options = options
  }

  /** How many connections the server has closed. */
  get cut(): number {
    return this.#cut
  }

  async open(many: number): Promise<void> {
    const body = JSON.stringify({ query })
    const request = `POST /graphql HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\naccept: text/event-stream\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    for (let number = 0; number < many; number++) {
      const socket = connect(this.#options.port, '127.0.0.1')
      this.#sockets.push(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => this.#cut++)
      socket.write(request)
      // The first bytes are the head of the answer: the subscription is open.
      const [head] = (await once(socket, 'data')) as [Buffer]
      if (!head.toString().startsWith('HTTP/1.1 200') || head.includes('"errors"')) throw new Error(`A subscription was refused: ${head.toString()}`)
      socket.pause()
      if (!this.#options.reads) continue
      socket.on('data', (chunk: Buffer) => {
        const text = chunk.toString('latin1')
        const at = text.lastIndexOf('"high":')
        if (at >= 0) this.#options.onTold?.(number, Number.parseFloat(text.slice(at + 7, at + 27)))
      })
      socket.resume()
    }
  }

  close(): void {
    for (const socket of this.#sockets) {
      socket.removeAllListeners('close')
      socket.destroy()
    }
  }
}
