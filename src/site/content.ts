// What a browser can be given: bytes of some type, in the encodings they are kept in, and the headers
// that every page carries. Who asks and for what is decided elsewhere.

import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip' | 'identity'

export interface Content {
  readonly type: string
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  /** Best first. */
  readonly encodings: readonly Encoding[]
  readonly read: (encoding: Encoding) => Promise<Uint8Array>
}

/** What nothing that is served here needs, no page may do: load from elsewhere, be framed, run what is written in it. */
const policy = [
  "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "font-src 'self'", "connect-src 'self'",
  "worker-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
]

export const safeHeaders = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }

/** No other page may show it, hold on to it or take it apart; the first is for browsers that do not know `frame-ancestors`. */
const apart = { 'x-frame-options': 'DENY', 'cross-origin-opener-policy': 'same-origin', 'cross-origin-resource-policy': 'same-origin' }

/** The name has a hash of the contents in it, so what is behind it never changes. */
export const immutable = { ...safeHeaders, 'cache-control': 'public, max-age=31536000, immutable' }

/** An editor that writes its own style sheets needs `inlineStyles`; scripts are never inline. */
export function pageHeaders({ inlineStyles = false } = {}): Record<string, string> {
  const rules = inlineStyles ? policy.map((rule) => rule.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")) : policy
  return { ...safeHeaders, ...apart, 'content-security-policy': rules.join('; '), 'cache-control': 'no-cache' }
}

/** Text that stays the same: it is compressed once, when someone first asks for it. */
export function textContent(type: string, text: string, headers: Record<string, string>, status = 200): Content {
  const compressed = new Map<Encoding, Promise<Uint8Array>>()
  const read = (encoding: Encoding) => {
    const known = compressed.get(encoding) ?? encode[encoding](Buffer.from(text))
    compressed.set(encoding, known)
    return known
  }
  return { type: `${type}; charset=utf-8`, status, headers, encodings: ['br', 'gzip', 'identity'], read }
}

export function jsonContent(data: unknown): Content {
  return {
    type: 'application/json; charset=utf-8',
    headers: { ...safeHeaders, 'cache-control': 'no-store' },
    encodings: ['identity'],
    read: async () => Buffer.from(JSON.stringify(data)),
  }
}

/** `name.3f2a9c01.css`, for text that is called `name.css`. */
export function hashedName(name: string, text: string): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
  return name.replace(/(\.\w+)$/, `.${hash}$1`)
}

const encode: Record<Encoding, (bytes: Buffer) => Promise<Uint8Array>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes) => promisify(gzip)(bytes),
  identity: async (bytes) => bytes,
}
