// Writes: a transactional batch in one partition, all of it or nothing.
//
// Any response may get lost, so a write may be sent again although it was carried out (request/transport.ts). It is then
// refused, because the document that it was to replace has changed. A writer that is refused after such a retry reads the
// documents: if they carry the mark of its write (write-marks.ts), the write was made. Equal content would not prove it,
// since another writer may have written the same.

import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { BulkOperationType, type JSONObject, type OperationInput, type OperationResponse, type PartitionKey } from '@azure/cosmos'
import type { Key } from '../../../model/keys/key.ts'
import type { Body } from '../../../model/json/json.ts'
import { scalarAt } from '../../conditions.ts'
import { checkCondition } from '../../write-condition.ts'
import { ConflictError, InDoubtError, TooLargeError } from '../../store-errors.ts'
import type { Supports, Write } from '../../store.ts'
import { bodyOf, etagOf, isAllowedPartition, isTombstone, maxPartitionBytes, partitionSize, tombstoneOf, unquoted, writeMarksProperty } from '../documents.ts'
import { isAddressable } from '../read-many/check-key.ts'
import { readItem } from '../read-many/read-item.ts'
import type { CosmosContainer } from '../open/prepare-container.ts'
import type { Item } from '../read-many/items.ts'
import type { CallScope } from '../request/call-scope.ts'
import { checkSizes } from './batch-size.ts'
import { collapseWrites, type Intent } from './collapse-writes.ts'
import { wasMade } from './write-marks.ts'

/** How often a batch is sent because others keep writing the same documents. */
const maxTries = 20

/** The items by id, after they have been read; undefined for a missing one. */
type FoundItems = ReadonlyMap<string, Item | undefined>

/** Returns the new etags, in the order of the writes. */
export async function writeBatch(target: CosmosContainer, writes: readonly Write[], supports: Supports, scope: CallScope): Promise<string[]> {
  checkSizes(writes, supports)
  for (const write of writes) checkKey(target, write)
  const intents = collapseWrites(writes)
  const etags = await scope.run(() => writeIntents(target, intents, scope))
  const byId = new Map(intents.map(({ key }, at) => [key.id, etags[at]!]))
  return writes.map(({ kind, key }) => (kind === 'delete' ? '' : byId.get(key.id)!))
}

async function writeIntents(target: CosmosContainer, intents: readonly Intent[], scope: CallScope): Promise<string[]> {
  const mark = randomBytes(9).toString('base64url')
  let found: FoundItems = new Map()
  for (let tries = 0; tries < maxTries; tries++) {
    const steps = await Promise.all(intents.map((intent) => stepFor(target, intent, found, mark, scope)))
    const operations = steps.flatMap(({ operation }) => operation ?? [])
    if (operations.length === 0) return intents.map(() => '')
    const results = await sendBatch(target, intents[0]!.key, operations, scope)
    const refused = results.findIndex(({ statusCode }) => statusCode >= 400 && statusCode !== 424)
    if (refused < 0) return etagsOf(target, steps, results)
    found = new Map(await Promise.all(intents.map(async ({ key }) => [key.id, await currentItem(target, key, scope)] as const)))
    // An earlier request of this batch was carried out, although its response was lost.
    if (scope.maybeApplied && wasWritten(target, intents, steps, found)) return intents.map(({ key }) => etagAfter(found.get(key.id), mark))
    for (const intent of intents) checkItem(target, intent, found.get(intent.key.id))
  }
  throw new ConflictError(target.layout.name, intents[0]!.key, 'changed')
}

function etagsOf({ marks: remembered }: CosmosContainer, steps: readonly Step[], results: readonly OperationResponse[]): string[] {
  const responses = results[Symbol.iterator]()
  return steps.map(({ operation, marks }) => {
    const etag = operation ? unquoted(responses.next().value?.eTag ?? '') : ''
    if (etag !== '') remembered.remember(etag, marks)
    return etag
  })
}

/**
 * A batch is written as a whole, so one mark is enough. If the marks do not tell, a newer version means that another writer has
 * written since: this write may be beneath, and making it again might make it twice.
 */
function wasWritten({ layout }: CosmosContainer, intents: readonly Intent[], steps: readonly Step[], found: FoundItems): boolean {
  for (const [at, { key, body }] of intents.entries()) {
    const item = found.get(key.id)
    const made = item ? wasMade(steps[at]!.marks, item[writeMarksProperty]) : body === undefined
    if (made) return true
    if (made === undefined && isNewerVersion(item, body)) {
      throw new InDoubtError(`It is not known whether ${layout.name}/${key.id} was written: the response was lost, and others have written it since.`)
    }
  }
  return false
}

function isNewerVersion(item: Item | undefined, body: Body | undefined): boolean {
  const [theirs, ours] = [item?.['_v'] as unknown, body?.['_v']]
  return typeof theirs === 'number' && typeof ours === 'number' && theirs > ours
}

/** If others have written since, the etag of this write is not known; the result then matches no etag. */
function etagAfter(item: Item | undefined, mark: string): string {
  if (!item) return ''
  return (item[writeMarksProperty] as readonly string[])[0] === mark ? etagOf(item) : `superseded-${mark}`
}

interface Step {
  /** Undefined if there is nothing to do. */
  readonly operation: OperationInput | undefined
  /** The marks that it leaves in the document. */
  readonly marks: readonly string[]
}

/** The operation for one document. Nothing has been read on the first try, except by a deletion that has to. */
async function stepFor(target: CosmosContainer, intent: Intent, found: FoundItems, mark: string, scope: CallScope): Promise<Step> {
  const { key, only, body } = intent
  if (body === undefined) return deletion(target, intent, found, mark, scope)
  const item = found.get(key.id)
  // A tombstone counts as absent and must be replaced.
  if (only === 'if-absent' && item && isTombstone(item)) return replacement(target, key, body, etagOf(item), mark)
  if (typeof only === 'object') return replacement(target, key, body, only.ifMatch, mark)
  const marks = only === 'if-absent' ? [mark] : target.marks.after(undefined, mark)
  return { operation: { operationType: only === 'if-absent' ? BulkOperationType.Create : BulkOperationType.Upsert, resourceBody: withMarks(body, marks) }, marks }
}

async function deletion(target: CosmosContainer, intent: Intent, found: FoundItems, mark: string, scope: CallScope): Promise<Step> {
  const { key, only, last } = intent
  const ifMatch = typeof only === 'object' ? only.ifMatch : undefined
  const { partitionKey, followed } = target.layout
  if (last && ifMatch !== undefined && followed) return replacement(target, key, tombstoneOf(key, partitionKey, last), ifMatch, mark)
  const item = found.has(key.id) ? found.get(key.id) : await currentItem(target, key, scope)
  checkItem(target, intent, item)
  if (!item || isTombstone(item)) return { operation: undefined, marks: [] }
  if (followed) return replacement(target, key, tombstoneOf(key, partitionKey, last ?? bodyOf(item)), etagOf(item), mark)
  return { operation: { operationType: BulkOperationType.Delete, id: key.id, ifMatch: `"${etagOf(item)}"` } as OperationInput, marks: [] }
}

function replacement(target: CosmosContainer, { id }: Key, body: Body, ifMatch: string, mark: string): Step {
  const marks = target.marks.after(ifMatch, mark)
  return { operation: { operationType: BulkOperationType.Replace, id, resourceBody: withMarks(body, marks), ifMatch: `"${ifMatch}"` }, marks }
}

function withMarks(body: Body, marks: readonly string[]): JSONObject {
  return { ...body, [writeMarksProperty]: marks }
}

async function sendBatch({ container }: CosmosContainer, { partition }: Key, operations: OperationInput[], scope: CallScope): Promise<readonly OperationResponse[]> {
  const { result } = await container.items.batch(operations, partition as PartitionKey, { abortSignal: scope.signal, contentResponseOnWriteEnabled: false })
  return result ?? []
}

async function currentItem({ items, marks }: CosmosContainer, { id, partition }: Key, scope: CallScope): Promise<Item | undefined> {
  const { item } = await readItem(items, { id, partitionKey: partition }, scope.signal)
  if (item) marks.remember(etagOf(item), item[writeMarksProperty])
  return item
}

function checkItem({ layout }: CosmosContainer, { key, only }: Intent, item: Item | undefined): void {
  checkCondition({ container: layout.name, key, only }, item && !isTombstone(item) ? { etag: etagOf(item) } : undefined)
}

/** Cosmos DB takes the partition key from the body, so both must agree. */
function checkKey({ layout }: CosmosContainer, write: Write): void {
  if (write.kind === 'delete') return
  const { key, body } = write
  if (!isAddressable(key.id)) throw new Error(`${JSON.stringify(key.id)} cannot be an id in Cosmos DB.`)
  if (!isAllowedPartition(key.partition)) throw new TooLargeError(layout.name, key, partitionSize(key.partition), maxPartitionBytes, 'partition')
  const inBody = [...layout.partitionKey.map((path) => scalarAt(path, body)), body['id']]
  if (isDeepStrictEqual(inBody, [...key.partition, key.id])) return
  throw new Error(`The key of ${layout.name}/${key.id} is ${JSON.stringify([...key.partition, key.id])}, but its body has ${JSON.stringify(inBody)}.`)
}
