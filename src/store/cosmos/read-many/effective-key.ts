// Where Cosmos puts a partition key: the hash by which it deals keys out to physical partitions, as
// upper-case hexadecimal text that compares the way the ranges of physical partitions do. A client
// that knows it can send keys which live together to where they live, together.
//
// Each value becomes bytes (a mark for its type, then the value), the bytes become 128 bits by
// MurmurHash3, and the two highest bits are cleared. A hierarchical key is the hashes of its levels,
// one behind the other.

export type KeyValue = string | number | boolean | null | undefined

export interface KeyDefinition {
  readonly kind?: string
  readonly version?: number
}

/** Undefined for containers whose keys are hashed the first, older way, which is not known here. */
export function effectiveKey(values: readonly KeyValue[], { kind = 'Hash', version }: KeyDefinition): string | undefined {
  if (kind === 'MultiHash') return values.map((value) => hashed([value])).join('')
  return kind === 'Hash' && version === 2 ? hashed(values) : undefined
}

function hashed(values: readonly KeyValue[]): string {
  const hash = murmur128(Buffer.concat(values.map(bytesOf)))
  hash[0]! &= 0x3f
  return hash.toString('hex').toUpperCase()
}

const mark = { undefined: 0, null: 1, false: 2, true: 3, number: 5, string: 8, end: 0xff }

function bytesOf(value: KeyValue): Buffer {
  if (value === undefined) return Buffer.of(mark.undefined)
  if (value === null) return Buffer.of(mark.null)
  if (typeof value === 'boolean') return Buffer.of(value ? mark.true : mark.false)
  if (typeof value === 'string') return Buffer.concat([Buffer.of(mark.string), Buffer.from(value), Buffer.of(mark.end)])
  const bytes = Buffer.alloc(9)
  bytes[0] = mark.number
  // On the wire -0 is 0.
  bytes.writeDoubleLE(value + 0, 1)
  return bytes
}

const multiplier1 = 0x87c37b91114253d5n
const multiplier2 = 0x4cf5ad432745937fn

/** MurmurHash3, 128 bits, for 64-bit machines, with seed 0: most significant byte first, second half first. */
function murmur128(input: Buffer): Buffer {
  const length = BigInt(input.length)
  // Zeros behind the end mix in nothing, so the last block needs no case of its own.
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
