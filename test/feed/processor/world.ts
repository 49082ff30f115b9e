// A container with a change feed, a lease container, and instances of one processor that note what they are told.

import { setTimeout as delay } from 'node:timers/promises'
import { createDefaultHttpClient } from '@azure/core-rest-pipeline'
import { CosmosClient, type Container } from '@azure/cosmos'
import { onTestFinished } from 'vitest'
import { createChangeFeedProcessor, type ChangeFeedContext, type ChangeFeedProcessor, type ChangeFeedProcessorOptions } from '../../../src/entries/cosmos-change-feed.ts'
import { startCosmosEmulator, type CosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'

export interface Song {
  readonly id: string
  readonly album: string
  readonly plays: number
}

export interface Told extends ChangeFeedContext {
  readonly song: Song
}

export interface Instance extends ChangeFeedProcessor {
  /** In the order in which they were told. */
  readonly told: Told[]
  readonly errors: unknown[]
  /** From now on it reaches no server, as if its cable had been pulled. */
  disconnect(): void
}

export interface World {
  readonly server: CosmosEmulator
  readonly songs: Container
  readonly leases: Container
  /** Closed at the end of the test. */
  instance(options?: Partial<ChangeFeedProcessorOptions<Song>>): Instance
  /** Writes the songs one after the other. */
  write(...songs: readonly Song[]): Promise<void>
}

export async function openWorld({ partitions = 4 }: { partitions?: number } = {}): Promise<World> {
  const server = await startCosmosEmulator({ partitions: (container) => (container === 'songs' ? partitions : 1) })
  onTestFinished(() => server.close())
  const { client } = openClient(server)
  const { database } = await client.databases.createIfNotExists({ id: 'music' })
  const { container } = await database.containers.createIfNotExists({ id: 'songs', partitionKey: { paths: ['/album'] } })
  const { container: leases } = await database.containers.createIfNotExists({ id: 'leases', partitionKey: { paths: ['/id'] } })
  return {
    server, songs: container, leases,
    instance(options) {
      const told: Told[] = []
      const errors: unknown[] = []
      const own = openClient(server)
      const processor = createChangeFeedProcessor<Song>({
        container: own.client.database('music').container('songs'), leaseContainer: own.client.database('music').container('leases'),
        processorName: 'tests', startFrom: 'beginning', pollIntervalMs: 10, leaseDurationMs: 600,
        onError: (error) => errors.push(error),
        ...options,
        async onChanges(changes, context) {
          await options?.onChanges?.(changes, context)
          told.push(...changes.map(({ id, album, plays }) => ({ song: { id, album, plays }, ...context })))
        },
      })
      onTestFinished(() => processor.stop())
      return { ...processor, told, errors, disconnect: own.disconnect }
    },
    async write(...all) {
      for (const song of all) await container.items.upsert(song)
    },
  }
}

function openClient({ endpoint, key }: CosmosEmulator): { client: CosmosClient; disconnect: () => void } {
  const http = createDefaultHttpClient()
  let connected = true
  const client = new CosmosClient({
    endpoint, key, connectionPolicy: { enableEndpointDiscovery: false, retryOptions: { maxRetryAttemptCount: 0 } },
    httpClient: {
      async sendRequest(request) {
        request.allowInsecureConnection = true
        if (!connected) {
          await delay(5)
          throw Object.assign(new Error('unreachable'), { code: 'REQUEST_SEND_ERROR' })
        }
        return http.sendRequest(request)
      },
    },
  })
  onTestFinished(() => client.dispose())
  return { client, disconnect: () => void (connected = false) }
}

/** So many songs, each in an album of its own. */
export function songs(count: number, plays = 0): Song[] {
  return Array.from({ length: count }, (_, index) => ({ id: `s${index}`, album: `a${index}`, plays }))
}

export function idsOf(...instances: readonly Instance[]): string[] {
  return instances.flatMap(({ told }) => told.map(({ song }) => song.id)).toSorted()
}
