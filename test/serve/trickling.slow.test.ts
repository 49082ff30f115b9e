// A request that never arrives in full, and a shutdown.

import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { ask } from '../http/load/zoo.ts'
import { startZoo } from '../http/load/process.ts'

test('on SIGTERM an idle connection is closed, and a request that trickles in does not delay the exit', async () => {
  const zoo = await startZoo('type Cage @document(container: "cages") { id: ID! name: String! }', 'export const resolvers = {}')
  const idle = connect(zoo.port, '127.0.0.1')
  idle.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(idle, 'data')
  const slow = connect(zoo.port, '127.0.0.1').on('error', () => undefined)
  slow.write('POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{')
  await ask(zoo.port, '{ cages { totalCount } }')
  zoo.child.kill('SIGTERM')
  await once(idle, 'close')
  expect(await zoo.ended()).toBe(0)
})
