// A thousand clients that come at once, over sockets, to a gateway in its own process.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startZoo } from '../http/load/process.ts'

const clients = 1000
const sdl = 'type Cage @document(container: "cages") { id: ID! name: String! }'
const body = JSON.stringify({ query: '{ cages { totalCount } }' })
const request = `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`

test.skipIf(maxBacklog() < clients)('all of them connect while it is busy, and each of its requests is answered', async () => {
  const zoo = await startZoo(sdl, 'export const resolvers = {}')
  // Stopped, it accepts nothing: what is connected now is what the system keeps for it.
  zoo.child.kill('SIGSTOP')
  const sockets = Array.from({ length: clients }, () => connect(zoo.port, '127.0.0.1'))
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  zoo.child.kill('SIGCONT')
  for (let times = 0; times < 5; times++) {
    const answers = await Promise.all(sockets.map((socket) => answerOn(socket)))
    expect(new Set(answers.map((answer) => answer.slice(0, 15)))).toEqual(new Set(['HTTP/1.1 200 OK']))
  }
})

async function answerOn(socket: Socket): Promise<string> {
  socket.write(request)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  return answer.toString()
}

/** What Linux allows; elsewhere it is not known. */
function maxBacklog(): number {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))
  } catch {
    return 0
  }
}
