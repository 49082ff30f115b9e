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

export function halves({ min, max }: KeyRange): [KeyRange, KeyRange] {
  const low = min === wholeSpace.min ? 0n : BigInt(`0x${min}`)
  const high = max === wholeSpace.max ? endOfHashes : BigInt(`0x${max}`)
  const middle = hex((low + high) / 2n)
  return [{ min, max: middle }, { min: middle, max }]
}

export function contains(range: KeyRange, hash: string): boolean {
  return hash >= range.min && hash < range.max
}

export function overlap(one: KeyRange, other: KeyRange): boolean {
  return one.min < other.max && other.min < one.max
}

function hex(value: bigint): string {
  return value.toString(16).toUpperCase().padStart(digits, '0')
}
