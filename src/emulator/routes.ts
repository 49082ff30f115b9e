// Which part of the server answers which operation.

import type { Account } from './storage/account.ts'
import { answerBatch } from './answers/batch.ts'
import { answerChanges } from './answers/change-feed.ts'
import type { Container } from './storage/container.ts'
import { headerOf, Refusal, type Answer, type CosmosRequest } from './http-messages.ts'
import { answerAccount, answerContainer, answerDatabase, answerOffer, answerRanges } from './answers/metadata.ts'
import { isDocumentRequest, type CosmosOperation } from './operation.ts'
import { answerPoint } from './answers/point-requests.ts'
import { answerPlan, answerQuery } from './answers/query.ts'
import { ridText } from './storage/resource-id.ts'

export function route(account: Account, operation: CosmosOperation, request: CosmosRequest): Answer {
  switch (operation) {
    case 'account': return answerAccount(account, request)
    case 'database': return answerDatabase(account, request)
    case 'container': return answerContainer(account, request)
    case 'ranges': return answerRanges(account, request)
    case 'offer': return answerOffer(account, request)
    case 'query': return inSession(account, request, answerQuery)
    case 'plan': return inSession(account, request, answerPlan)
    case 'batch': return inSession(account, request, answerBatch)
    case 'changes': return inSession(account, request, answerChanges)
    case 'read':
    case 'create':
    case 'upsert':
    case 'replace':
    case 'patch':
    case 'delete': return inSession(account, request, (container) => answerPoint(container, operation, request))
  }
}

/** The physical partition that a document request names, by id or by a whole key; undefined if it names none. */
export function rangeOf(account: Account, request: CosmosRequest): string | undefined {
  if (!isDocumentRequest(request)) return undefined
  const header = headerOf(request, 'x-ms-documentdb-partitionkey')
  if (header === undefined) return headerOf(request, 'x-ms-documentdb-partitionkeyrangeid')
  try {
    const container = containerOf(account, request)
    return container.partitionOf(container.keys.fromHeader(header).hash).id
  } catch {
    return undefined
  }
}

/** Document requests name the container and the state of the partition that served them. */
function inSession(account: Account, request: CosmosRequest, answer: (container: Container, request: CosmosRequest) => Answer): Answer {
  if (!isDocumentRequest(request)) throw new Refusal(400, `This server does not speak ${request.method} ${request.path}.`)
  const container = containerOf(account, request)
  const rangeId = rangeOf(account, request)
  if (rangeId !== undefined) container.admit(rangeId)
  const result = answer(container, request)
  const partition = container.partitions.find(({ id }) => id === result.rangeId)
  return {
    ...result,
    headers: {
      ...result.headers,
      'x-ms-content-path': ridText(container.rid),
      'x-ms-alt-content-path': encodeURI(`dbs/${container.database}/colls/${container.id}`),
      ...(partition !== undefined && { 'x-ms-session-token': `${partition.id}:0#${partition.lsn}` }),
    },
  }
}

/** A missing container is told from a missing document by the substatus (OWNER_RESOURCE_NOT_EXISTS in the HttpConstants of azure-sdk-for-java). */
function containerOf(account: Account, { segments }: CosmosRequest): Container {
  try {
    return account.container(segments[1] ?? '', segments[3] ?? '')
  } catch (error) {
    throw error instanceof Refusal && error.status === 404 ? new Refusal(404, error.message, { subStatus: 1003 }) : error
  }
}
