// Sockets that send their requests byte by byte: half of them in the headers, half in the body. A socket that the server
// closes is opened again, so that their number stays the same.

import { connect, type Socket } from 'node:net'

export class SlowSockets {
  readonly #port: number
  readonly #sockets = new Set<Socket>()
  #cut = 0
  #timer: NodeJS.Timeout | undefined

  constructor(port: number) {
    this.#port = port
  }

  /** How many the server has closed so far. */
  get cut(): number {
    return this.#cut
  }

  async open(many: number): Promise<void> {
    for (let number = 0; number < many; number++) await this.#openOne(number % 2 === 0 ? heads : bodies)
    this.#timer = setInterval(() => this.#sockets.forEach((socket) => socket.write('x')), 1000)
  }

  close(): void {
    clearInterval(this.#timer)
    for (const socket of this.#sockets) {
      socket.removeAllListeners('close')
      socket.destroy()
    }
    this.#sockets.clear()
  }

  async #openOne(beginning: string): Promise<void> {
    const socket = connect(this.#port, '127.0.0.1')
    this.#sockets.add(socket)
    socket.on('error', () => undefined)
    socket.resume()
    socket.on('close', () => {
      this.#sockets.delete(socket)
      this.#cut++
      void this.#openOne(beginning)
    })
    await new Promise<void>((resolve) => socket.once('connect', resolve))
    socket.write(beginning)
  }
}

const heads = 'POST /graphql HTTP/1.1\r\nhost: quire\r\nx-slow: '
const bodies = 'POST /graphql HTTP/1.1\r\nhost: quire\r\ncontent-type: application/json\r\ncontent-length: 10000\r\n\r\n{'
