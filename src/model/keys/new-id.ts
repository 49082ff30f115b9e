// Ids for documents that are created without one: UUIDs of version 7, which begin with the time. New ids are neighbours in
// every index by id, so many writes touch few pages; random ids would each touch another page. Note that an id reveals
// when its document was created.

import { randomFillSync } from 'node:crypto'

/** Greater than every id that this process has made before. */
export function newId(): string {
  const now = Date.now()
  if (now > last.ms) {
    last.ms = now
    // Starts in the lower half, which leaves room to count up.
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

/** Random bytes for many ids at once: drawing a few costs as much as drawing many. */
const pool = { bytes: Buffer.alloc(4096), at: 4096 }

function randomBytes(count: number): Buffer {
  if (pool.at + count > pool.bytes.length) {
    randomFillSync(pool.bytes)
    pool.at = 0
  }
  pool.at += count
  return pool.bytes.subarray(pool.at - count, pool.at)
}
