// `quire-graphql/testing`: a gateway in memory for tests of a schema folder, its resolvers and rules, without a port; and an emulator of
// Azure Cosmos DB, which is loaded when it is started.

import { ConfigError } from '../errors.ts'
import { createGateway, type GatewayOptions } from '../gateway.ts'
import type { GivenViewer } from '../auth/server-identity.ts'
import type { CosmosEmulator, EmulatorOptions } from '../emulator/cosmos-emulator.ts'
import type { CostReport } from '../observe/cost-report.ts'
import type { Call } from '../read/call-log.ts'
import { readSchemaFolder } from '../serve/schema-folder.ts'
import { placeDocuments, type DocumentsByType } from '../serve/schema-folder/place-documents.ts'
import { openMemoryStore } from '../store/memory/memory-store.ts'

export type { CosmosEmulator, CosmosOperation, EmulatorOptions, FaultRequest, Faults, InProcessClient, LoggedRequest, PartitionView, ScriptedAnswer, SplitOptions } from '../emulator/cosmos-emulator.ts'

/**
 * Starts an emulator of Azure Cosmos DB, over plain http on a port of this machine, or without a port.
 *
 * @example
 * ```ts
 * const emulator = await startCosmosEmulator({ partitions: 4 })
 * emulator.faults.throttle = 0.3
 * const store = await openCosmosStore({ endpoint: emulator.endpoint, key: emulator.key, database: 'zoo', create: true }, layout)
 * await emulator.close()
 * ```
 */
export async function startCosmosEmulator(options: EmulatorOptions = {}): Promise<CosmosEmulator> {
  const emulator = await import('../emulator/cosmos-emulator.ts')
  return emulator.startCosmosEmulator(options)
}

/**
 * Opens a gateway over a memory store of its own, in the development profile: everyone may write, errors are not masked,
 * and every answer has a cost report.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { test } from 'node:test'
 * import { openTestGateway } from 'quire-graphql/testing'
 *
 * test('a comment needs a text', async () => {
 *   const gateway = await openTestGateway({ folder: 'schema', documents: { Post: [{ id: 'p1', title: 'Hello', text: 'World' }] } })
 *   const { errors } = await gateway.ask('mutation { addComment(input: { postId: "p1", by: "Ada", text: "" }) { post { id } } }')
 *   assert.equal(errors?.[0]?.extensions?.code, 'BAD_USER_INPUT')
 *   await gateway.close()
 * })
 * ```
 */
export async function openTestGateway({ folder, documents, ...options }: TestGatewayOptions): Promise<TestGateway> {
  const schema = folder === undefined ? undefined : await readSchemaFolder(folder)
  const typeDefs = options.typeDefs ?? schema?.typeDefs
  if (typeDefs === undefined) throw new ConfigError('openTestGateway() has no schema. Give "folder" or "typeDefs".')
  const gateway = await createGateway({
    development: true,
    store: openMemoryStore,
    ...schema,
    ...(documents ? { seed: ({ model }) => placeDocuments(model, documents, 'documents') } : {}),
    ...options,
    typeDefs,
  })
  return {
    async ask(query, { variables, headers, viewer } = {}) {
      const request = new Request('http://quire/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query, variables }),
      })
      const response = await gateway.fetch(request, { viewer })
      const { data, errors, extensions } = (await response.json()) as AnswerBody
      const cost = extensions?.quire
      return { data, errors, cost, reads: cost?.calls.map(readOf) ?? [], status: response.status, headers: response.headers }
    },
    close: async () => gateway.dispose(),
  }
}

/**
 * The options of `createGateway`, none of them required, and where the schema and the documents come from.
 *
 * @example
 * ```ts
 * const options: TestGatewayOptions = { folder: 'schema', documents: { Post: [{ id: 'p1', title: 'Hello' }] } }
 * ```
 */
export interface TestGatewayOptions extends Partial<GatewayOptions> {
  /** A schema folder: SDL, and `derive`, `resolvers` and documents where it has them. */
  readonly folder?: string
  /** The documents by type, instead of those of the folder. */
  readonly documents?: DocumentsByType
}

/**
 * A gateway to ask.
 *
 * @example
 * ```ts
 * const { data, cost } = await gateway.ask('{ posts { nodes { title } } }')
 * assert.equal(cost?.made.roundTrips, 1)
 * ```
 */
export interface TestGateway {
  ask(query: string, options?: TestRequest): Promise<TestAnswer>
  close(): Promise<void>
}

/**
 * What is sent beside the query.
 *
 * @example
 * ```ts
 * const request: TestRequest = { variables: { id: 'p1' }, viewer: { id: 'ada', roles: ['editor'] } }
 * ```
 */
export interface TestRequest {
  readonly variables?: object
  readonly headers?: Readonly<Record<string, string>>
  /** Who asks, for a gateway with `identity: 'server'`; omit it for an anonymous request. */
  readonly viewer?: GivenViewer
}

/**
 * An answer as a client sees it, with the cost report taken out of its extensions.
 *
 * @example
 * ```ts
 * const { data, errors }: TestAnswer = await gateway.ask('{ post(id: "p1") { title } }')
 * ```
 */
export interface TestAnswer {
  readonly data: Readonly<Record<string, unknown>> | null | undefined
  readonly errors: readonly TestError[] | undefined
  readonly cost: CostReport | undefined
  /** The round trips that were made, without times, so that a test can compare them. */
  readonly reads: readonly TestRead[]
  readonly status: number
  readonly headers: Headers
}

/**
 * An error in an answer.
 *
 * @example
 * ```ts
 * assert.equal(errors?.[0]?.extensions?.code, 'NOT_FOUND')
 * ```
 */
export interface TestError {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly extensions?: { readonly code?: string; readonly [name: string]: unknown }
}

/**
 * One round trip to the store.
 *
 * @example
 * ```ts
 * const { reads } = await gateway.ask('{ post(id: "p1") { title } }')
 * const expected: TestRead[] = [{ operation: 'read', container: 'posts', keys: 1, documents: 1, wave: 1, for: ['Query.post'] }]
 * assert.deepEqual(reads, expected)
 * ```
 */
export type TestRead = Pick<Call, 'operation' | 'container' | 'keys' | 'documents' | 'wave' | 'for'>

function readOf({ operation, container, keys, documents, wave, for: fields }: TestRead): TestRead {
  return { operation, container, keys, documents, wave, for: fields }
}

interface AnswerBody extends Pick<TestAnswer, 'data' | 'errors'> {
  readonly extensions?: { readonly quire?: CostReport }
}
