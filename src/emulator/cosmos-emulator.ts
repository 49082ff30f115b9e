// A Cosmos DB account in this process: it speaks the protocol that the SDK speaks, on a port or without one, keeps everything in memory,
// logs every request and fails on demand.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerControl, isControl } from './control.ts'
import { EmulatedAccount, type EmulatorOptions, type SplitOptions } from './emulated-account.ts'
import type { FaultRequest, Faults, ScriptedAnswer } from './faults.ts'
import { readRequest, send } from './http.ts'
import { inProcessClient, type InProcessClient } from './in-process-client.ts'
import type { LoggedRequest } from './log.ts'
import type { CosmosOperation } from './operation.ts'
import type { PartitionView } from './storage/physical-partition.ts'

export type { CosmosOperation, EmulatorOptions, FaultRequest, Faults, InProcessClient, LoggedRequest, PartitionView, ScriptedAnswer, SplitOptions }

export async function startCosmosEmulator(options: EmulatorOptions = {}): Promise<CosmosEmulator> {
  const account = new EmulatedAccount(options)
  const { port = 0, host = '127.0.0.1' } = options
  if (port === 'none') return emulatorOf(account, 'http://cosmos.invalid', async () => {})
  const server = createServer((message, response) => {
    serve(account, message, response).catch((error: unknown) => {
      send(response, { status: 500, charge: 0, body: JSON.stringify({ code: 'InternalServerError', message: String(error) }) })
    })
  })
  // Clients keep connections; closing an idle one first would make their next request fail.
  server.keepAliveTimeout = 120_000
  await listen(server, port, host)
  const { address, family, port: actual } = server.address() as AddressInfo
  return emulatorOf(account, `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`, () => new Promise((resolve) => {
    server.close(() => { resolve() })
    server.closeAllConnections()
  }))
}

/**
 * A running emulator: where it is, what it has seen, and what goes wrong in it.
 *
 * @example
 * ```ts
 * emulator.split('shop', 'orders', '0')
 * const charges = emulator.log.reduce((sum, { charge }) => sum + charge, 0)
 * ```
 */
export interface CosmosEmulator {
  readonly endpoint: string
  /** The master key, base64. */
  readonly key: string
  /** Every request that reached the emulator, in the order of their answers. */
  readonly log: readonly LoggedRequest[]
  /** What goes wrong; may be set at any time. */
  readonly faults: Faults
  /** Reaches the emulator without a connection: for the `httpClient` of a `CosmosClient`. */
  readonly httpClient: InProcessClient
  clearLog(): void
  /** Splits a physical partition in the middle of its range; its id is gone afterwards (410/1002). */
  split(database: string, container: string, rangeId: string, options?: SplitOptions): void
  partitions(database: string, container: string): readonly PartitionView[]
  close(): Promise<void>
}

function emulatorOf(account: EmulatedAccount, endpoint: string, close: () => Promise<void>): CosmosEmulator {
  const { key, log, faults } = account
  return {
    endpoint, key, log, faults, close,
    httpClient: inProcessClient(account),
    clearLog: () => { log.length = 0 },
    split: (...args) => account.split(...args),
    partitions: (database, container) => account.partitions(database, container),
  }
}

async function serve(account: EmulatedAccount, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const request = await readRequest(message)
  send(response, isControl(request) ? answerControl(account, request) : await account.answer(request))
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
}
