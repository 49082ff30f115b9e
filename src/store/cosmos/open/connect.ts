// Opens a Cosmos DB account: signs in, checks that it answers, and prepares the database and its containers.

import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { ConsistencyLevel, CosmosClient, type Agent, type CosmosClientOptions, type Database } from '@azure/cosmos'
import type { HttpClient } from '@azure/core-rest-pipeline'
import { SetupError } from '../../store-errors.ts'
import type { ContainerLayout } from '../../store.ts'
import { ServiceClock } from '../request/service-clock.ts'
import { findContainer, prepareContainer, type CosmosContainer } from './prepare-container.ts'
import { setupErrorFrom } from './setup-errors.ts'
import type { CallLimits } from '../request/call-scope.ts'
import { createTransport, type Regions } from '../request/transport.ts'
import { signedInWith, signedWith } from '../request/authorization.ts'
import { createHttpClient } from '../request/http-client.ts'
import type { Account } from '../request/item-requests.ts'
import { readEndpointOf } from '../request/read-endpoint.ts'
import { SessionTokens } from '../request/session-tokens.ts'

/**
 * The Azure account and its database.
 *
 * @example
 * ```ts
 * const setting: CosmosSetting = { endpoint: 'https://NAME.documents.azure.com', key, database: 'articles', create: false }
 * ```
 */
export interface CosmosSetting {
  readonly endpoint: string
  /** Omit it to sign in with Entra ID, for which the package `@azure/identity` must be installed. */
  readonly key?: string
  /** A credential of your own, such as a `ManagedIdentityCredential`, instead of a key. */
  readonly credential?: Credential
  readonly database: string
  /** Whether to create the database, containers and indexes that are missing. */
  readonly create: boolean
  readonly limits?: Partial<CallLimits>
}

type Credential = NonNullable<CosmosClientOptions['aadCredentials']>

export interface Connection {
  readonly database: Database
  readonly containers: ReadonlyMap<string, CosmosContainer>
  readonly clock: ServiceClock
  readonly limits: CallLimits
  readonly closed: boolean
  close(): void
}

/** `asFound` opens only the containers that are there, as they are. */
export async function connect(setting: CosmosSetting, layout: readonly ContainerLayout[], asFound = false): Promise<Connection> {
  const clock = new ServiceClock()
  const limits: CallLimits = { deadlineMs: 10_000, requests: 1000, ...setting.limits }
  const agent = agentFor(setting.endpoint)
  try {
    const sessions = new SessionTokens()
    const regions: Regions = { several: false }
    const transport = createTransport(createHttpClient(), clock, Math.random, sessions, regions)
    const credential = setting.key === undefined ? (setting.credential ?? (await identity())) : undefined
    const client = new CosmosClient(optionsFor(setting, credential, transport, agent))
    const database = await withinMs(limits.deadlineMs, openDatabase(client, setting, regions))
    const account: Account = {
      transport, agent, sessions,
      signed: credential ? signedInWith(credential, setting.endpoint) : signedWith(setting.key!),
      ...(hasRegions(setting) ? { hasRegions: true, endpoint: await readEndpointOf(client) } : { hasRegions: false, endpoint: () => setting.endpoint.replace(/\/$/, '') }),
    }
    const containers = (await Promise.all(layout.map((one) => (asFound ? findContainer(database, one, account) : prepareContainer(database, one, setting.create, account))))).filter((one) => one !== undefined)
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

function optionsFor(setting: CosmosSetting, credential: Credential | undefined, httpClient: HttpClient, agent: Agent): CosmosClientOptions {
  return {
    endpoint: setting.endpoint,
    ...(credential ? { aadCredentials: credential } : { key: setting.key! }),
    agent,
    httpClient,
    // Session: reads see the writes of this process.
    consistencyLevel: 'Session',
    connectionPolicy: {
      enableEndpointDiscovery: hasRegions(setting),
      // request/transport.ts retries instead.
      retryOptions: { maxRetryAttemptCount: 0, fixedRetryIntervalInMilliseconds: 0, maxWaitTimeInSeconds: 0 },
    },
    userAgentSuffix: 'quire',
  }
}

/** An http endpoint is a local server, not an account with regions. */
function hasRegions({ endpoint }: CosmosSetting): boolean {
  return endpoint.startsWith('https:')
}

/** Signs in with Entra ID before any other request, so that a failure gets a clear message. */
async function identity(): Promise<Credential> {
  const { DefaultAzureCredential } = await import('@azure/identity').catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new SetupError('Cannot sign in to Cosmos DB: COSMOS_KEY is not set, and the package @azure/identity, which signs in with Entra ID, is not installed. Run "npm i @azure/identity", or set COSMOS_KEY.')
  })
  const credential = new DefaultAzureCredential()
  try {
    await withinMs(20_000, credential.getToken('https://cosmos.azure.com/.default'))
    return credential
  } catch {
    throw new SetupError('Cannot sign in to Cosmos DB: COSMOS_KEY is not set, and Entra ID finds no identity. Sign in with "az login", give the machine a managed identity, or set COSMOS_KEY.')
  }
}

async function openDatabase(client: CosmosClient, { database: id, create, endpoint }: CosmosSetting, regions: Regions): Promise<Database> {
  const { resource: account } = await client.getDatabaseAccount()
  regions.several = (account?.readableLocations.length ?? 0) > 1
  if (account?.enableMultipleWritableLocations) {
    throw new SetupError(`Cosmos DB at ${endpoint} writes in several regions, where etags of one region do not protect against the writes of another: Quire would lose updates. Turn off multi-region writes for the account; reads may stay in several regions.`)
  }
  const level = account?.consistencyPolicy
  if (level === ConsistencyLevel.Eventual || level === ConsistencyLevel.ConsistentPrefix) {
    throw new SetupError(`Cosmos DB at ${endpoint} has ${level} consistency, with which Quire would not see its own writes. Set the account to Session or stronger.`)
  }
  const database = client.database(id)
  try {
    await database.read()
  } catch (error) {
    if ((error as { code?: unknown }).code !== 404) throw error
    if (!create) throw new SetupError(`The database "${id}" is missing at ${endpoint}. Create it, set COSMOS_DATABASE to another, or let Quire create it (COSMOS_CREATE=yes).`)
    // Another gateway that starts at the same time may have created it.
    await client.databases.createIfNotExists({ id }).catch((failure: unknown) => {
      const { code } = failure as { code?: unknown }
      if (code === 403) throw new SetupError(`The database "${id}" is missing at ${endpoint}, and this identity may not create it: with Entra ID no identity can, over this endpoint. Create it in the Azure portal, or set COSMOS_DATABASE to another.`)
      if (code !== 409) throw failure
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
