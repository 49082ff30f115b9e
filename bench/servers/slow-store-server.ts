// A server with a slow store: Quire over a memory store whose calls take BENCH_DELAY_MS each, or, with `bare`, node:http that
// waits once as long and answers. Each runs in its own process and is asked over sockets.

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
  return createServer(gateway)
}
