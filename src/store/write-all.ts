// Writes that need not be made as one, made as few at a time as the store can.

import { partitionText } from '../model/keys/key.ts'
import type { Store, Supports, Write } from './store.ts'

/** How many requests are under way at once. */
const sideBySide = 16

/** What a scope holds at most on any store: longer ones would keep others waiting. */
export const defaultScope = { writes: 1000, bytes: 8 * 1024 * 1024 }

/** The writes in groups that the store can make as one each, in the order in which their partitions come. */
export function scopesOf(writes: readonly Write[], { atomic, batch }: Supports, most = defaultScope): Write[][] {
  const together = Map.groupBy(writes, ({ container, key }) => (atomic === 'store' ? '' : `${container} ${partitionText(key.partition)}`))
  const limits = { writes: Math.min(batch.writes, most.writes), bytes: Math.min(batch.bytes, most.bytes) }
  return [...together.values()].flatMap((group) => [...chunksOf(group, limits)])
}

/** Makes all of them, as few at a time as the store can. */
export function writeAll(store: Store, writes: readonly Write[]): Promise<void> {
  return writeApart(store, scopesOf(writes, store.supports))
}

/** Makes all of them, group by group, some groups side by side. Where one fails, others may have been made. */
export async function writeApart(store: Store, groups: readonly (readonly Write[])[]): Promise<void> {
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
  await Promise.all(Array.from({ length: Math.min(sideBySide, groups.length) }, work))
  if (failures.length > 0) throw failures[0]
}

function* chunksOf(writes: readonly Write[], limits: { writes: number; bytes: number }): Generator<Write[]> {
  let chunk: Write[] = []
  let bytes = 0
  for (const write of writes) {
    const size = write.kind === 'put' ? Buffer.byteLength(JSON.stringify(write.body)) : Buffer.byteLength(JSON.stringify(write.last ?? null))
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
