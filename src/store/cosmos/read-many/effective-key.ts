// The effective partition key: the hash by which Cosmos DB assigns a partition key to a physical partition, as upper-case
// hexadecimal text that compares like the ranges of physical partitions. With it a client can group keys by physical
// partition and request each group at once.
//
// Each value becomes bytes (a byte for its type, then the value), MurmurHash3 turns the bytes into 128 bits, and the two
// highest bits are cleared. The hashes of the levels of a hierarchical key are concatenated.

/**
 * A value of a partition key; undefined for a document without one.
 *
 * @example
 * ```ts
 * const level: KeyValue = 'customer-7'
 * ```
 */
export type KeyValue = string | number | boolean | null | undefined

export interface KeyDefinition {
  readonly kind?: string
  readonly version?: number
}

/** Undefined for containers with version 1 of the hash, which is not implemented. */
export function effectiveKey(values: readonly KeyValue[], { kind = 'Hash', version }: KeyDefinition): string | undefined {
  if (kind === 'MultiHash') return values.map((value) => hashed([value])).join('')
  return kind === 'Hash' && version === 2 ? hashed(values) : undefined
}

function hashed(values: readonly KeyValue[]): string {
  const hash = murmur128(Buffer.concat(values.map(bytesOf)))
  hash[0]! &= 0x3f
  return hash.toString('hex').toUpperCase()
}

const typeByte = { undefined: 0, null: 1, false: 2, true: 3, number: 5, string: 8, end: 0xff }

function bytesOf(value: KeyValue): Buffer {
  if (value === undefined) return Buffer.of(typeByte.undefined)
  if (value === null) return Buffer.of(typeByte.null)
  if (typeof value === 'boolean') return Buffer.of(value ? typeByte.true : typeByte.false)
  if (typeof value === 'string') return Buffer.concat([Buffer.of(typeByte.string), Buffer.from(value), Buffer.of(typeByte.end)])
  const bytes = Buffer.alloc(9)
  bytes[0] = typeByte.number
  // JSON has no -0.
  bytes.writeDoubleLE(value + 0, 1)
  return bytes
}

const multiplier1 = 0x87c37b91114253d5n
const multiplier2 = 0x4cf5ad432745937fn

/** MurmurHash3 x64 128-bit with seed 0: the second half first, each with the most significant byte first. */
function murmur128(input: Buffer): Buffer {
  const length = BigInt(input.length)
  // Zeros after the end do not change the hash, so the last block needs no special case.
  const padded = Buffer.concat([input, Buffer.alloc((16 - (input.length % 16)) % 16)])
  let h1 = 0n
  let h2 = 0n
  for (let at = 0; at < padded.length; at += 16) {
    const whole = at + 16 <= input.length
    h1 ^= times(rotated(times(padded.readBigUInt64LE(at), multiplier1), 31n), multiplier2)
    if (whole) h1 = low(times(low(rotated(h1, 27n) + h2), 5n) + 0x52dce729n)
    h2 ^= times(rotated(times(padded.readBigUInt64LE(at + 8), multiplier2), 33n), multiplier1)
    if (whole) h2 = low(times(low(rotated(h2, 31n) + h1), 5n) + 0x38495ab5n)
  }
  h1 = low((h1 ^ length) + (h2 ^ length))
  h2 = low((h2 ^ length) + h1)
  h1 = mixed(h1)
  h2 = mixed(h2)
  h1 = low(h1 + h2)
  h2 = low(h2 + h1)
  const output = Buffer.alloc(16)
  output.writeBigUInt64BE(h2, 0)
  output.writeBigUInt64BE(h1, 8)
  return output
}

function mixed(hash: bigint): bigint {
  let mixing = hash ^ (hash >> 33n)
  mixing = times(mixing, 0xff51afd7ed558ccdn)
  mixing ^= mixing >> 33n
  mixing = times(mixing, 0xc4ceb9fe1a85ec53n)
  return mixing ^ (mixing >> 33n)
}

function times(a: bigint, b: bigint): bigint {
  return low(a * b)
}

function rotated(value: bigint, by: bigint): bigint {
  return low(value << by) | (value >> (64n - by))
}

function low(value: bigint): bigint {
  return BigInt.asUintN(64, value)
}
