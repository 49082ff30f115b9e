// Buckets: entries of an ever-growing list are numbered from 0, and the number alone says which
// bucket an entry is in and what that bucket's id is. So a page deep in the list is a read of known
// keys, like the first one.

import type { Key } from './key.ts'

export function bucketOf(number: number, size: number): number {
  return Math.floor(number / size)
}

/** A bucket shares its owner's partition, whose key is the owner's id. */
export function bucketKey(ownerId: string, field: string, bucket: number): Key {
  return { partition: [ownerId], id: `${ownerId}.${field}.${bucket}` }
}
