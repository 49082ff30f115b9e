// Reads and queries of documents without the SDK, which spends more time on a request than the rest of the gateway. They go through the same
// transport as the SDK's, which counts and retries them. The SDK still does everything else: it signs in, creates, writes, follows the change feed,
// knows the regions of the account, and takes over a request that one region could not answer.

import { createHttpHeaders, createPipelineRequest, type HttpClient, type PipelineResponse, type RawHttpHeadersInput } from '@azure/core-rest-pipeline'
import type { Agent, SqlQuerySpec } from '@azure/cosmos'
import type { Item, Items, QueryPlace } from '../read-many/items.ts'
import type { KeyValue } from '../read-many/effective-key.ts'
import type { SendAuthorized } from './authorization.ts'
import type { SessionTokens } from './session-tokens.ts'

export interface Account {
  readonly transport: HttpClient
  readonly agent: Agent
  readonly authorized: SendAuthorized
  readonly sessions: SessionTokens
  /** The endpoint that reads go to now. */
  readonly endpoint: () => string
  /** Whether other regions may answer when one does not. */
  readonly hasRegions: boolean
}

/** The requests for one container. `sdk` makes the same ones with the SDK. */
export function createItems(account: Account, database: string, container: string, sdk: Items): Items {
  const path = `dbs/${database}/colls/${container}`
  const url = `/dbs/${encodeURIComponent(database)}/colls/${encodeURIComponent(container)}`
  const send = (method: 'GET' | 'POST', id: string | undefined, headers: RawHttpHeadersInput, body: string | undefined, abortSignal: AbortSignal | undefined) => {
    const session = account.sessions.of(url)
    const request = createPipelineRequest({
      method,
      url: `${account.endpoint()}${url}/docs${id === undefined ? '' : `/${encodeURIComponent(id)}`}`,
      headers: createHttpHeaders({ ...everyRequest, ...headers, ...(session === undefined ? {} : { 'x-ms-session-token': session }) }),
      ...(body === undefined ? {} : { body }),
      ...(abortSignal ? { abortSignal } : {}),
    })
    request.agent = account.agent
    return account.authorized(request, id === undefined ? path : `${path}/docs/${id}`, (sent) => account.transport.sendRequest(sent))
  }
  /** Only the SDK knows the other regions, and remembers which one does not answer. */
  const orElse = async <T>(own: () => Promise<T>, bySdk: () => Promise<T>, abortSignal: AbortSignal | undefined): Promise<T> => {
    try {
      return await own()
    } catch (error) {
      if (!account.hasRegions || abortSignal?.aborted || !isRegional(error)) throw error
      return bySdk()
    }
  }
  return {
    read: (key, abortSignal) => orElse(async () => {
      const response = await send('GET', key.id, { 'x-ms-documentdb-partitionkey': keyText(key.partitionKey) }, undefined, abortSignal)
      if (response.status === 200) return { status: 200, substatus: undefined, item: JSON.parse(response.bodyAsText!) as Item }
      const substatus = substatusOf(response)
      if (response.status !== 404 || (account.hasRegions && substatus === behindSession)) throw new CosmosError(response)
      return { status: 404, substatus, item: undefined }
    }, () => sdk.read(key, abortSignal), abortSignal),

    query: <Row>(sql: SqlQuerySpec, place: QueryPlace, pageSize: number, abortSignal?: AbortSignal) => orElse(async () => {
      const headers = { ...everyQuery, ...placeHeader(place), 'x-ms-max-item-count': String(pageSize) }
      const body = bodyOf(sql)
      const page = async (continuation: string | undefined): Promise<PipelineResponse> => {
        const response = await send('POST', undefined, continuation === undefined ? headers : { ...headers, 'x-ms-continuation': continuation }, body, abortSignal)
        if (response.status !== 200) throw new CosmosError(response)
        return response
      }
      let response = await page(undefined)
      let rows = rowsIn<Row>(response)
      for (let next = continuationOf(response); next !== undefined; next = continuationOf(response)) {
        response = await page(next)
        rows = [...rows, ...rowsIn<Row>(response)]
      }
      return rows
    }, () => sdk.query<Row>(sql, place, pageSize, abortSignal), abortSignal),
  }
}

const everyRequest = { 'x-ms-version': '2020-07-15', 'x-ms-consistency-level': 'Session', 'x-ms-cosmos-sdk-supportedcapabilities': '1', 'cache-control': 'no-cache', 'user-agent': 'quire', accept: 'application/json' }

const everyQuery = { 'x-ms-documentdb-isquery': 'true', 'x-ms-documentdb-query-enablecrosspartition': 'true', 'x-ms-documentdb-responsecontinuationtokenlimitinkb': '1', 'content-type': 'application/query+json' }

/** An answer that is an error, as the SDK throws it. */
class CosmosError extends Error {
  readonly code: number
  readonly substatus: number | undefined

  constructor(response: PipelineResponse) {
    super(messageIn(response))
    this.code = response.status
    this.substatus = substatusOf(response)
  }
}

/** The substatus of a 404 from a replica that is behind the session. Another region may not be. */
const behindSession = 1002

function isRegional(error: unknown): boolean {
  const { code, substatus } = (error ?? {}) as { code?: unknown; substatus?: unknown }
  return code === 'REQUEST_SEND_ERROR' || code === 'PARSE_ERROR' || code === 403 || code === 408 || code === 503 || (code === 404 && substatus === behindSession)
}

function rowsIn<Row>({ bodyAsText }: PipelineResponse): Row[] {
  return (JSON.parse(bodyAsText!) as { Documents?: Row[] }).Documents ?? []
}

function continuationOf({ headers }: PipelineResponse): string | undefined {
  return headers.get('x-ms-continuation')
}

function substatusOf({ headers }: PipelineResponse): number | undefined {
  const substatus = headers.get('x-ms-substatus')
  return substatus === undefined ? undefined : Number(substatus)
}

function messageIn({ status, bodyAsText }: PipelineResponse): string {
  try {
    return (JSON.parse(bodyAsText!) as { message: string }).message
  } catch {
    return `Cosmos DB answered ${status}.`
  }
}

function placeHeader(place: QueryPlace): Record<string, string> {
  return 'physical' in place ? { 'x-ms-documentdb-partitionkeyrangeid': place.physical } : { 'x-ms-documentdb-partitionkey': keyText(place.partitionKey) }
}

/** Headers are ASCII. A document without a value has `{}` in its place. */
function keyText(values: readonly KeyValue[]): string {
  return JSON.stringify(values.map((value) => (value === undefined ? {} : value))).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The same query goes to several partitions, and is written once. */
const bodies = new WeakMap<SqlQuerySpec, string>()

function bodyOf(sql: SqlQuerySpec): string {
  let body = bodies.get(sql)
  if (body === undefined) bodies.set(sql, (body = JSON.stringify(sql)))
  return body
}
