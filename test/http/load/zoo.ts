// A small production gateway on a port, over a store that tests can hold back. Shared by tests of load and shutdown.

import { request as send, type IncomingHttpHeaders, type Server } from 'node:http'
import { onTestFinished } from 'vitest'
import { Pause } from '../../../bench/stores/paused-store.ts'
import type { Gateway } from '../../../src/http/gateway-server.ts'
import { createGateway, type GatewayOptions } from '../../../src/gateway.ts'
import { createLog } from '../../../src/observe/log/log.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { recordingStore, type RecordedCall } from '../../read/recording-store.ts'
import { listenOn } from '../../over-http.ts'

export const typeDefs = `
  type Cage @document(container: "cages") { id: ID! name: String! keeper: Keeper @reference(at: "keeperId") }
  type Keeper @document(container: "keepers") { id: ID! name: String! }`

/** Two waves: cages, then their keepers. */
export const twoWaves = '{ cage(id: "c1") { name keeper { name } } }'
export const oneWave = '{ cage(id: "c1") { name } }'
export const rename = 'mutation { updateCage(input: { id: "c1", name: "New" }) { cage { name keeper { name } } } }'

const put = (container: string, body: { id: string; [name: string]: string }) => ({ kind: 'put', container, key: { partition: [body.id], id: body.id }, body }) as const

export interface Zoo {
  readonly gateway: Gateway
  readonly server: Server
  readonly port: number
  readonly store: Store
  readonly calls: RecordedCall[]
  readonly pause: Pause
  ask(query: string, headers?: Record<string, string>): Promise<Answered>
}

export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: { readonly data?: unknown; readonly errors?: readonly { message: string; path?: unknown; extensions: { code: string } }[] }
}

export async function openZoo(options: Partial<GatewayOptions> = {}): Promise<Zoo> {
  const pause = new Pause()
  let opened: { store: Store; calls: RecordedCall[] } | undefined
  const gateway = await createGateway({
    // What is waited for here is the store.
    typeDefs, openWrites: true, cursorSecret: 'tests', log: createLog({ level: 'silent', readable: false }),
    seed: () => [put('cages', { id: 'c1', name: 'Old', keeperId: 'k1' }), put('keepers', { id: 'k1', name: 'Kim' })],
    ...options,
    store: async (layout) => (opened = recordingStore(await (options.store ?? openMemoryStore)(layout), { before: ({ container }) => pause.pass(container) })).store,
  })
  const { server, port, closeServer } = await listenOn(gateway)
  onTestFinished(async () => {
    pause.release()
    closeServer()
    await gateway.dispose()
  })
  return { gateway, server, port, pause, store: opened!.store, calls: opened!.calls, ask: (query, headers) => ask(port, query, headers) }
}

/** Without an origin, known operations take the fast path; with one, requests go through Yoga. */
export const ways = [{ way: 'the fast path', headers: {} }, { way: 'Yoga', headers: { origin: 'http://elsewhere' } }] as const

export async function ask(port: number, query: string, headers: Record<string, string> = {}): Promise<Answered> {
  const body = JSON.stringify({ query })
  const sent = send({ port, host: '127.0.0.1', method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json', accept: 'application/json', 'content-length': Buffer.byteLength(body), ...headers } })
  const answering = new Promise<Answered>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body: JSON.parse(text) as Answered['body'] }))
    })
  })
  sent.end(body)
  return answering
}
