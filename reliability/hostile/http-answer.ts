// Parses HTTP answers from a socket: complete answers and the remaining bytes. It reads as little of HTTP as possible, since
// the requests are hardly HTTP.

export interface Answer {
  readonly status: number
  /** By lower-case name; the last of several with one name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly ms: number
}

type Head = Pick<Answer, 'status' | 'headers'>

/** The first answer and the bytes after it; undefined while it is incomplete. */
export function readAnswer(bytes: Buffer, closed: boolean, hasBody: boolean): { answer: Omit<Answer, 'ms'>; rest: Buffer } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = readHead(bytes.toString('latin1', 0, end))
  const behind = bytes.subarray(end + 4)
  // 100 Continue is not an answer.
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
  // An event stream has no end, so its headers count as the answer.
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
