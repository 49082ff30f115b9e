// Opening the account: who we are, whether it answers, and everything that has to be there.

import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { ConsistencyLevel, CosmosClient, type Agent, type CosmosClientOptions, type Database } from '@azure/cosmos'
import type { TokenCredential } from '@azure/identity'
import { createDefaultHttpClient } from '@azure/core-rest-pipeline'
import { SetupError, type ContainerLayout } from '../../store.ts'
import { Clock } from '../request/service-clock.ts'
import { prepareContainer, type CosmosContainer } from './layout.ts'
import { setupErrorFrom } from './setup-errors.ts'
import type { Limits } from '../request/call-scope.ts'
import { createTransport } from '../request/transport.ts'

export interface CosmosSetting {
  readonly endpoint: string
  /** Without one, whoever Entra ID says we are. */
  readonly key?: string
  readonly database: string
  /** Whether to make the database, its containers and their indexes where they are missing. */
  readonly create: boolean
  readonly limits?: Partial<Limits>
}

export interface Connection {
  readonly database: Database
  readonly containers: ReadonlyMap<string, CosmosContainer>
  readonly clock: Clock
  readonly limits: Limits
  readonly closed: boolean
  close(): void
}

export async function connect(setting: CosmosSetting, layout: readonly ContainerLayout[]): Promise<Connection> {
  const clock = new Clock()
  const limits: Limits = { deadlineMs: 10_000, requests: 1000, ...setting.limits }
  const agent = agentFor(setting.endpoint)
  try {
    const client = new CosmosClient(await optionsFor(setting, clock, agent))
    const database = await withinMs(limits.deadlineMs, openDatabase(client, setting))
    const containers = await Promise.all(layout.map((one) => prepareContainer(database, one, setting.create)))
    let closed = false
    return {
      database, clock, limits,
      containers: new Map(containers.map((one) => [one.layout.name, one])),
      get closed() {
        return closed
      },
      close() {
        closed = true
        client.dispose()
        agent.destroy()
      },
    }
  } catch (error) {
    agent.destroy()
    throw setupErrorFrom(error, setting.endpoint) ?? error
  }
}

async function optionsFor({ endpoint, key }: CosmosSetting, clock: Clock, agent: Agent): Promise<CosmosClientOptions> {
  return {
    endpoint,
    ...(key === undefined ? { aadCredentials: await identity() } : { key }),
    agent,
    httpClient: createTransport(createDefaultHttpClient(), clock),
    // Reads see what this process has written.
    consistencyLevel: 'Session',
    connectionPolicy: {
      // A plain endpoint is one machine, not an account with regions.
      enableEndpointDiscovery: endpoint.startsWith('https:'),
      // Below the SDK it is done better.
      retryOptions: { maxRetryAttemptCount: 0, fixedRetryIntervalInMilliseconds: 0, maxWaitTimeInSeconds: 0 },
    },
    userAgentSuffix: 'quire',
  }
}

/** Whoever Entra ID says we are: found out before anything is sent, because looking can fail in many ways. */
async function identity(): Promise<TokenCredential> {
  const credential = new (await import('@azure/identity')).DefaultAzureCredential()
  try {
    await withinMs(20_000, credential.getToken('https://cosmos.azure.com/.default'))
    return credential
  } catch {
    throw new SetupError('COSMOS_KEY is not set, and Entra ID knows no identity here. Sign in with "az login", give the machine a managed identity, or set COSMOS_KEY.')
  }
}

async function openDatabase(client: CosmosClient, { database: id, create, endpoint }: CosmosSetting): Promise<Database> {
  const { resource: account } = await client.getDatabaseAccount()
  const level = account?.consistencyPolicy
  if (level === ConsistencyLevel.Eventual || level === ConsistencyLevel.ConsistentPrefix) {
    throw new SetupError(`Cosmos DB at ${endpoint} is set to ${level} consistency, with which Quire could not see its own writes. Set the account to Session or stronger.`)
  }
  const database = client.database(id)
  try {
    await database.read()
  } catch (error) {
    if ((error as { code?: unknown }).code !== 404) throw error
    if (!create) throw new SetupError(`The database "${id}" is missing at ${endpoint}. Create it, set COSMOS_DATABASE to another, or let Quire create it (COSMOS_CREATE=yes).`)
    // Another gateway that was started at the same time may have made it.
    await client.databases.createIfNotExists({ id }).catch((failure: unknown) => {
      if ((failure as { code?: unknown }).code !== 409) throw failure
    })
  }
  return database
}

function agentFor(endpoint: string): Agent {
  const options = { keepAlive: true, maxSockets: 256 }
  return endpoint.startsWith('http:') ? new HttpAgent(options) : new HttpsAgent(options)
}

async function withinMs<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`did not answer in ${ms} ms`)), ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
