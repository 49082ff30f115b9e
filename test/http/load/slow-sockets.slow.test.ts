// Slow sockets are cut off, and no other client waits for them.

import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { ask } from './zoo.ts'
import { startZoo } from './process.ts'

const sdl = 'type Cage @document(container: "cages") { id: ID! name: String! }'

interface Slow {
  readonly socket: Socket
  /** All that was answered until it was cut. */
  readonly answered: Promise<string>
}

function trickle(port: number, head: string): Slow {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  socket.write(head)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  // Not by `once` of node:events, which fails at an error: one that is cut while it is writing has its connection reset.
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { socket, answered: closed.then(() => Buffer.concat(chunks).toString()) }
}

test('other clients are answered beside two hundred slow sockets, which are cut off at the timeout', async () => {
  const zoo = await startZoo(sdl, 'export const resolvers = {}')
  const headers = Array.from({ length: 100 }, () => trickle(zoo.port, 'POST /graphql HTTP/1.1\r\nhost: x\r\nx-slow: '))
  const bodies = Array.from({ length: 100 }, () => trickle(zoo.port, 'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{'))
  const drops = setInterval(() => [...headers, ...bodies].forEach(({ socket }) => socket.writable && socket.write(' ')), 500)
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(zoo.port, '{ cages { totalCount } }')))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  // Node answers before it cuts; a client that is writing at that moment may be cut before it has read the answer.
  const cut = await Promise.all(headers.map(({ answered }) => answered))
  expect(cut.filter((answer) => answer !== '' && !answer.startsWith('HTTP/1.1 408 Request Timeout\r\n'))).toEqual([])
  clearInterval(drops)
  bodies.forEach(({ socket }) => socket.destroy())
})
