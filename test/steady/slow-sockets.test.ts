// Sockets that take their time: they are cut, and nobody else waits for them.

import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { ask } from './zoo.ts'
import { startZoo } from './process.ts'

const sdl = 'type Cage @document(container: "cages") { id: ID! name: String! }'

function trickle(port: number, head: string): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  socket.write(head)
  return socket
}

test('others are answered beside two hundred slow sockets, which are cut when their time is over', async () => {
  const zoo = await startZoo(sdl, 'export const resolvers = {}')
  const headers = Array.from({ length: 100 }, () => trickle(zoo.port, 'POST /graphql HTTP/1.1\r\nhost: x\r\nx-slow: '))
  const bodies = Array.from({ length: 100 }, () => trickle(zoo.port, 'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{'))
  const drops = setInterval(() => [...headers, ...bodies].forEach((socket) => socket.writable && socket.write(' ')), 500)
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(zoo.port, '{ cages { totalCount } }')))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  // Node answers those before it cuts them.
  expect(new Set((await Promise.all(headers.map(text))).map((answer) => answer.split('\r\n')[0]))).toEqual(new Set(['HTTP/1.1 408 Request Timeout']))
  clearInterval(drops)
  bodies.forEach((socket) => socket.destroy())
})
