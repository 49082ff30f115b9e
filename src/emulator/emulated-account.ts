// One emulated Azure account without a port: a request in, its answer out, with faults between the two and a log of everything.

import { setTimeout as delay } from 'node:timers/promises'
import { Account } from './storage/account.ts'
import { authorization } from './authorization.ts'
import { chargeOfRefusal } from './charges.ts'
import { Refusal, type Answer, type CosmosRequest } from './http-messages.ts'
import { SeededFaults, type Fault } from './faults.ts'
import type { LoggedRequest } from './log.ts'
import { isDocumentRequest, isWrite, operationOf, type CosmosOperation } from './operation.ts'
import type { PartitionView } from './storage/physical-partition.ts'
import { rangeOf, route } from './routes.ts'
import { withoutChanges } from './answers/change-feed.ts'

/**
 * What the emulator is like.
 *
 * @example
 * ```ts
 * const options: EmulatorOptions = { partitions: 16, port: 8081 }
 * ```
 */
export interface EmulatorOptions {
  /** Physical partitions of a new container. Default: 4. */
  readonly partitions?: number | ((container: string) => number)
  /** The master key, base64. Default: the key that all emulators of Cosmos DB have. */
  readonly key?: string
  /** Bearer tokens to accept beside the master key. */
  readonly tokens?: readonly string[]
  /** Default: a free one. With 'none' only the `httpClient` of the emulator reaches it. */
  readonly port?: number | 'none'
  /** The address to listen on. Default: 127.0.0.1. */
  readonly host?: string
  /** How many requests the log keeps, the newest. Default: all of them. */
  readonly logLimit?: number
  /** Properties of the account that differ from those of a new one, such as its consistency. */
  readonly properties?: object
  /** Milliseconds since 1970: for `_ts` and times to live. */
  readonly now?: () => number
}

/** Public, and the same for every emulator of Cosmos DB (https://learn.microsoft.com/azure/cosmos-db/emulator). */
export const wellKnownKey = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=='

export class EmulatedAccount {
  readonly key: string
  readonly log: LoggedRequest[] = []
  readonly faults = new SeededFaults()
  readonly #account: Account
  readonly #authorize: (request: CosmosRequest) => void
  readonly #logLimit: number

  constructor({ partitions = 4, key = wellKnownKey, tokens = [], now = Date.now, properties = {}, logLimit = Infinity }: EmulatorOptions) {
    this.key = key
    this.#account = new Account({ partitions, now, properties })
    this.#authorize = authorization({ key, tokens, asIdentity: () => this.faults.asIdentity })
    this.#logLimit = logLimit
  }

  async answer(request: CosmosRequest): Promise<Answer> {
    const account = this.#account
    const operation = operationOf(request)
    const view = { method: request.method, path: request.path, operation, ...containerName(request), ...optional('rangeId', rangeOf(account, request)) }
    let fault: Fault | undefined
    if (isDocumentRequest(request)) {
      fault = this.faults.next(view)
      if (this.faults.latencyMs > 0) await delay(this.faults.latencyMs)
    }
    const answer = withFault(fault, operation, () => {
      this.#authorize(request)
      const answered = route(account, operation, request)
      if (operation !== 'changes' || this.faults.emptyFeedPages === 0) return answered
      this.faults.emptyFeedPages--
      return withoutChanges(answered, request)
    })
    this.log.push({ ...view, ...logged(answer) })
    if (this.log.length > this.#logLimit) this.log.shift()
    return answer
  }

  split(database: string, name: string, rangeId: string, { requests, forMs, listed = false, at }: SplitOptions = {}): void {
    const container = this.#account.container(database, name)
    if (requests === undefined && forMs === undefined) container.split(rangeId, { listed, ...optional('at', at) })
    else container.beginSplit(rangeId, { ...optional('requests', requests), ...optional('forMs', forMs), ...optional('at', at) })
  }

  partitions(database: string, container: string): PartitionView[] {
    return this.#account.container(database, container).partitions.map((each) => each.view())
  }
}

/**
 * How a split goes on.
 *
 * @example
 * ```ts
 * emulator.split('shop', 'orders', '0', { requests: 5 } satisfies SplitOptions)
 * ```
 */
export interface SplitOptions {
  /** The partition answers that many requests with 410/1007 before it is split. */
  readonly requests?: number
  /** The partition answers all requests with 410/1007 for so long before it is split. */
  readonly forMs?: number
  /** The list of partitions has the old one beside the new ones. */
  readonly listed?: boolean
  /**
   * The boundary between the new partitions, in hexadecimal digits; the middle of the range without it. It may be longer or shorter than the hash of a
   * key: a split may cut a hierarchical key at one of its levels (azure-cosmos-dotnet-v3#5859).
   */
  readonly at?: string
}

/** A lost answer is of a write that happened; every other failure comes before the request has any effect. */
function withFault(fault: Fault | undefined, operation: CosmosOperation, run: () => Answer): Answer {
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
