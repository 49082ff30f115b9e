// A server whose store is far away: Quire over a store in memory of which every call takes BENCH_DELAY_MS, or, with
// `bare`, node:http that waits as long once and answers. Both as processes of their own, asked over sockets.

import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { listen } from '../peers/listen.ts'
import { delay, slowStore } from '../stores/slow-store.ts'
import { openSampleGateway } from './sample-gateway.ts'

const delayMs = Number(process.env['BENCH_DELAY_MS'])
listen(process.argv[2] === 'bare' ? bareServer() : await quireServer())

function bareServer() {
  return createServer((request, response) => {
    request.on('data', () => {})
    request.on('end', () => void pause(delayMs).then(() => response.end('{"data":{}}')))
  })
}

async function quireServer() {
  const gateway = await openSampleGateway({ store: async (layout) => slowStore(await openMemoryStore(layout), delay(delayMs)) })
  return createServer((request, response) => void gateway(request, response))
}
