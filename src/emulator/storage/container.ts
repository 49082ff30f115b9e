// A container: its definition, its physical partitions, and where a document belongs.

import type { ContainerDefinition, IndexingPolicy, PartitionKeyDefinition } from './definition.ts'
import { Refusal } from '../http-messages.ts'
import { defaultPolicy, IndexPolicy } from './index-policy.ts'
import { contains, evenRanges, overlap, type KeyRange } from './key-space.ts'
import { PartitionKeys, type PartitionKey } from './partition-key.ts'
import { PhysicalPartition } from './physical-partition.ts'
import { documentRid, ridText } from './resource-id.ts'
import { isExpired, storedDocument, type StoredDocument } from './stored-document.ts'

export interface Definition extends ContainerDefinition {
  readonly id: string
  readonly partitionKey: PartitionKeyDefinition
  readonly indexingPolicy: IndexingPolicy
}

export class Container {
  readonly id: string
  readonly database: string
  readonly rid: Buffer
  readonly self: string
  readonly keys: PartitionKeys
  readonly now: () => number
  definition: Definition
  indexPolicy: IndexPolicy
  private building: { readonly policy: IndexPolicy; readonly percent: number } | undefined
  partitions: readonly PhysicalPartition[]
  /** The partitions that are being split, and how many more requests, or until when requests, find them so. */
  private readonly splitting = new Map<string, { requests: number; readonly untilMs: number; readonly at: string | undefined }>()
  readonly replaced: PhysicalPartition[] = []
  private nextRange: number
  private nextOrdinal = 1
  private nextEtag = 1

  constructor(definition: Definition, place: { database: string; databaseSelf: string; rid: Buffer; partitions: number; now: () => number }) {
    this.id = definition.id
    this.database = place.database
    this.rid = place.rid
    this.self = `${place.databaseSelf}colls/${ridText(place.rid)}/`
    this.now = place.now
    this.keys = new PartitionKeys(definition.partitionKey)
    this.definition = definition
    this.indexPolicy = new IndexPolicy(definition.indexingPolicy)
    this.partitions = evenRanges(place.partitions).map((range, i) => new PhysicalPartition(String(i), range))
    this.nextRange = place.partitions
  }

  /**
   * The new definition's terms count for documents written from now on. A container with documents builds new composite indexes first: until then it
   * refuses the orders that need them (MicrosoftDocs/azure-docs#41836), and reads of the container tell how far it has come, a step further each.
   */
  redefine(definition: Definition): void {
    if (JSON.stringify(definition.partitionKey) !== JSON.stringify(this.definition.partitionKey)) {
      throw new Refusal(400, `The partition key of the container '${this.id}' cannot be changed.`)
    }
    const before = JSON.stringify(this.definition.indexingPolicy.compositeIndexes)
    this.definition = definition
    const policy = new IndexPolicy(definition.indexingPolicy)
    if (JSON.stringify(definition.indexingPolicy.compositeIndexes) === before || this.partitions.every((each) => each.view().documents === 0)) this.indexPolicy = policy
    else this.building = { policy, percent: 0 }
  }

  /** Called for each read of the container. */
  indexProgress(): number {
    if (this.building === undefined) return 100
    const { policy, percent } = this.building
    this.building = percent < 100 ? { policy, percent: percent + 25 } : undefined
    if (this.building === undefined) this.indexPolicy = policy
    return percent
  }

  partitionOf(hash: string): PhysicalPartition {
    const partition = this.partitions.find(({ range }) => contains(range, hash))
    if (partition === undefined) throw new Refusal(400, `No physical partition holds the hash ${hash}.`)
    return partition
  }

  partitionById(id: string): PhysicalPartition {
    const partition = this.partitions.find((each) => each.id === id)
    if (partition === undefined) throw new Refusal(410, `The physical partition ${id} is gone.`, { subStatus: 1002 })
    return partition
  }

  partitionsIn(range: KeyRange): PhysicalPartition[] {
    return this.partitions.filter((each) => overlap(each.range, range))
  }

  /**
   * A split does not end at once. Meanwhile the partition answers 410/1007, and the list of partitions still has it: the SDKs name this substatus
   * CompletingSplit and ask again, with the list read again each time (azure-sdk-for-java#49436, azure-cosmos-dotnet-v3#5941). It ends after so many requests
   * and so much time.
   */
  beginSplit(id: string, { requests = 0, forMs = 0, at }: { requests?: number; forMs?: number; at?: string }): void {
    this.splitting.set(checked(this.partitionById(id), at).id, { requests, untilMs: this.now() + forMs, at })
  }

  /** Called for each request to documents of a partition. */
  admit(id: string): void {
    const left = this.splitting.get(id)
    if (left === undefined) return
    if (left.requests === 0 && this.now() >= left.untilMs) return this.split(id, left.at === undefined ? {} : { at: left.at })
    left.requests = Math.max(0, left.requests - 1)
    throw new Refusal(410, `The physical partition ${id} is completing a split.`, { subStatus: 1007 })
  }

  /** With `listed`, the list of partitions has the old one beside the new ones (azure-cosmos-dotnet-v3, CollectionRoutingMapTest: parents are left out). */
  split(id: string, { listed = false, at }: { listed?: boolean; at?: string } = {}): void {
    const parent = checked(this.partitionById(id), at)
    this.splitting.delete(id)
    if (listed) this.replaced.push(parent)
    const children = parent.split([String(this.nextRange), String(this.nextRange + 1)], at)
    this.nextRange += 2
    this.partitions = this.partitions.flatMap((each) => (each === parent ? children : [each]))
  }

  isLive(document: StoredDocument): boolean {
    return !isExpired(document, this.definition.defaultTtl, this.now())
  }

  find(partition: PhysicalPartition, key: PartitionKey, id: string): StoredDocument | undefined {
    const document = partition.find(key.name, id)
    return document !== undefined && this.isLive(document) ? document : undefined
  }

  /** A new version of a document; `previous` is the one it takes the place of. */
  document(body: Record<string, unknown> & { id: string }, key: PartitionKey, previous: StoredDocument | undefined): StoredDocument {
    const ordinal = previous?.ordinal ?? this.nextOrdinal++
    const rid = ridText(documentRid(this.rid, ordinal))
    return storedDocument(body, {
      key,
      ordinal,
      rid,
      self: `${this.self}docs/${rid}/`,
      etag: `"${(this.nextEtag++).toString(16).padStart(8, '0')}-0000-0000-0000-000000000000"`,
      ts: Math.floor(this.now() / 1000),
      terms: this.indexPolicy.terms(body),
    })
  }
}

/** Refuses a boundary that is not within the partition. */
function checked(partition: PhysicalPartition, at: string | undefined): PhysicalPartition {
  const { min, max } = partition.range
  if (at !== undefined && !(/^[\dA-F]+$/.test(at) && min < at && at < max)) throw new Refusal(400, `The partition ${partition.id} cannot be split at ${at}: it has the keys from '${min}' to '${max}'.`)
  return partition
}

/** The definition as the service completes it. */
export function completed(sent: ContainerDefinition & { id: string }): Definition {
  const { paths = ['/_partitionKey'], kind = 'Hash', ...rest } = (sent.partitionKey ?? {}) as Partial<PartitionKeyDefinition>
  return {
    ...sent,
    partitionKey: { version: 2, ...rest, paths, kind },
    indexingPolicy: { ...defaultPolicy, ...sent.indexingPolicy },
  }
}
