// Whom a query asks: one logical partition by its key, one physical partition by its id, or every
// partition that may hold something.

import type { Container } from '../storage/container.ts'
import { headerOf, type CosmosRequest } from '../http-messages.ts'
import { contains, wholeSpace, type KeyRange } from '../storage/key-space.ts'
import type { PhysicalPartition } from '../storage/physical-partition.ts'
import type { StoredDocument } from '../storage/stored-document.ts'

export interface Target {
  readonly partition: PhysicalPartition
  /** The documents that are asked, in no particular order. */
  documents(): Iterable<StoredDocument>
}

export function targetsOf(container: Container, request: CosmosRequest): Target[] {
  const header = headerOf(request, 'x-ms-documentdb-partitionkey')
  const rangeId = headerOf(request, 'x-ms-documentdb-partitionkeyrangeid')
  const narrowed = hashRange(request)
  if (header !== undefined) {
    const key = container.keys.fromHeader(header)
    if (container.keys.isComplete(key)) {
      const partition = container.partitionOf(key.hash)
      return [{ partition, documents: () => live(container, partition.documentsOf(key.name)) }]
    }
    // The hashes of all keys that begin with a prefix begin with the prefix's hash.
    const range = { min: key.hash, max: `${key.hash}FF` }
    return container.partitionsIn(range).map((partition) => target(container, partition, range))
  }
  const partitions = rangeId === undefined ? container.partitionsIn(narrowed) : [container.partitionById(rangeId)]
  return partitions.map((partition) => target(container, partition, narrowed))
}

export function hashRange(request: CosmosRequest): KeyRange {
  return { min: headerOf(request, 'x-ms-start-epk') ?? wholeSpace.min, max: headerOf(request, 'x-ms-end-epk') ?? wholeSpace.max }
}

function target(container: Container, partition: PhysicalPartition, range: KeyRange): Target {
  return {
    partition,
    *documents() {
      for (const document of live(container, partition.documents())) if (contains(range, document.key.hash)) yield document
    },
  }
}

function* live(container: Container, documents: Iterable<StoredDocument>): Iterable<StoredDocument> {
  for (const document of documents) if (container.isLive(document)) yield document
}
