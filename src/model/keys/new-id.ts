// Ids for documents that come without one: UUIDs of version 7, which begin with the time. One after the other they
// stand side by side in every index by id, so that writing many touches few pages; entirely random ones
// would each touch another. They tell when a document was made, to whoever sees its id.

import { randomFillSync } from 'node:crypto'

/** Each is greater than those that this process has made before. */
export function newId(): string {
  const now = Date.now()
  if (now > last.ms) {
    last.ms = now
    // From somewhere in the lower half, so that there is room above.
    last.count = randomBytes(2).readUInt16BE() & 0x7ff
  } else if (++last.count > 0xfff) {
    last.ms++
    last.count = 0
  }
  const time = last.ms.toString(16).padStart(12, '0')
  const random = randomBytes(8)
  random[0] = (random[0]! & 0x3f) | 0x80
  const rest = random.toString('hex')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${last.count.toString(16).padStart(3, '0')}-${rest.slice(0, 4)}-${rest.slice(4)}`
}

const last = { ms: 0, count: 0 }

/** Drawn for many at a time, since a draw of few costs as much as one of many. */
const pool = { bytes: Buffer.alloc(4096), at: 4096 }

function randomBytes(count: number): Buffer {
  if (pool.at + count > pool.bytes.length) {
    randomFillSync(pool.bytes)
    pool.at = 0
  }
  pool.at += count
  return pool.bytes.subarray(pool.at - count, pool.at)
}
