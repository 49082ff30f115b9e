// `quire-graphql/cosmos/change-feed`: for programs that use the SDK of Cosmos DB themselves. It needs no schema and no gateway.

import { randomUUID } from 'node:crypto'
import type { Container, ItemDefinition, Resource } from '@azure/cosmos'
import { checkOptions, isFunction, type CheckedOption } from '../config/check-options.ts'
import { ConfigError } from '../errors.ts'
import { readLeases } from '../feed/lease-document.ts'
import { FeedProcessor } from '../feed/processor/feed-processor.ts'
import type { Item } from '../store/cosmos/read-many/items.ts'
import { openContainerFeed } from '../store/cosmos/feed/container-feed.ts'

export { SetupError } from '../store/store-errors.ts'

/**
 * A change feed processor: hands every change of a container to `onChanges`, at least once, and in order within a partition
 * key. All processors with the same name share the container's feed ranges; when one stops or dies, the others continue
 * where it stood. It begins with `start()`.
 *
 * @example
 * ```ts
 * import { CosmosClient } from '@azure/cosmos'
 * import { createChangeFeedProcessor } from 'quire-graphql/cosmos/change-feed'
 *
 * const database = new CosmosClient({ endpoint, key }).database('shop')
 * const processor = createChangeFeedProcessor<Order>({
 *   container: database.container('orders'),
 *   leaseContainer: database.container('leases'), // with the partition key /id
 *   processorName: 'invoices',
 *   startFrom: 'beginning',
 *   async onChanges(orders) {
 *     for (const order of orders) await sendInvoice(order)
 *   },
 *   onError: (error, { leaseToken }) => console.error(leaseToken, error),
 * })
 * await processor.start()
 * process.once('SIGTERM', () => processor.stop())
 * ```
 */
export function createChangeFeedProcessor<T = ItemDefinition>(options: ChangeFeedProcessorOptions<T>): ChangeFeedProcessor {
  checkOptions('createChangeFeedProcessor()', options, knownOptions)
  const { container, leaseContainer, processorName, instanceName = 'instance', onChanges, onError = warn, startFrom = 'now' } = options
  const numbers = { maxItemCount: 100, pollIntervalMs: 1000, leaseDurationMs: 30_000, ...defined(options) }
  check(processorName, startFrom, numbers)
  const open = () => openContainerFeed(container, leaseContainer, processorName, startFrom)
  let running: Promise<FeedProcessor<Item>> | undefined
  return {
    async start() {
      if (running) throw new Error('The change feed processor has been started already. Call stop() first.')
      // The name alone would let two instances with the same name take each other's leases.
      running = open().then((feed) => new FeedProcessor(feed, `${instanceName}-${randomUUID()}`, {
        pageSize: numbers.maxItemCount, pollIntervalMs: numbers.pollIntervalMs, leaseDurationMs: numbers.leaseDurationMs,
        handle: (changes, { part, ...delivery }) => onChanges(changes as unknown as (T & Resource)[], { leaseToken: part, ...delivery }),
        onError: (error, part) => onError(error, part === undefined ? {} : { leaseToken: part }),
      }))
      await running.catch((error: unknown) => {
        running = undefined
        throw error
      })
    },
    async stop() {
      const stopping = running
      running = undefined
      await (await stopping)?.stop()
    },
    async estimateLag() {
      const feed = await open()
      const leases = await readLeases(feed)
      return Promise.all(leases.map(async ({ part, lease }) => ({ leaseToken: part, owner: lease?.owner || undefined, estimatedLag: await feed.changesAhead(part, lease?.point) })))
    },
  }
}

/**
 * What a change feed processor reads, where it keeps its leases, and what it does with changes.
 *
 * @example
 * ```ts
 * const options: ChangeFeedProcessorOptions<Order> = {
 *   container, leaseContainer, processorName: 'invoices', onChanges: (orders) => sendInvoices(orders), startFrom: new Date('2026-01-01'),
 * }
 * ```
 */
export interface ChangeFeedProcessorOptions<T = ItemDefinition> {
  /** The container to follow. */
  readonly container: Container
  /** Where leases are kept: a container of your own with the partition key `/id`. Several processors can share it. */
  readonly leaseContainer: Container
  /** Processors with the same name share the work; each name sees every change. */
  readonly processorName: string
  /** Names this process in lease documents; need not be unique. */
  readonly instanceName?: string
  /**
   * Handles some changes of one range. When it returns (or its promise resolves), they are checkpointed. When it throws, they
   * are delivered again after a back-off, and the range waits.
   */
  readonly onChanges: (changes: (T & Resource)[], context: ChangeFeedContext) => unknown
  /** Called for every error, before the processor tries again; default: a process warning. */
  readonly onError?: (error: unknown, context: { readonly leaseToken?: string }) => void
  /** Where a processor name begins that has no leases yet; default `'now'`. Later starts continue from the checkpoints. */
  readonly startFrom?: 'beginning' | 'now' | Date
  /** The maximum number of changes in one call of `onChanges`; default 100. */
  readonly maxItemCount?: number
  /** How long to wait at the end of the feed before reading again; default 1,000. */
  readonly pollIntervalMs?: number
  /** How long a process that died keeps its ranges; default 30,000. Leases are renewed and shared out three times as often. */
  readonly leaseDurationMs?: number
}

/**
 * What `onChanges` may need to know about its changes.
 *
 * @example
 * ```ts
 * async function onChanges(orders: Order[], { attempt, epoch, signal }: ChangeFeedContext): Promise<void> {
 *   if (attempt > 5) return putAside(orders)
 *   await fetch(target, { method: 'POST', body: JSON.stringify({ epoch, orders }), signal })
 * }
 * ```
 */
export interface ChangeFeedContext {
  /** The range that the changes are of. */
  readonly leaseToken: string
  /** Grows whenever the range changes hands. A receiver that remembers the largest can reject a process that has lost it. */
  readonly epoch: number
  /** 1, or more if `onChanges` threw and these changes are delivered again. */
  readonly attempt: number
  /** Aborted when another process may have taken over the range. */
  readonly signal: AbortSignal
}

/**
 * A change feed processor.
 *
 * @example
 * ```ts
 * await processor.start()
 * const lag = await processor.estimateLag()
 * console.log(lag.reduce((sum, { estimatedLag }) => sum + estimatedLag, 0), 'changes to go')
 * await processor.stop()
 * ```
 */
export interface ChangeFeedProcessor {
  /** Resolves when it begins; rejects if a container is missing. From then on it keeps the process alive and tries again after errors. */
  start(): Promise<void>
  /** Resolves when the changes that are being handled are checkpointed and all leases are released. */
  stop(): Promise<void>
  /** How far all processors of this name are behind, by range. Works without `start()`, and costs one request for each range. */
  estimateLag(): Promise<ChangeFeedLag[]>
}

/**
 * How far one range is behind.
 *
 * @example
 * ```ts
 * const idle = (await processor.estimateLag()).filter(({ owner }: ChangeFeedLag) => owner === undefined)
 * ```
 */
export interface ChangeFeedLag {
  readonly leaseToken: string
  /** The instance that has leased the range, by name and a unique suffix; undefined if none has. */
  readonly owner: string | undefined
  /** Transactions since the checkpoint. A document that changed twice counts twice, although the feed has it once. */
  readonly estimatedLag: number
}

const knownOptions = {
  container: { is: isContainer, pass: "Pass the container to follow: client.database('shop').container('orders')." },
  leaseContainer: { is: isContainer, pass: 'Pass a container for leases, with the partition key /id.' },
  processorName: { is: (value) => typeof value === 'string', pass: 'Pass a name; processors with the same name share the work.' },
  onChanges: { is: isFunction, pass: 'Pass a function that handles some changes.' },
  instanceName: true, onError: true, startFrom: true, maxItemCount: true, pollIntervalMs: true, leaseDurationMs: true,
} satisfies Record<keyof ChangeFeedProcessorOptions, true | CheckedOption>

function isContainer(value: unknown): boolean {
  return typeof (value as Container | null | undefined)?.items === 'object'
}

function check(processorName: string, startFrom: unknown, numbers: Readonly<Record<string, number>>): void {
  if (!/^[^/\\?#]{1,100}$/.test(processorName)) throw new ConfigError(`processorName is ${JSON.stringify(processorName)}. Use up to 100 characters, without / \\ ? #.`)
  const isStart = startFrom instanceof Date ? !Number.isNaN(startFrom.getTime()) : startFrom === 'beginning' || startFrom === 'now'
  if (!isStart) throw new ConfigError(`startFrom is ${typeof startFrom === 'string' ? JSON.stringify(startFrom) : String(startFrom)}. Use 'beginning', 'now' or a valid Date.`)
  for (const [name, value] of Object.entries(numbers)) {
    if (!Number.isInteger(value) || value < 1) throw new ConfigError(`${name} is ${value}. Use a whole number above 0.`)
  }
}

function defined({ maxItemCount, pollIntervalMs, leaseDurationMs }: Pick<ChangeFeedProcessorOptions, 'maxItemCount' | 'pollIntervalMs' | 'leaseDurationMs'>): Record<string, number> {
  return Object.fromEntries(Object.entries({ maxItemCount, pollIntervalMs, leaseDurationMs }).filter((entry): entry is [string, number] => entry[1] !== undefined))
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}
