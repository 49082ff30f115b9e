// The space of partition key hashes, "" to "FF", and how it is divided: hashes fill only 00… to 3F…,
// so ranges are cut evenly there and the last one reaches to the end of the space.

export interface KeyRange {
  readonly min: string
  readonly max: string
}

export const wholeSpace: KeyRange = { min: '', max: 'FF' }

const digits = 32
const endOfHashes = 0x40n << 120n

export function evenRanges(count: number): KeyRange[] {
  const boundary = (i: number): string => {
    if (i === 0) return wholeSpace.min
    return i === count ? wholeSpace.max : hex((endOfHashes * BigInt(i)) / BigInt(count))
  }
  return Array.from({ length: count }, (_, i) => ({ min: boundary(i), max: boundary(i + 1) }))
}

/** Where a range is halved. Boundaries may differ in length: those of hierarchical keys have up to 32 digits for each level. */
export function middle({ min, max }: KeyRange): string {
  const end = max === wholeSpace.max ? hex(endOfHashes) : max
  const length = Math.max(digits, min.length, end.length)
  const [low, high] = [min, end].map((boundary) => BigInt(`0x${boundary.padEnd(length, '0')}`))
  return hex((low! + high!) / 2n, length)
}

export function contains(range: KeyRange, hash: string): boolean {
  return hash >= range.min && hash < range.max
}

export function overlap(one: KeyRange, other: KeyRange): boolean {
  return one.min < other.max && other.min < one.max
}

function hex(value: bigint, length = digits): string {
  return value.toString(16).toUpperCase().padStart(length, '0')
}
