// The buckets of `@bucketed` lists. Entries are numbered from 0, and the number alone gives the bucket of an entry and the
// bucket's id. So a page deep in the list is read by key, like the first page.

import type { Key } from './key.ts'

export function bucketOf(number: number, size: number): number {
  return Math.floor(number / size)
}

/** A bucket is in the partition of its owner, which is partitioned by its id. */
export function bucketKey(ownerId: string, field: string, bucket: number): Key {
  return { partition: [ownerId], id: `${ownerId}.${field}.${bucket}` }
}
