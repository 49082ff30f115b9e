// Requests for one document: read, create, upsert, replace, patch and delete.

import type { Container } from '../storage/container.ts'
import { createDocument, deleteDocument, patchDocument, readDocument, replaceDocument, upsertDocument, type Condition, type Outcome, type PartitionAccess } from '../storage/documents.ts'
import { headerOf, jsonOf, Refusal, type Answer, type CosmosRequest } from '../http-messages.ts'
import { maximumBytes } from '../storage/stored-document.ts'
import { Transaction } from '../storage/transaction.ts'

export type PointOperation = 'read' | 'create' | 'upsert' | 'replace' | 'patch' | 'delete'

export function answerPoint(container: Container, operation: PointOperation, request: CosmosRequest): Answer {
  // Larger than the limit by what surrounds a document; the document itself is measured when stored.
  if (request.bytes > maximumBytes * 2) throw new Refusal(413, 'Request size is too large: a document may have 2 MB.')
  const header = headerOf(request, 'x-ms-documentdb-partitionkey')
  if (header === undefined) throw new Refusal(400, 'PartitionKey value must be supplied for this operation.')
  const key = container.keys.fromHeader(header)
  if (!container.keys.isComplete(key)) throw new Refusal(400, `Partition key ${header} is only a prefix.`, { subStatus: 1001 })
  const transaction = new Transaction(container.partitionOf(key.hash))
  const { status, charge, document } = perform(operation, { container, key, transaction }, request)
  transaction.commit()
  return {
    status,
    charge,
    keys: 1,
    documents: status === 304 ? 0 : 1,
    applied: transaction.size > 0,
    rangeId: transaction.partition.id,
    ...(document !== undefined && { headers: { etag: document.etag } }),
    ...(document !== undefined && status !== 304 && { body: document.text }),
  }
}

function perform(operation: PointOperation, place: PartitionAccess, request: CosmosRequest): Outcome {
  const id = request.segments[5] ?? ''
  const condition: Condition = { ifMatch: headerOf(request, 'if-match'), ifNoneMatch: headerOf(request, 'if-none-match') }
  switch (operation) {
    case 'read': return readDocument(place, id, condition)
    case 'create': return createDocument(place, jsonOf(request))
    case 'upsert': return upsertDocument(place, jsonOf(request), condition)
    case 'replace': return replaceDocument(place, id, jsonOf(request), condition)
    case 'patch': return patchDocument(place, id, jsonOf(request), condition)
    case 'delete': return deleteDocument(place, id, condition)
  }
}
