// How the change feed of all followed containers is divided into parts, which several gateways share: each physical partition of each
// container is in one part, and those that replace it in a split stay there. So a follower of a part continues where it was, and no part has to
// know of another.
//
// How many parts there are is decided once for a database, by the container with the most physical partitions then, and stored.

import { feedKey, ownContainer, ownPut } from '../../own-container.ts'
import { ConflictError } from '../../store-errors.ts'
import type { Store } from '../../store.ts'
import type { PhysicalPartition } from '../read-many/physical-partitions.ts'

/** The part that has everything: the only one of a database that is not divided. Followers store a point for each part, so this name must never change. */
export const wholeFeed = 'all'

/** Each part is a lease that is written when its position moves. */
const maxParts = 8

export function partNames(count: number): readonly string[] {
  return count === 1 ? [wholeFeed] : Array.from({ length: count }, (_, slot) => String(slot))
}

/** Those of any database. */
export const possibleParts: readonly string[] = [wholeFeed, ...partNames(maxParts)]

/** Of a physical partition. Numbers grow, so its oldest ancestor has the smallest one, whatever has been split since. */
export function partOf(container: string, { id, parents = [] }: PhysicalPartition, count: number): string {
  const oldest = Math.min(...[id, ...parents].map(numberOf))
  // Most small containers have one partition, which need not be in the same part for all of them.
  return String((oldest + numberOf(container)) % count)
}

/** The number of parts, as it is stored. A database that was followed as a whole goes on so. */
export async function readPartCount(store: Pick<Store, 'readMany' | 'write'>, mostPartitions: number): Promise<number> {
  const key = feedKey('parts')
  const read = async (): Promise<number | undefined> => {
    const [stored, whole] = await store.readMany(ownContainer, [key, feedKey(`feed-${wholeFeed}`)])
    return (stored?.body['count'] as number | undefined) ?? (whole ? 1 : undefined)
  }
  const known = await read()
  if (known !== undefined) return known
  const count = Math.max(1, Math.min(maxParts, mostPartitions))
  try {
    await store.write([ownPut(key, { type: 'parts', count }, 'if-absent')])
    return count
  } catch (error) {
    // Another gateway has started at the same time.
    const stored = error instanceof ConflictError ? await read() : undefined
    if (stored === undefined) throw error
    return stored
  }
}

/** A number as it is, a text as the sum of its characters. */
function numberOf(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : [...text].reduce((sum, character) => sum + character.codePointAt(0)!, 0)
}
