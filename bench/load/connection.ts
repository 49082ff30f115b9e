// A keep-alive connection that sends a prepared request and waits for its answer. It parses only as much HTTP as it needs to
// find the end of an answer, because CPU time of the load limits the rate that can be measured.

import { connect, type Socket } from 'node:net'

export interface Answered {
  readonly status: number
  readonly bytes: number
  /** False unless the connection looks for errors. */
  readonly hasErrors: boolean
}

export type Received = (answered: Answered) => void

export class Connection {
  readonly #socket: Socket
  #received: Received = () => {}
  #head: Buffer | undefined
  #status = 0
  #bytes = 0
  /** The length of the whole answer; undefined for a chunked one. */
  #length: number | undefined
  #tail = ''
  #hasErrors = false
  readonly #looksForErrors: boolean

  constructor(port: number, looksForErrors: boolean, failed: (error: Error) => void) {
    this.#looksForErrors = looksForErrors
    // One buffer for all data, so that an answer allocates nothing.
    const onread = {
      buffer: Buffer.allocUnsafe(128 * 1024),
      callback: (bytes: number, buffer: Uint8Array) => {
        this.#read(Buffer.from(buffer.buffer, buffer.byteOffset, bytes))
        return true
      },
    }
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread })
    this.#socket.on('error', failed)
    this.#socket.on('close', () => failed(new Error('The server closed a connection.')))
  }

  /** One request at a time. */
  send(request: Buffer, received: Received): void {
    this.#received = received
    this.#head = undefined
    this.#status = 0
    this.#bytes = 0
    this.#length = undefined
    this.#tail = ''
    this.#hasErrors = false
    this.#socket.write(request)
  }

  close(): void {
    this.#socket.removeAllListeners()
    this.#socket.on('error', () => {})
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#status === 0 && !this.#readHead(chunk)) return
    if (this.#looksForErrors && chunk.includes('"errors"')) this.#hasErrors = true
    if (this.#length === undefined ? this.#endsHere(chunk) : this.#bytes >= this.#length) {
      this.#received({ status: this.#status, bytes: this.#bytes, hasErrors: this.#hasErrors })
    }
  }

  /** False while the head is incomplete, which is rare. */
  #readHead(chunk: Buffer): boolean {
    const bytes = this.#head ? Buffer.concat([this.#head, chunk]) : chunk
    const end = bytes.indexOf('\r\n\r\n')
    if (end < 0) {
      this.#head = Buffer.from(bytes)
      return false
    }
    const head = bytes.toString('latin1', 0, end)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)
    this.#status = Number(head.slice(9, 12))
    this.#length = length ? end + 4 + Number(length[1]) : undefined
    return true
  }

  /** With one request at a time, the chunk of length 0 is at the very end. */
  #endsHere(chunk: Buffer): boolean {
    this.#tail = (this.#tail + chunk.toString('latin1', Math.max(0, chunk.length - lastChunk.length))).slice(-lastChunk.length)
    return this.#tail === lastChunk
  }
}

const lastChunk = '\r\n0\r\n\r\n'

export function requestBytes(body: string, headers: Record<string, string> = {}): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.from(`POST /graphql HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\naccept: application/json\r\n${lines}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}
