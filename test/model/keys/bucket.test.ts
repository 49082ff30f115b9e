// The bucket of an entry, and the key of a bucket. test/relations/bucketed.test.ts tests the pages of a bucketed list.

import fc from '../../fast-check.ts'
import { expect, test } from 'vitest'
import { bucketKey, bucketOf } from '../../../src/model/keys/bucket.ts'
import { keyText } from '../../../src/model/keys/key.ts'

const runs = { seed: 20_260_809 }

test('entries are counted from 0, and a bucket is full at its size', () => {
  expect([0, 1, 99, 100, 199, 200, 12_345].map((number) => bucketOf(number, 100))).toEqual([0, 0, 0, 1, 1, 2, 123])
  expect([0, 1, 2].map((number) => bucketOf(number, 1))).toEqual([0, 1, 2])
})

test('a bucket holds as many consecutive entries as its size', () => {
  fc.assert(fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 1000 }), (bucket, size) => {
    const [first, last] = [bucket * size, bucket * size + size - 1]
    expect([bucketOf(first, size), bucketOf(last, size), bucketOf(last + 1, size)]).toEqual([bucket, bucket, bucket + 1])
  }), runs)
})

test('a bucket is in the partition of its document, and its id begins with the id of that document', () => {
  expect(bucketKey('p1', 'comments', 7)).toEqual({ partition: ['p1'], id: 'p1.comments.7' })
})

test('no two buckets have the same key', () => {
  const owners = ['p1', 'p1.comments', 'p1.comments.1', 'p2', '']
  const keys = owners.flatMap((owner) => ['comments', 'likes'].flatMap((field) => [0, 1, 10, 11].map((bucket) => keyText(bucketKey(owner, field, bucket)))))
  expect(new Set(keys).size).toBe(keys.length)
})
