// Reads and queries of documents without the SDK, which takes longer over a request than the rest of the gateway does. They go through the same
// transport as the SDK's requests, which counts and retries them. The SDK does everything else: it opens containers, writes, follows the change feed,
// knows the regions of the account, and takes over a request that one region could not answer.

import { createHttpHeaders, createPipelineRequest, type HttpClient, type PipelineResponse } from '@azure/core-rest-pipeline'
import type { Agent, SqlQuerySpec } from '@azure/cosmos'
import type { Item, Items, QueryPlace } from '../read-many/items.ts'
import type { SendSigned } from './authorization.ts'
import { CosmosError, isRegional, substatusOf } from './cosmos-error.ts'
import { queryHeaders, readHeaders, type ItemHeaders } from './item-headers.ts'
import type { SessionTokens } from './session-tokens.ts'

export interface Account {
  readonly transport: HttpClient
  readonly agent: Agent
  readonly signed: SendSigned
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

  const send = (method: 'GET' | 'POST', id: string | undefined, headers: ItemHeaders, body: string | undefined, abortSignal: AbortSignal | undefined): Promise<PipelineResponse> => {
    const session = account.sessions.of(url)
    const request = createPipelineRequest({
      method,
      url: `${account.endpoint()}${url}/docs${id === undefined ? '' : `/${encodeURIComponent(id)}`}`,
      headers: createHttpHeaders(session === undefined ? headers : { ...headers, 'x-ms-session-token': session }),
      ...(body === undefined ? {} : { body }),
      ...(abortSignal ? { abortSignal } : {}),
    })
    request.agent = account.agent
    return account.signed(request, id === undefined ? path : `${path}/docs/${id}`, (sent) => account.transport.sendRequest(sent))
  }

  /** Only the SDK knows the other regions, and remembers which one does not answer. */
  const orInAnotherRegion = async <T>(own: Promise<T>, bySdk: () => Promise<T>, abortSignal: AbortSignal | undefined): Promise<T> => {
    try {
      return await own
    } catch (error) {
      if (!account.hasRegions || abortSignal?.aborted || !isRegional(error)) throw error
      return bySdk()
    }
  }

  const read: Items['read'] = async ({ id, partitionKey }, abortSignal) => {
    const response = await send('GET', id, readHeaders(partitionKey), undefined, abortSignal)
    if (response.status === 200) return { status: 200, substatus: undefined, item: JSON.parse(response.bodyAsText!) as Item }
    // With a substatus, it is not the document that was not found.
    if (response.status !== 404 || substatusOf(response)) throw new CosmosError(response)
    return { status: 404, substatus: undefined, item: undefined }
  }

  const query = async <Row>(sql: SqlQuerySpec, place: QueryPlace, pageSize: number, abortSignal?: AbortSignal, maxRows = Infinity): Promise<Row[]> => {
    const headers = queryHeaders(place, pageSize)
    const body = bodyOf(sql)
    const rows: Row[] = []
    for (let continuation: string | undefined; ;) {
      const response = await send('POST', undefined, continuation === undefined ? headers : { ...headers, 'x-ms-continuation': continuation }, body, abortSignal)
      if (response.status !== 200) throw new CosmosError(response)
      const { Documents: page = [] } = JSON.parse(response.bodyAsText!) as { Documents?: Row[] }
      continuation = response.headers.get('x-ms-continuation')
      // Most queries have one page.
      if (!continuation && rows.length === 0) return page
      rows.push(...page)
      if (!continuation || rows.length > maxRows) return rows
    }
  }

  return {
    read: (key, abortSignal) => orInAnotherRegion(read(key, abortSignal), () => sdk.read(key, abortSignal), abortSignal),
    query: <Row>(sql: SqlQuerySpec, place: QueryPlace, pageSize: number, abortSignal?: AbortSignal, maxRows?: number) =>
      orInAnotherRegion(query<Row>(sql, place, pageSize, abortSignal, maxRows), () => sdk.query<Row>(sql, place, pageSize, abortSignal, maxRows), abortSignal),
  }
}

/** The same query goes to several partitions, and is written once. */
const bodies = new WeakMap<SqlQuerySpec, string>()

function bodyOf(sql: SqlQuerySpec): string {
  let body = bodies.get(sql)
  if (body === undefined) bodies.set(sql, (body = JSON.stringify(sql)))
  return body
}
