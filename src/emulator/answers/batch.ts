// Batches: an atomic one writes to one logical partition, all of it or nothing; a bulk request sends
// operations on one physical partition together, each for itself.

import { chargeOfRefusal, hundredths } from '../charges.ts'
import type { Container } from '../storage/container.ts'
import { createDocument, deleteDocument, patchDocument, readDocument, replaceDocument, upsertDocument, type Outcome, type PartitionAccess } from '../storage/documents.ts'
import { isObject } from '../../model/json/json.ts'
import { hasFlag, headerOf, jsonOf, Refusal, type Answer, type CosmosRequest } from '../http-messages.ts'
import { maximumBytes } from '../storage/stored-document.ts'
import { Transaction } from '../storage/transaction.ts'

interface Operation {
  readonly operationType: string
  readonly id: string
  readonly ifMatch: string | undefined
  readonly ifNoneMatch: string | undefined
  readonly partitionKey: string | undefined
  readonly resourceBody: unknown
}

interface Result {
  readonly statusCode: number
  readonly subStatusCode?: number
  readonly requestCharge: number
  readonly eTag?: string
  readonly message?: string
  /** JSON text. */
  readonly resourceBody?: string
}

const mostOperations = 100

export function answerBatch(container: Container, request: CosmosRequest): Answer {
  if (request.bytes > maximumBytes) throw new Refusal(413, 'Request size is too large: a batch may have 2 MB.')
  const operations = operationsOf(jsonOf(request))
  const isMinimal = headerOf(request, 'prefer') === 'return=minimal'
  const answer = hasFlag(request, 'x-ms-cosmos-batch-atomic')
    ? answerAtomic(container, request, operations, isMinimal)
    : answerBulk(container, request, operations, isMinimal)
  return { ...answer, keys: operations.length }
}

function answerAtomic(container: Container, request: CosmosRequest, operations: readonly Operation[], isMinimal: boolean): Answer {
  const key = container.keys.fromHeader(headerOf(request, 'x-ms-documentdb-partitionkey') ?? '')
  const transaction = new Transaction(container.partitionOf(key.hash))
  const results: Result[] = []
  for (const operation of operations) {
    const result = attempt(operation, { container, key, transaction }, isMinimal)
    results.push(result)
    if (result.statusCode < 400) continue
    transaction.rollBack()
    const failed = results.length - 1
    return batchAnswer(207, operations.map((_, i) => (i === failed ? result : { statusCode: 424, requestCharge: 0 })), transaction.partition.id, 0)
  }
  transaction.commit()
  return batchAnswer(200, results, transaction.partition.id, transaction.size)
}

function answerBulk(container: Container, request: CosmosRequest, operations: readonly Operation[], isMinimal: boolean): Answer {
  const partition = container.partitionById(headerOf(request, 'x-ms-documentdb-partitionkeyrangeid') ?? '')
  let writes = 0
  const results = operations.map((operation) => {
    const transaction = new Transaction(partition)
    const key = container.keys.fromHeader(operation.partitionKey ?? '')
    if (container.partitionOf(key.hash) !== partition) throw new Refusal(410, `The key ${key.name} is in another physical partition.`, { subStatus: 1002 })
    const result = attempt(operation, { container, key, transaction }, isMinimal)
    transaction.commit()
    writes += transaction.size
    return result
  })
  return batchAnswer(results.every(({ statusCode }) => statusCode < 400) ? 200 : 207, results, partition.id, writes)
}

function attempt(operation: Operation, place: PartitionAccess, isMinimal: boolean): Result {
  try {
    const { status, charge, document } = perform(operation, place)
    if (document === undefined) return { statusCode: status, requestCharge: charge }
    const hasBody = status !== 304 && (!isMinimal || operation.operationType === 'Read')
    return { statusCode: status, requestCharge: charge, eTag: document.etag, ...(hasBody && { resourceBody: document.text }) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { statusCode: error.status, subStatusCode: error.subStatus, requestCharge: chargeOfRefusal(error.status), message: error.message }
  }
}

function perform(operation: Operation, place: PartitionAccess): Outcome {
  switch (operation.operationType) {
    case 'Create': return createDocument(place, operation.resourceBody)
    case 'Upsert': return upsertDocument(place, operation.resourceBody, operation)
    case 'Replace': return replaceDocument(place, operation.id, operation.resourceBody, operation)
    case 'Patch': return patchDocument(place, operation.id, operation.resourceBody, operation)
    case 'Delete': return deleteDocument(place, operation.id, operation)
    case 'Read': return readDocument(place, operation.id, operation)
    default: throw new Refusal(400, `A batch cannot ${operation.operationType}.`)
  }
}

function batchAnswer(status: number, results: readonly Result[], rangeId: string, writes: number): Answer {
  const texts = results.map(({ resourceBody, ...result }) => {
    const text = JSON.stringify(result)
    return resourceBody === undefined ? text : `${text.slice(0, -1)},"resourceBody":${resourceBody}}`
  })
  return {
    status,
    charge: hundredths(results.reduce((sum, { requestCharge }) => sum + requestCharge, 0)),
    body: `[${texts.join(',')}]`,
    documents: results.filter(({ statusCode }) => statusCode < 400).length,
    applied: writes > 0,
    rangeId,
  }
}

function operationsOf(body: unknown): Operation[] {
  if (!Array.isArray(body) || body.length === 0) throw new Refusal(400, 'A batch needs a list of operations.')
  if (body.length > mostOperations) throw new Refusal(400, `Batch request has more operations than what is supported: ${body.length} instead of ${mostOperations}.`)
  return body.map((each: unknown) => {
    if (!isObject(each)) throw new Refusal(400, 'An operation of a batch has to be an object.')
    const text = (name: string): string | undefined => (typeof each[name] === 'string' ? each[name] : undefined)
    return {
      operationType: text('operationType') ?? '',
      id: text('id') ?? '',
      ifMatch: text('ifMatch'),
      ifNoneMatch: text('ifNoneMatch'),
      partitionKey: text('partitionKey'),
      resourceBody: each['resourceBody'],
    }
  })
}
