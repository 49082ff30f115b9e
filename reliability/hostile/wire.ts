// A client with one socket at a time: sends raw bytes and waits for the expected number of answers. It reuses a socket that
// is still open, as keep-alive clients do.

import { connect, type Socket } from 'node:net'
import { isStream, readAnswer, type Answer } from './http-answer.ts'

export interface Sending {
  readonly bytes: Buffer
  /** The min number of answers; 0 where the server may just close the socket. */
  readonly answers: number
  /** Whether the socket is half-closed after the bytes: for truncated requests. */
  readonly ends: boolean
  /** Uses a socket of its own, once. */
  readonly alone: boolean
  /** False for HEAD, whose answers have no body. */
  readonly hasBody: boolean
}

/** Far more than any answer may take; after that the request counts as unanswered. */
export const maxWaitMs = 60_000

export class Wire {
  readonly #port: number
  #kept: Socket | undefined

  constructor(port: number) {
    this.#port = port
  }

  /** The answers, in order; fewer than expected where the server closed the socket. */
  async send(sending: Sending): Promise<Answer[]> {
    const reused = !sending.alone && this.#kept !== undefined && !this.#kept.destroyed
    const answers = await this.#exchange(sending, reused ? this.#kept! : connect({ port: this.#port, host: '127.0.0.1', noDelay: true }))
    // A server may close an idle socket at the moment it is reused.
    return reused && answers.length === 0 && sending.answers > 0 ? this.send(sending) : answers
  }

  close(): void {
    this.#kept?.destroy()
  }

  #exchange({ bytes, answers: expected, ends, alone, hasBody }: Sending, socket: Socket): Promise<Answer[]> {
    const { promise, resolve } = Promise.withResolvers<Answer[]>()
    const startMs = performance.now()
    const answers: Answer[] = []
    const chunks: Buffer[] = []
    const timer = setTimeout(() => done(false), maxWaitMs)
    const done = (good: boolean): void => {
      clearTimeout(timer)
      socket.removeAllListeners()
      socket.on('error', () => undefined)
      if (good && !alone && !ends && answers.every(({ headers }) => headers['connection'] !== 'close' && !isStream(headers))) this.#keep(socket)
      else socket.destroy()
      resolve(answers)
    }
    const read = (closed: boolean): void => {
      for (let found; (found = readAnswer(Buffer.concat(chunks), closed, hasBody));) {
        answers.push({ ...found.answer, ms: performance.now() - startMs })
        chunks.splice(0, chunks.length, found.rest)
      }
    }
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      read(false)
      if (expected > 0 && answers.length >= expected && !ends) done(true)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      read(true)
      done(false)
    })
    if (ends) socket.end(bytes)
    else socket.write(bytes)
    return promise
  }

  #keep(socket: Socket): void {
    this.#kept = socket
    socket.once('close', () => {
      if (this.#kept === socket) this.#kept = undefined
    })
  }
}
