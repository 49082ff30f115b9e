// The tools of the long reliability runs: the load generator counts the outcome of every request, and the slope is that of a fitted line.

import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { runPacedLoad } from '../../../bench/load/paced-load.ts'
import { slopeOf } from '../../../reliability/load/slope.ts'

async function serve(answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

test('every request that was due is counted once: answered, refused or failed', async () => {
  let asked = 0
  const port = await serve((_, response) => {
    // The first hundred only open their connections.
    const turn = Math.max(0, asked++ - 100) % 4
    if (turn === 3) response.destroy()
    else response.writeHead(turn === 0 ? 200 : turn === 1 ? 503 : 500, { 'content-length': 2 }).end('{}')
  })
  const { due, good, late, refused, failed } = await runPacedLoad({ port, bodies: ['{}'], connections: 100, seconds: 0.5, perSecond: 200, goodWithinMs: 60_000 })
  expect(due).toBe(100)
  expect({ good, late, refused, failed }).toEqual({ good: 25, late: 0, refused: 25, failed: 50 })
})

test('a request that finds no connection free fails, or waits for one and is answered', async () => {
  let [underWay, most] = [0, 0]
  const port = await serve((_, response) => {
    most = Math.max(most, ++underWay)
    setTimeout(() => {
      underWay--
      response.writeHead(200, { 'content-length': 2 }).end('{}')
    }, 20)
  })
  const load = { port, bodies: ['{}'], connections: 1, seconds: 0.2, perSecond: 200, goodWithinMs: 60_000 }
  const strangers = await runPacedLoad(load)
  expect(strangers.failed).toBeGreaterThan(0)
  expect(strangers.good + strangers.failed).toBe(40)
  const patient = await runPacedLoad({ ...load, waits: true })
  expect(patient).toMatchObject({ due: 40, good: 40, failed: 0 })
  expect(most).toBe(1)
})

test('without a pace, each connection sends its next request after the answer to the last one', async () => {
  let [underWay, most] = [0, 0]
  const port = await serve((_, response) => {
    most = Math.max(most, ++underWay)
    setImmediate(() => {
      underWay--
      response.writeHead(200, { 'content-length': 2 }).end('{}')
    })
  })
  const { due, good, failed } = await runPacedLoad({ port, bodies: ['{}'], connections: 3, seconds: 0.2, goodWithinMs: 60_000 })
  expect(good).toBe(due)
  expect(failed).toBe(0)
  expect(most).toBeLessThanOrEqual(3)
})

test('the slope is that of the line through the points', () => {
  expect(slopeOf([{ minutes: 0, mb: 10 }, { minutes: 1, mb: 12 }, { minutes: 2, mb: 14 }])).toBeCloseTo(2)
  expect(slopeOf([{ minutes: 0, mb: 11 }, { minutes: 1, mb: 9 }, { minutes: 2, mb: 11 }, { minutes: 3, mb: 9 }])).toBeLessThan(0)
  expect(slopeOf([{ minutes: 1, mb: 10 }])).toBe(0)
})
