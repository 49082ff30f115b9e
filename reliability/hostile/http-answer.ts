// Answers of HTTP, as they come out of a socket: what is there so far becomes whole answers and a rest. It reads
// as little of HTTP as it can, since what is sent to get them is hardly HTTP at all.

export interface Answer {
  readonly status: number
  /** By their names in small letters; of several of one name, the last. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly ms: number
}

type Head = Pick<Answer, 'status' | 'headers'>

/** The first answer in some bytes and what is behind it; undefined while it is not complete. */
export function readAnswer(bytes: Buffer, closed: boolean, hasBody: boolean): { answer: Omit<Answer, 'ms'>; rest: Buffer } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = readHead(bytes.toString('latin1', 0, end))
  const behind = bytes.subarray(end + 4)
  // What only says to go on is no answer.
  if (head.status < 200) return readAnswer(behind, closed, hasBody)
  const read = readBody(head, behind, closed, hasBody)
  return read && { answer: { ...head, body: read.body.toString() }, rest: behind.subarray(read.length) }
}

function readHead(text: string): Head {
  const [first = '', ...lines] = text.split('\r\n')
  const headers = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]))
  return { status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0), headers }
}

function readBody({ status, headers }: Head, behind: Buffer, closed: boolean, hasBody: boolean): { body: Buffer; length: number } | undefined {
  if (!hasBody || status === 204 || status === 304) return { body: Buffer.alloc(0), length: 0 }
  // Events go on for as long as anybody listens; who is told that they come has been answered.
  if (isStream(headers)) return { body: behind, length: behind.length }
  if (headers['transfer-encoding']?.includes('chunked')) return readChunks(behind, closed)
  const length = Number(headers['content-length'] ?? Number.NaN)
  if (Number.isNaN(length)) return closed ? { body: behind, length: behind.length } : undefined
  return behind.length >= length ? { body: behind.subarray(0, length), length } : closed ? { body: behind, length: behind.length } : undefined
}

function readChunks(behind: Buffer, closed: boolean): { body: Buffer; length: number } | undefined {
  const chunks: Buffer[] = []
  for (let at = 0; ;) {
    const line = behind.indexOf('\r\n', at)
    if (line < 0) return closed ? { body: Buffer.concat(chunks), length: behind.length } : undefined
    const size = Number.parseInt(behind.toString('latin1', at, line), 16)
    const next = line + 2 + size + 2
    if (Number.isNaN(size) || behind.length < next) return closed ? { body: Buffer.concat([...chunks, behind.subarray(line + 2)]), length: behind.length } : undefined
    chunks.push(behind.subarray(line + 2, line + 2 + size))
    at = next
    if (size === 0) return { body: Buffer.concat(chunks), length: next }
  }
}

export function isStream(headers: Answer['headers']): boolean {
  return /^(text\/event-stream|multipart\/mixed)/.test(headers['content-type'] ?? '')
}
