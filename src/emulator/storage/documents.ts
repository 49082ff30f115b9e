// What can be done to one document, within a transaction: the rules of ids, partition keys and etags.
// Point requests and batches share them.

import { baseRead, chargeOfRead, chargeOfReplace, chargeOfWrite, hundredths } from '../charges.ts'
import type { Container } from './container.ts'
import { Refusal } from '../http-messages.ts'
import type { PartitionKey } from './partition-key.ts'
import { patched, readPatch } from './patch.ts'
import { meetsPatchCondition } from '../sql/patch-condition.ts'
import { clientBody, type StoredDocument } from './stored-document.ts'
import type { Transaction } from './transaction.ts'

export interface PartitionAccess {
  readonly container: Container
  readonly key: PartitionKey
  readonly transaction: Transaction
}

export interface Condition {
  readonly ifMatch?: string | undefined
  readonly ifNoneMatch?: string | undefined
}

export interface Outcome {
  readonly status: number
  readonly charge: number
  /** The version that is there afterwards, or was read; a deleted document has none. */
  readonly document?: StoredDocument
}

export function readDocument(place: PartitionAccess, id: string, { ifNoneMatch }: Condition = {}): Outcome {
  const document = existing(place, id)
  if (ifNoneMatch !== undefined && (ifNoneMatch === '*' || ifNoneMatch === document.etag)) return { status: 304, charge: baseRead, document }
  return { status: 200, charge: chargeOfRead(document.bytes), document }
}

export function createDocument(place: PartitionAccess, sent: unknown): Outcome {
  const body = checkedBody(place, sent)
  if (found(place, body.id) !== undefined) throw new Refusal(409, 'Entity with the specified id already exists in the system.')
  return put(place, body, undefined)
}

/** An etag is compared only with a document that exists: an upsert of a missing one creates it. */
export function upsertDocument(place: PartitionAccess, sent: unknown, { ifMatch }: Condition = {}): Outcome {
  const body = checkedBody(place, sent)
  const previous = found(place, body.id)
  if (previous !== undefined) checkMatch(previous, ifMatch)
  return put(place, body, previous)
}

export function replaceDocument(place: PartitionAccess, id: string, sent: unknown, { ifMatch }: Condition = {}): Outcome {
  const body = checkedBody(place, sent)
  if (body.id !== id) throw new Refusal(400, `The document's id '${body.id}' is not the id '${id}' that the request names.`)
  const previous = existing(place, id)
  checkMatch(previous, ifMatch)
  return put(place, body, previous)
}

/** Costs what a replacement costs, and 0.4 RU for each operation. */
export function patchDocument(place: PartitionAccess, id: string, sent: unknown, { ifMatch }: Condition = {}): Outcome {
  const previous = existing(place, id)
  checkMatch(previous, ifMatch)
  const patch = readPatch(sent)
  if (patch.condition !== undefined && !meetsPatchCondition(previous.value, patch.condition)) throw new Refusal(412, 'The condition of the patch is not met.', { subStatus: 1110 })
  const { status, charge, document } = put(place, checkedBody(place, patched(previous.value, patch)), previous)
  return { status, charge: hundredths(charge + 0.4 * patch.operations.length), document: document! }
}

export function deleteDocument(place: PartitionAccess, id: string, { ifMatch }: Condition = {}): Outcome {
  const document = existing(place, id)
  checkMatch(document, ifMatch)
  place.transaction.remove(document)
  return { status: 204, charge: chargeOfWrite(document.bytes, document.terms.length) }
}

function put(place: PartitionAccess, body: Record<string, unknown> & { id: string }, previous: StoredDocument | undefined): Outcome {
  const document = place.container.document(body, place.key, previous)
  place.transaction.put(document, previous)
  if (previous === undefined) return { status: 201, charge: chargeOfWrite(document.bytes, document.terms.length), document }
  return { status: 200, charge: chargeOfReplace(previous, document), document }
}

function checkedBody({ container, key }: PartitionAccess, sent: unknown): Record<string, unknown> & { id: string } {
  const body = clientBody(sent)
  if (container.keys.fromDocument(body).name !== key.name) {
    throw new Refusal(400, "PartitionKey extracted from document doesn't match the one specified in the header.", { subStatus: 1001 })
  }
  return body
}

function found({ container, key, transaction }: PartitionAccess, id: string): StoredDocument | undefined {
  return container.find(transaction.partition, key, id)
}

function existing(place: PartitionAccess, id: string): StoredDocument {
  const document = found(place, id)
  if (document === undefined) throw new Refusal(404, `Entity with the specified id does not exist in the system: '${id}' in partition ${place.key.name}.`)
  return document
}

function checkMatch(document: StoredDocument, ifMatch: string | undefined): void {
  if (ifMatch !== undefined && ifMatch !== '*' && ifMatch !== document.etag) {
    throw new Refusal(412, 'Operation cannot be performed because one of the specified precondition is not met.')
  }
}
