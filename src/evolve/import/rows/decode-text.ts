// The text of a file, chunk by chunk, in its encoding. Bytes that are not text in that encoding become a mark that no text has, so that
// the rows with them can be refused: replaced by U+FFFD they could not be told from a file that has that character.

/** Half of a surrogate pair, which a decoder never returns alone. */
const undecodable = '\uDC80'

/** Whether some of its bytes were not text. The other half before the mark makes it a character: 💀 is one. */
export function hasUndecodable(text: string): boolean {
  return text.includes(undecodable) && /(?<![\uD800-\uDBFF])\uDC80/.test(text)
}

/** The problem of a row with bytes that are not text. */
export const notText = 'has bytes that are not text in the encoding of the file. Save it as UTF-8, or name its encoding in the mapping: "encoding": "windows-1252"'

export async function* decoded(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string> {
  const decoder = decoderFor(encoding)
  for await (const chunk of chunks) yield decoder.decode(chunk)
  yield decoder.end()
}

/** Whether a mapping may name it: any encoding of the WHATWG standard, such as windows-1252 or utf-16le. */
export function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== ''
  } catch {
    return false
  }
}

interface ChunkDecoder {
  decode(chunk: Buffer): string
  end(): string
}

function decoderFor(encoding: string): ChunkDecoder {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true })
  if (decoder.encoding === 'utf-8') return new Utf8Decoder()
  // An encoding that has U+FFFD itself may mean it.
  const mark = (text: string): string => (decoder.encoding.startsWith('utf-16') || decoder.encoding === 'gb18030' ? text : text.replaceAll('\uFFFD', undecodable))
  return { decode: (chunk) => mark(decoder.decode(chunk, { stream: true })), end: () => mark(decoder.decode()) }
}

class Utf8Decoder implements ChunkDecoder {
  readonly #strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  readonly #lenient = new TextDecoder('utf-8', { ignoreBOM: true })
  /** The beginning of a character whose end is in the next chunk. */
  #rest: Buffer = Buffer.alloc(0)

  decode(chunk: Buffer): string {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    const end = completeEnd(bytes)
    this.#rest = bytes.subarray(end)
    return this.#text(bytes.subarray(0, end))
  }

  end(): string {
    return this.#text(this.#rest)
  }

  #text(bytes: Buffer): string {
    try {
      return this.#strict.decode(bytes)
    } catch {
      return this.#marked(bytes)
    }
  }

  /** What is between the characters U+FFFD of the file has none of its own. */
  #marked(bytes: Buffer): string {
    const parts: string[] = []
    for (let from = 0; from <= bytes.length;) {
      const found = bytes.indexOf(replacement, from)
      const to = found < 0 ? bytes.length : found
      parts.push(this.#lenient.decode(bytes.subarray(from, to)).replaceAll('\uFFFD', undecodable))
      from = to + (found < 0 ? 1 : replacement.length)
    }
    return parts.join('\uFFFD')
  }
}

const replacement = Buffer.from('\uFFFD')

/** Where the last complete character ends: at most three bytes may begin another one. */
function completeEnd(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return bytes.length
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 0
    if (length > 0) return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}
