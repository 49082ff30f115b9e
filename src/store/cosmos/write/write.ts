// Writing: a transactional batch in one partition, all of it or nothing.
//
// Any answer may get lost on its way, so a write may be sent again that was carried out already
// (transport.ts). It is then refused, because what it was to replace is no longer there. Whoever is
// refused after such a doubt looks: if the documents carry the mark of his write, it was he who wrote them.
// Being equal is not enough, since somebody else may have written the very same.

import { BulkOperationType, type JSONObject, type OperationInput, type OperationResponse, type PartitionKey } from '@azure/cosmos'
import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Key } from '../../../model/keys/key.ts'
import { scalarAt } from '../../conditions.ts'
import type { Body } from '../../../model/json/json.ts'
import { ConflictError, InDoubtError, TooLargeError, type Supports, type Write } from '../../store.ts'
import { collapsed, type Intent } from './collapse-writes.ts'
import { bodyOf, bytesOf, etagOf, tombstone, isAddressable, isTombstone, isPlace, markAt, partitionBytes, unquoted } from '../documents.ts'
import type { CosmosContainer } from '../open/layout.ts'
import { wasMade } from './write-marks.ts'
import type { Item } from '../read-many/read-many.ts'
import type { Sending } from '../request/call-scope.ts'

/** How often a write is worked out anew because others write the same documents meanwhile. */
const maxTries = 20

/** The new etags, in the order of the writes. */
export async function writeBatch(target: CosmosContainer, writes: readonly Write[], supports: Supports, sending: Sending): Promise<string[]> {
  checkSizes(writes, supports)
  for (const write of writes) checkPlace(target, write)
  const intents = collapsed(writes)
  const etags = await sending.run(() => carryOut(target, intents, sending))
  const byId = new Map(intents.map(({ key }, at) => [key.id, etags[at]!]))
  return writes.map(({ kind, key }) => (kind === 'delete' ? '' : byId.get(key.id)!))
}

async function carryOut(target: CosmosContainer, intents: readonly Intent[], sending: Sending): Promise<string[]> {
  const mark = randomBytes(9).toString('base64url')
  let known = new Map<string, Item | undefined>()
  for (let tries = 0; tries < maxTries; tries++) {
    const steps = await Promise.all(intents.map((intent) => stepFor(target, intent, known, mark, sending)))
    const operations = steps.flatMap(({ operation }) => operation ?? [])
    if (operations.length === 0) return intents.map(() => '')
    const results = await send(target, intents[0]!.key, operations, sending)
    const refused = results.findIndex(({ statusCode }) => statusCode >= 400 && statusCode !== 424)
    if (refused < 0) return etagsOf(target, steps, results)
    known = new Map(await Promise.all(intents.map(async ({ key }) => [key.id, await look(target, key, sending)] as const)))
    // It was this write that got through, the first time it was sent.
    if (sending.unsure && wasCarriedOut(target, intents, steps, known)) return intents.map(({ key }) => etagAfter(known.get(key.id), mark))
    for (const intent of intents) checkCondition(target, intent, known.get(intent.key.id))
  }
  throw new ConflictError(target.layout.name, intents[0]!.key, 'changed')
}

function etagsOf({ marks }: CosmosContainer, steps: readonly Step[], results: readonly OperationResponse[]): string[] {
  const answers = results[Symbol.iterator]()
  return steps.map(({ operation, left }) => {
    const etag = operation ? unquoted(answers.next().value?.eTag ?? '') : ''
    if (etag !== '') marks.saw(etag, left)
    return etag
  })
}

/**
 * All of a batch or nothing, so one mark is enough. Where marks do not tell, a version beyond ours does:
 * somebody has written since, ours may be beneath, and doing it again might do it twice.
 */
function wasCarriedOut({ layout }: CosmosContainer, intents: readonly Intent[], steps: readonly Step[], known: ReadonlyMap<string, Item | undefined>): boolean {
  for (const [at, { key, body }] of intents.entries()) {
    const found = known.get(key.id)
    const made = found ? wasMade(steps[at]!.left, found[markAt]) : body === undefined
    if (made) return true
    if (made === undefined && isBeyond(found, body)) {
      throw new InDoubtError(`Whether ${layout.name}/${key.id} was written is not known: the answer was lost, and others have written it since.`)
    }
  }
  return false
}

function isBeyond(found: Item | undefined, body: Body | undefined): boolean {
  const [theirs, ours] = [found?.['_v'] as unknown, body?.['_v']]
  return typeof theirs === 'number' && typeof ours === 'number' && theirs > ours
}

/** That of the write itself is not known once others have written on top of it; one that never matches says so. */
function etagAfter(found: Item | undefined, mark: string): string {
  if (!found) return ''
  return (found[markAt] as readonly string[])[0] === mark ? etagOf(found) : `superseded-${mark}`
}

interface Step {
  /** None where there is nothing to do. */
  readonly operation: OperationInput | undefined
  /** The marks that it leaves. */
  readonly left: readonly string[]
}

/** What to ask of Cosmos, by what is known of the document: nothing at first. */
async function stepFor(target: CosmosContainer, intent: Intent, known: ReadonlyMap<string, Item | undefined>, mark: string, sending: Sending): Promise<Step> {
  const { key, only, body } = intent
  if (body === undefined) return deletion(target, intent, known, mark, sending)
  const found = known.get(key.id)
  // Where a tombstone stands nothing is there, but it has to be moved.
  if (only === 'if-absent' && found && isTombstone(found)) return replacing(target, key, body, etagOf(found), mark)
  if (typeof only === 'object') return replacing(target, key, body, only.ifMatch, mark)
  const left = only === 'if-absent' ? [mark] : target.marks.after(undefined, mark)
  return { operation: { operationType: only === 'if-absent' ? BulkOperationType.Create : BulkOperationType.Upsert, resourceBody: marked(body, left) }, left }
}

async function deletion(target: CosmosContainer, { key, only, last }: Intent, known: ReadonlyMap<string, Item | undefined>, mark: string, sending: Sending): Promise<Step> {
  const ifMatch = typeof only === 'object' ? only.ifMatch : undefined
  const { partitionKey, followed } = target.layout
  if (last && ifMatch !== undefined && followed) return replacing(target, key, tombstone(key, partitionKey, last), ifMatch, mark)
  const found = known.has(key.id) ? known.get(key.id) : await look(target, key, sending)
  checkCondition(target, { key, only, body: undefined, last }, found)
  if (!found || isTombstone(found)) return { operation: undefined, left: [] }
  if (followed) return replacing(target, key, tombstone(key, partitionKey, last ?? bodyOf(found)), etagOf(found), mark)
  return { operation: { operationType: BulkOperationType.Delete, id: key.id, ifMatch: `"${etagOf(found)}"` } as OperationInput, left: [] }
}

function replacing({ marks }: CosmosContainer, { id }: Key, body: Body, ifMatch: string, mark: string): Step {
  const left = marks.after(ifMatch, mark)
  return { operation: { operationType: BulkOperationType.Replace, id, resourceBody: marked(body, left), ifMatch: `"${ifMatch}"` }, left }
}

function marked(body: Body, marks: readonly string[]): JSONObject {
  return { ...body, [markAt]: marks }
}

async function send({ container }: CosmosContainer, { partition }: Key, operations: OperationInput[], sending: Sending): Promise<readonly OperationResponse[]> {
  const { result } = await container.items.batch(operations, partition as PartitionKey, { abortSignal: sending.signal, contentResponseOnWriteEnabled: false })
  return result ?? []
}

async function look({ container, marks }: CosmosContainer, { id, partition }: Key, sending: Sending): Promise<Item | undefined> {
  const { resource } = await container.item(id, partition as PartitionKey).read<Item>({ abortSignal: sending.signal })
  if (resource) marks.saw(etagOf(resource), resource[markAt])
  return resource
}

function checkCondition({ layout }: CosmosContainer, { key, only }: Intent, found: Item | undefined): void {
  const there = found !== undefined && !isTombstone(found)
  if (only === 'if-absent' && there) throw new ConflictError(layout.name, key, 'present')
  if (typeof only !== 'object') return
  if (!there) throw new ConflictError(layout.name, key, 'absent')
  if (etagOf(found) !== only.ifMatch) throw new ConflictError(layout.name, key, 'changed')
}

function checkSizes(writes: readonly Write[], { documentBytes, batch }: Supports): void {
  if (writes.length > batch.writes) throw new Error(`${writes.length} documents were to be written as one, and Cosmos DB takes ${batch.writes}.`)
  let total = 0
  for (const write of writes) {
    // What is deleted is kept in the tombstone.
    const bytes = Buffer.byteLength(JSON.stringify((write.kind === 'put' ? write.body : write.last) ?? null))
    if (write.kind === 'put' && bytes > documentBytes) throw new TooLargeError(write.container, write.key, bytes, documentBytes)
    total += bytes
  }
  if (total > batch.bytes) throw new Error(`${total} bytes were to be written as one, and Cosmos DB takes ${batch.bytes}.`)
}

/** A document says itself where it belongs, and Cosmos believes the document. */
function checkPlace({ layout }: CosmosContainer, write: Write): void {
  if (write.kind === 'delete') return
  const { key, body } = write
  if (!isAddressable(key.id)) throw new Error(`${JSON.stringify(key.id)} cannot be an id in Cosmos DB.`)
  if (!isPlace(key.partition)) throw new TooLargeError(layout.name, key, bytesOf(key.partition), partitionBytes, 'partition')
  const told = [...layout.partitionKey.map((path) => scalarAt(path, body)), body['id']]
  if (isDeepStrictEqual(told, [...key.partition, key.id])) return
  throw new Error(`${layout.name}/${key.id} was to be written as ${JSON.stringify([...key.partition, key.id])}, and says ${JSON.stringify(told)} itself.`)
}
