// The change feed of one physical partition: the latest version of what changed, or every version and
// deletion, in the order of sequence numbers. A continuation is the last number that was read.

import { baseRead, chargeOfPage } from '../charges.ts'
import type { Container } from '../storage/container.ts'
import { headerOf, Refusal, type Answer, type CosmosRequest } from '../http-messages.ts'
import { contains } from '../storage/key-space.ts'
import type { Change, PhysicalPartition } from '../storage/physical-partition.ts'
import { hashRange } from './query-target.ts'
import { ridText } from '../storage/resource-id.ts'

export function answerChanges(container: Container, request: CosmosRequest): Answer {
  const header = headerOf(request, 'x-ms-documentdb-partitionkey')
  const key = header === undefined ? undefined : container.keys.fromHeader(header)
  const rangeId = headerOf(request, 'x-ms-documentdb-partitionkeyrangeid')
  if (key === undefined && rangeId === undefined) throw new Refusal(400, 'The change feed needs a partition key or a partition key range.')
  const partition = key === undefined ? container.partitionById(rangeId ?? '') : container.partitionOf(key.hash)
  const isFull = headerOf(request, 'a-im')?.toLowerCase() === 'full-fidelity feed'
  const range = hashRange(request)
  const start = startOf(request, partition, isFull)
  const since = Date.parse(headerOf(request, 'if-modified-since') ?? '') / 1000
  const isWanted = ({ document, deleted }: Change): boolean =>
    (key === undefined ? contains(range, document.key.hash) : document.key.name === key.name) &&
    !(document.ts < since) &&
    (isFull || (!deleted && partition.find(document.key.name, document.id) === document && container.isLive(document)))
  const { changes, lsn } = read(partition, start, isWanted, pageItems(request))
  const answer = { rangeId: partition.id, documents: changes.length, headers: { etag: `"${lsn}"`, 'x-ms-item-count': String(changes.length) } }
  if (changes.length === 0) return { ...answer, status: 304, charge: baseRead }
  const texts = changes.map(isFull ? versionText : latestText)
  return {
    ...answer,
    status: 200,
    charge: chargeOfPage({ hits: true, documents: changes.length, bytesLoaded: changes.reduce((sum, { document }) => sum + document.bytes, 0) }),
    body: `{"_rid":${JSON.stringify(ridText(container.rid))},"Documents":[${texts.join(',')}],"_count":${texts.length}}`,
  }
}

/** An empty page in place of another: a reader that continues from it misses nothing. */
export function withoutChanges(page: Answer, request: CosmosRequest): Answer {
  const continued = page.status === 304 ? page.headers!['etag']! : headerOf(request, 'if-none-match') ?? '"0"'
  return { ...page, status: 200, documents: 0, body: '{"Documents":[],"_count":0}', headers: { etag: `"${continued.replaceAll('"', '')}.0"`, 'x-ms-item-count': '0' } }
}

/** The sequence number to go on after. */
function startOf(request: CosmosRequest, partition: PhysicalPartition, isFull: boolean): number {
  const continuation = headerOf(request, 'if-none-match')
  if (continuation === '*') return partition.lsn
  if (continuation === undefined) {
    if (isFull) throw new Refusal(400, 'The feed of all versions and deletes begins now or at a continuation, not at the beginning.')
    return 0
  }
  const lsn = /^"?(\d+)[.0]*"?$/.exec(continuation)?.[1]
  if (lsn === undefined) throw new Refusal(400, `${continuation} is not a continuation of the change feed.`)
  return Number(lsn)
}

/** Changes that share a sequence number were written together and are returned together, above the limit if need be. */
function read(partition: PhysicalPartition, after: number, isWanted: (change: Change) => boolean, limit: number): { changes: Change[]; lsn: number } {
  const changes: Change[] = []
  let lsn = after
  for (let i = firstAfter(partition.changes, after); i < partition.changes.length; i++) {
    const change = partition.changes[i]
    if (change === undefined) break
    if (changes.length >= limit && change.lsn !== lsn) return { changes, lsn }
    lsn = change.lsn
    if (isWanted(change)) changes.push(change)
  }
  return { changes, lsn: Math.max(lsn, partition.lsn) }
}

function firstAfter(changes: readonly Change[], lsn: number): number {
  let low = 0
  let high = changes.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((changes[middle]?.lsn ?? Infinity) <= lsn) low = middle + 1
    else high = middle
  }
  return low
}

function latestText({ document, lsn }: Change): string {
  return `${document.text.slice(0, -1)},"_lsn":${lsn}}`
}

function versionText({ document, previous, deleted, lsn }: Change): string {
  const operationType = deleted ? 'delete' : previous === undefined ? 'create' : 'replace'
  const metadata = JSON.stringify({ operationType, lsn, crts: document.ts, id: document.id, timeToLiveExpired: false })
  return `{"current":${deleted ? '{}' : document.text},${previous === undefined ? '' : `"previous":${previous.text},`}"metadata":${metadata}}`
}

function pageItems(request: CosmosRequest): number {
  const wanted = Number(headerOf(request, 'x-ms-max-item-count') ?? -1)
  return Number.isInteger(wanted) && wanted > 0 ? wanted : Infinity
}
