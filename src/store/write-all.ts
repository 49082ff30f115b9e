// Writes that need not be atomic together, in as few calls as the store allows.

import { partitionText } from '../model/keys/key.ts'
import type { Store, Supports, Write } from './store.ts'

const concurrentCalls = 16

/** The most that one call writes on any store: a longer transaction would keep other writers waiting. */
const maxPerCall = { writes: 1000, bytes: 8 * 1024 * 1024 }

export function writeAll(store: Store, writes: readonly Write[]): Promise<void> {
  return writeGroups(store, atomicGroups(writes, store.supports))
}

/** The writes in groups, each of which the store can write atomically, in the order in which their partitions appear. */
export function atomicGroups(writes: readonly Write[], { atomic, batch }: Supports, max = maxPerCall): Write[][] {
  const byScope = Map.groupBy(writes, ({ container, key }) => (atomic === 'store' ? '' : `${container} ${partitionText(key.partition)}`))
  const limits = { writes: Math.min(batch.writes, max.writes), bytes: Math.min(batch.bytes, max.bytes) }
  return [...byScope.values()].flatMap((group) => [...chunksOf(group, limits)])
}

/** Writes each group atomically, several groups at a time. If one fails, others may have been written. */
export async function writeGroups(store: Store, groups: readonly (readonly Write[])[]): Promise<void> {
  const queue = groups.values()
  const failures: unknown[] = []
  const work = async (): Promise<void> => {
    for (const group of queue) {
      if (failures.length > 0) return
      try {
        await store.write(group)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrentCalls, groups.length) }, work))
  if (failures.length > 0) throw failures[0]
}

function* chunksOf(writes: readonly Write[], limits: { writes: number; bytes: number }): Generator<Write[]> {
  let chunk: Write[] = []
  let bytes = 0
  for (const write of writes) {
    const size = Buffer.byteLength(JSON.stringify((write.kind === 'put' ? write.body : write.last) ?? null))
    if (chunk.length > 0 && (chunk.length >= limits.writes || bytes + size > limits.bytes)) {
      yield chunk
      chunk = []
      bytes = 0
    }
    chunk.push(write)
    bytes += size
  }
  if (chunk.length > 0) yield chunk
}
