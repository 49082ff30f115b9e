// A Cosmos DB account for tests: it listens on loopback, speaks the protocol that the SDK speaks, keeps
// everything in memory, logs every request and fails on demand.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Account } from './storage/account.ts'
import { authorization } from './authorization.ts'
import { chargeOfRefusal } from './charges.ts'
import { Refusal, type Answer, type CosmosRequest } from './exchange.ts'
import { SeededFaults, type Fault, type Faults } from './faults.ts'
import { readRequest, send } from './http.ts'
import type { LoggedRequest } from './log.ts'
import { isDocumentRequest, isWrite, operationOf, type Operation } from './operation.ts'
import type { PartitionView } from './storage/physical-partition.ts'
import { rangeOf, route } from './routes.ts'
import { withoutChanges } from './answers/change-feed.ts'

export type { Faults, LoggedRequest, PartitionView }

export interface CosmosEmulator {
  readonly endpoint: string
  /** The master key, base64. */
  readonly key: string
  /** Every request that reached the server, in the order of their answers. */
  readonly log: readonly LoggedRequest[]
  /** What goes wrong; may be set at any time. */
  readonly faults: Faults
  clearLog(): void
  /**
   * Splits a physical partition in the middle of its range; its id is gone afterwards (410/1002). With `requests`, it answers that many requests
   * with 410/1007 first. With `listed`, the list of partitions has it still.
   */
  split(database: string, container: string, rangeId: string, how?: { requests?: number; listed?: boolean }): void
  partitions(database: string, container: string): readonly PartitionView[]
  close(): Promise<void>
}

export interface EmulatorOptions {
  /** Physical partitions of a new container; 4 unless told. */
  readonly partitions?: number | ((container: string) => number)
  readonly key?: string
  /** Bearer tokens to accept beside the master key. */
  readonly tokens?: readonly string[]
  readonly port?: number
  /** Properties of the account that differ from those of a new one, such as its consistency. */
  readonly properties?: object
  readonly now?: () => number
}

export async function startCosmosEmulator(options: EmulatorOptions = {}): Promise<CosmosEmulator> {
  const { partitions = 4, key = Buffer.from('a master key for tests').toString('base64'), tokens = [], port = 0, now = Date.now, properties = {} } = options
  const account = new Account({ partitions, now, properties })
  const faults = new SeededFaults()
  const authorize = authorization({ key, tokens, asIdentity: () => faults.asIdentity })
  const log: LoggedRequest[] = []

  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await readRequest(message)
    const operation = operationOf(request)
    const view = { method: request.method, path: request.path, operation, ...containerName(request), ...optional('rangeId', rangeOf(account, request)) }
    let fault: Fault | undefined
    if (isDocumentRequest(request)) {
      fault = faults.next(view)
      if (faults.latencyMs > 0) await delay(faults.latencyMs)
    }
    const answer = withFault(fault, operation, () => {
      authorize(request)
      const answered = route(account, operation, request)
      if (operation !== 'changes' || faults.emptyFeedPages === 0) return answered
      faults.emptyFeedPages--
      return withoutChanges(answered, request)
    })
    log.push({ ...view, ...logged(answer) })
    send(response, answer)
  }

  const server = createServer((message, response) => {
    serve(message, response).catch((error: unknown) => {
      send(response, { status: 500, charge: 0, body: JSON.stringify({ code: 'InternalServerError', message: String(error) }) })
    })
  })
  // Clients keep connections; closing an idle one first would make their next request fail.
  server.keepAliveTimeout = 120_000
  await new Promise<void>((resolve) => { server.listen(port, '127.0.0.1', resolve) })

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key,
    log,
    faults,
    clearLog: () => { log.length = 0 },
    split: (database, name, rangeId, { requests, listed = false } = {}) => {
      const container = account.container(database, name)
      if (requests === undefined) container.split(rangeId, { listed })
      else container.beginSplit(rangeId, requests)
    },
    partitions: (database, container) => account.container(database, container).partitions.map((each) => each.view()),
    close: () => new Promise((resolve) => {
      server.close(() => { resolve() })
      server.closeAllConnections()
    }),
  }
}

/** A lost answer is of a write that happened; every other failure comes before the request has any effect. */
function withFault(fault: Fault | undefined, operation: Operation, run: () => Answer): Answer {
  if (fault === undefined) return attempt(run)
  const failure = refused(new Refusal(fault.status, `The server was told to answer ${fault.status}.`, optional('subStatus', fault.subStatus)))
  const failed = fault.status === 429 ? { ...failure, headers: { 'x-ms-retry-after-ms': String(fault.retryAfterMs) } } : failure
  if (!fault.isAnswerLost || !isWrite(operation)) return failed
  const { charge, applied, documents, rangeId, keys } = attempt(run)
  return { ...failed, charge, ...optional('applied', applied), ...optional('documents', documents), ...optional('rangeId', rangeId), ...optional('keys', keys) }
}

function attempt(run: () => Answer): Answer {
  try {
    return run()
  } catch (error) {
    if (error instanceof Refusal) return refused(error)
    throw error
  }
}

const codes: Readonly<Record<number, string>> = {
  400: 'BadRequest', 401: 'Unauthorized', 403: 'Forbidden', 404: 'NotFound', 405: 'MethodNotAllowed', 408: 'RequestTimeout', 409: 'Conflict', 410: 'Gone',
  412: 'PreconditionFailed', 413: 'RequestEntityTooLarge', 429: 'TooManyRequests', 449: 'RetryWith', 503: 'ServiceUnavailable',
}

function refused({ status, subStatus, message, details }: Refusal): Answer {
  return { status, subStatus, charge: chargeOfRefusal(status), body: JSON.stringify({ code: codes[status] ?? String(status), message, ...details }) }
}

function logged({ status, subStatus, charge, documents = 0, applied = false, rangeId, keys, scanned }: Answer): Omit<LoggedRequest, 'method' | 'path' | 'operation'> {
  return { status, ...optional('subStatus', subStatus), charge, documents, applied, ...optional('rangeId', rangeId), ...optional('keys', keys), ...optional('scanned', scanned) }
}

function containerName({ segments }: CosmosRequest): { container?: string } {
  return optional('container', segments[2] === 'colls' ? segments[3] : undefined)
}

/** A property that is left out when there is nothing to say. */
function optional<K extends string, V>(name: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { [P in K]?: V }
}
