// What these tests share: a server of their own, a client of the real SDK, and both closed afterwards.

import { CosmosClient, type Container, type ContainerRequest } from '@azure/cosmos'
import { onTestFinished } from 'vitest'
import { startCosmosEmulator, type CosmosEmulator, type EmulatorOptions } from '../../src/emulator/cosmos-emulator.ts'

export interface OpenAccount {
  readonly server: CosmosEmulator
  readonly client: CosmosClient
  /** Creates a container in the database `library`, partitioned by /pk unless told. */
  readonly container: (definition?: Partial<ContainerRequest>) => Promise<Container>
}

export async function openAccount(options: EmulatorOptions = {}): Promise<OpenAccount> {
  const server = await startCosmosEmulator(options)
  const client = openClient(server)
  onTestFinished(async () => {
    client.dispose()
    await server.close()
  })
  return {
    server,
    client,
    container: async (definition = {}) => {
      const { database } = await client.databases.createIfNotExists({ id: 'library' })
      const { container } = await database.containers.create({ id: 'books', partitionKey: { paths: ['/pk'] }, ...definition })
      return container
    },
  }
}

export function openClient(server: CosmosEmulator, credentials: { key?: string } = {}): CosmosClient {
  return new CosmosClient({
    endpoint: server.endpoint,
    key: credentials.key ?? server.key,
    connectionPolicy: { enableEndpointDiscovery: false, retryOptions: { maxRetryAttemptCount: 0 } },
  })
}

/** The error that a request is refused with. */
export async function refusal(promise: Promise<unknown>): Promise<{ code: number; substatus: number | undefined; message: string }> {
  const error: unknown = await promise.then(() => undefined, (reason: unknown) => reason)
  if (!(error instanceof Error)) throw new Error('The request was not refused.')
  // items.batch and items.bulk wrap the service's error.
  return (error.cause ?? error) as unknown as { code: number; substatus: number | undefined; message: string }
}
